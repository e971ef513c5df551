package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// read returns the whole body, or answers the request itself and returns false.
func (h *handler) read(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity")
		h.drain(w, r)
		http.Error(w, "a structured event must come without a content coding", http.StatusUnsupportedMediaType)
		return nil, false
	}
	if r.ContentLength > h.o.MaxBody {
		h.tooLong(w, r)
		return nil, false
	}
	var buffer bytes.Buffer
	// The length is the sender's word. What is reserved on it is little, and grows with what comes.
	buffer.Grow(int(min(max(r.ContentLength, 0), 64<<10)) + bytes.MinRead)
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, h.o.MaxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		h.tooLong(w, r)
		return nil, false
	}
	if err != nil {
		closeConnection(w, r)
		http.Error(w, "the body could not be read to its end", http.StatusBadRequest)
		return nil, false
	}
	return buffer.Bytes(), true
}

func (h *handler) tooLong(w http.ResponseWriter, r *http.Request) {
	closeConnection(w, r)
	http.Error(w, "the event is longer than "+strconv.FormatInt(h.o.MaxBody, 10)+" bytes", http.StatusRequestEntityTooLarge)
}

// drop answers for a foreign event whose body nobody has read.
func (h *handler) drop(w http.ResponseWriter, r *http.Request) {
	h.drain(w, r)
	w.WriteHeader(http.StatusNoContent)
}

// drain reads the body to its end, so that the next request on the connection can be read, or has
// the connection closed.
func (h *handler) drain(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 1 {
		return
	}
	if r.ContentLength <= h.o.MaxDrain {
		_, err := io.CopyN(io.Discard, r.Body, h.o.MaxDrain)
		if err == nil { // the end may be just here
			_, err = io.ReadFull(r.Body, make([]byte, 1))
		}
		if err == io.EOF {
			return
		}
	}
	closeConnection(w, r)
}

// closeConnection says that no further request is read from the connection. Under HTTP/2 that would
// close all streams, which have done nothing.
func closeConnection(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
}

// withBody returns a copy of a request whose body has been read, with another body in its place.
func withBody(r *http.Request, body []byte) *http.Request {
	replayed := r.WithContext(r.Context()) // a copy, with the trailers, which have come by now
	replayed.Body = io.NopCloser(bytes.NewReader(body))
	if r.ContentLength == int64(len(body)) {
		return replayed
	}
	replayed.ContentLength = int64(len(body))
	replayed.TransferEncoding = nil
	replayed.Header = r.Header.Clone()
	replayed.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return replayed
}
