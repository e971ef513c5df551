package show

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A Progress shows on a terminal how far the work is, once it has taken a second. Anywhere else it shows nothing.
type Progress struct {
	out   io.Writer
	shown bool // whether to show anything at all
	what  string
	total int64
	bytes bool
	now   func() time.Time
	start time.Time
	bar   *progressbar.ProgressBar // nil until it is shown
}

// NewProgress returns the progress of reading total bytes, of an unknown number if total is below 0.
func NewProgress(out io.Writer, what string, total int64) *Progress {
	return newProgress(out, isTerminal(out), what, total, true, time.Now)
}

// NewSteps returns the progress of work in total steps.
func NewSteps(out io.Writer, what string, total int) *Progress {
	return newProgress(out, isTerminal(out), what, int64(total), false, time.Now)
}

func newProgress(out io.Writer, shown bool, what string, total int64, bytes bool, now func() time.Time) *Progress {
	return &Progress{out: out, shown: shown, what: what, total: total, bytes: bytes, now: now, start: now()}
}

// Set says how much is behind us.
func (p *Progress) Set(done int64) {
	if !p.shown {
		return
	}
	if p.bar == nil {
		if p.now().Sub(p.start) < time.Second {
			return
		}
		options := []progressbar.Option{
			progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(p.what), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100 * time.Millisecond), progressbar.OptionClearOnFinish(),
		}
		if p.bytes {
			options = append(options, progressbar.OptionShowBytes(true))
		} else {
			options = append(options, progressbar.OptionShowCount())
		}
		p.bar = progressbar.NewOptions64(p.total, options...)
	}
	_ = p.bar.Set64(done) // what cannot be shown is no failure of the work
}

// Clear takes the bar off the screen. After it nothing is shown any more.
func (p *Progress) Clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	p.shown = false
}

// Reader counts what is read from r, beginning with what was read before.
func (p *Progress) Reader(r io.Reader, before *int64) io.Reader { return &counted{r, p, before} }

type counted struct {
	io.Reader
	progress *Progress
	done     *int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	*c.done += int64(n)
	c.progress.Set(*c.done)
	return n, err
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
