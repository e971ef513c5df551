package conform

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync/atomic"
	"time"
)

// A Config says what to run and how much of it.
type Config struct {
	Command  []string      // the port: program and arguments
	Keys     int           // how many keys to generate after the vectors
	Seed     uint64        // of the generated keys; the same seed gives the same keys on every machine
	Patience time.Duration // how long the port may neither read nor write; zero is DefaultPatience
	// Progress, unless nil, is called now and then from Run's goroutine with the number of requests
	// that are answered and the number of all, and once at the end.
	Progress func(answered, total int)
}

// DefaultPatience suits ports that answer in large blocks, and slow machines.
const DefaultPatience = 30 * time.Second

// A Result tells how far a port came. After a [*Fault] it holds what was right before it.
type Result struct {
	Port    Hello
	Vectors Score         // the published vectors
	Keys    Score         // the generated keys
	Seed    uint64        // of the generated keys
	Took    time.Duration // from the first generated key to the last answer
	Stderr  string        // the last lines that the port wrote to standard error
}

// A Score counts requests: sent, and answered rightly.
type Score struct{ Right, Sent int }

// Rate returns generated keys per second, 0 where there is none.
func (r *Result) Rate() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Keys.Right) / r.Took.Seconds()
}

// Run starts the port, asks it everything and ends it. If the port is at fault the error is a
// [*Fault]; a wrong answer does not end the run before the vectors are through, so that the fault
// can count, and the first one is reported. Any other error is the caller's: no command, vectors
// that cannot be read, the context's end. The Result is never nil.
func Run(ctx context.Context, c Config) (*Result, error) {
	result := &Result{Seed: c.Seed}
	if len(c.Command) == 0 || c.Command[0] == "" {
		return result, errors.New("conform: no command to run")
	}
	if c.Keys < 0 || c.Patience < 0 {
		return result, errors.New("conform: a negative number of keys, or a negative patience")
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	vectors, err := published()
	if err != nil {
		return result, err
	}
	p, fault := start(ctx, c.Command, c.Patience)
	if fault != nil {
		return result, fault
	}
	s := &session{config: c, process: p, result: result}
	fault = s.run(vectors)
	p.kill()
	result.Stderr = p.stderr.String()
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	if fault != nil {
		fault.Stderr = result.Stderr
		return result, fault
	}
	return result, nil
}

// A session is one run of a port.
type session struct {
	config  Config
	process *process
	result  *Result
	wrong   *Fault       // the first wrong answer
	sending atomic.Int64 // when the first generated request was written, in nanoseconds since began; 0: not yet
	began   time.Time
}

func (s *session) run(all []request) *Fault {
	s.began = time.Now()
	line, err := s.process.readLine()
	if err != nil {
		return s.ended(err, "the first line")
	}
	hello, reason := parseHello(line)
	if reason != "" {
		return &Fault{Kind: BadHello, Got: string(line), Reason: reason}
	}
	s.result.Port = hello
	vectors := hello.fit(all)
	g := newGenerator(s.config.Seed, s.config.Keys, hello)
	go s.write(vectors, g)
	return s.read(vectors, g)
}

// write sends all requests and closes the port's standard input. An error means that the port does not
// read any more; the reader finds out why.
func (s *session) write(vectors []request, g generator) {
	var line []byte
	number := 0
	send := func(r *request) bool {
		number++
		line = strconv.AppendInt(line[:0], int64(number), 10)
		line = append(line, '\t')
		line = append(line, r.line...)
		line = append(line, '\n')
		return s.process.write(line) == nil
	}
	for i := range vectors {
		if !send(&vectors[i]) {
			return
		}
	}
	s.sending.Store(int64(time.Since(s.began)) | 1)
	for r := range g.requests() {
		if !send(r) {
			return
		}
	}
	s.process.closeInput()
}

// read compares all answers. The writer and the reader each go through the generated requests on
// their own: a queue between them would have to be as long as a port may be behind.
func (s *session) read(vectors []request, g generator) *Fault {
	total := len(vectors) + g.count
	answered := 0
	defer func() { s.progress(answered, total) }()
	next := func(r *request, score *Score) *Fault {
		score.Sent++
		if answered%4096 == 0 {
			s.progress(answered, total)
		}
		fault := s.answer(r, answered+1, total)
		if fault == nil {
			score.Right++
		}
		answered++
		return fault
	}
	for i := range vectors {
		if fault := next(&vectors[i], &s.result.Vectors); fault != nil {
			if fault.Kind != Wrong && fault.Kind != Refused {
				return s.first(fault)
			}
			s.count(fault)
		}
	}
	if s.wrong != nil {
		return s.first(nil)
	}
	for r := range g.requests() {
		if fault := next(r, &s.result.Keys); fault != nil {
			return fault
		}
	}
	if g.count > 0 {
		s.result.Took = time.Since(s.began) - time.Duration(s.sending.Load())
	}
	return s.finish()
}

func (s *session) progress(answered, total int) {
	if s.config.Progress != nil {
		s.config.Progress(answered, total)
	}
}

// count keeps the first wrong answer to a vector, and how many of each stage there are.
func (s *session) count(f *Fault) {
	if s.wrong == nil {
		s.wrong = f
		f.Stages = map[Stage]int{}
	}
	s.wrong.Stages[f.Stage]++
	if s.wrong != f && len(s.wrong.states) > 0 {
		s.wrong.states = append(s.wrong.states, f.states...)
	}
}

// first returns the fault that came first: a port whose answers were wrong and that then fails in another way is told
// about the answers. By then the other wrong answers help to tell the first one's cause.
func (s *session) first(f *Fault) *Fault {
	if s.wrong == nil {
		return f
	}
	if states := s.wrong.states; len(states) > 0 {
		s.wrong.Stage, s.wrong.Reason = wrongState(states[0], states[1:]...)
	}
	return s.wrong
}

// answer reads the answer to one request and compares it.
func (s *session) answer(r *request, number, total int) *Fault {
	line, err := s.process.readLine()
	if err != nil {
		fault := s.ended(err, "answer "+strconv.Itoa(number)+" of "+strconv.Itoa(total))
		fault.request, fault.number = r.clone(), number
		return fault
	}
	if prefix, rest, ok := bytes.Cut(line, []byte{'\t'}); ok && bytes.Equal(rest, r.want) && isNumber(prefix, number) {
		return nil
	}
	return judge(r, number, line)
}

// finish makes sure that nothing comes after the last answer, and that the port ends well.
func (s *session) finish() *Fault {
	line, err := s.process.readLine()
	if err == nil {
		return &Fault{Kind: Extra, Got: string(line), Reason: "this line came after the last answer"}
	}
	if errors.Is(err, errSilent) {
		return &Fault{Kind: Lingers, Reason: "all is answered and standard input has ended, but the port does not end its output and exit within " + s.config.Patience.String()}
	}
	if status := s.process.wait(); status != "" {
		if errors.Is(s.process.why(), errSilent) {
			return &Fault{Kind: Lingers, Reason: "all is answered and standard output closed, but the port does not exit within " + s.config.Patience.String()}
		}
		return &Fault{Kind: Died, Reason: "after the last answer it ended with " + status + ", where status 0 was due"}
	}
	return nil
}

// ended says what it means that no line came.
func (s *session) ended(err error, waitingFor string) *Fault {
	var long *longLine
	switch {
	case errors.Is(err, errSilent):
		return &Fault{Kind: Silent, Reason: "for " + s.config.Patience.String() + " the port neither read nor wrote while " + waitingFor + " was due"}
	case errors.As(err, &long):
		return &Fault{Kind: Garbage, Got: long.begin, Reason: "a line is longer than " + strconv.Itoa(maxLine) + " bytes"}
	}
	status := s.process.wait()
	if errors.Is(s.process.why(), errSilent) {
		return &Fault{Kind: Missing, Reason: "standard output was closed before " + waitingFor + ", and the port did not exit"}
	}
	if status != "" {
		return &Fault{Kind: Died, Reason: "it ended with " + status + " before " + waitingFor}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &Fault{Kind: Garbage, Reason: "the output ends in the middle of a line, before " + waitingFor}
	}
	return &Fault{Kind: Missing, Reason: "it ended with status 0 before " + waitingFor}
}
