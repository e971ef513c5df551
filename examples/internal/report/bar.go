package report

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A Bar shows progress on a terminal, once the work has taken a second. Anywhere else it shows nothing.
type Bar struct {
	out   io.Writer
	what  string
	total int
	start time.Time
	bar   *progressbar.ProgressBar // nil until it is shown
}

// NewBar returns a bar over total steps. It is shown only if out is a terminal.
func NewBar(out io.Writer, what string, total int) *Bar {
	return &Bar{out: out, what: what, total: total, start: time.Now()}
}

// Set shows that done steps are behind us.
func (b *Bar) Set(done int) {
	if b.bar == nil {
		if !terminal(b.out) || time.Since(b.start) < time.Second {
			return
		}
		b.bar = progressbar.NewOptions(b.total, progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(b.what),
			progressbar.OptionSetWidth(30), progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	b.bar.Set(done)
}

// Clear takes the bar off the screen, whether or not the end was reached. It may be called again.
func (b *Bar) Clear() {
	if b.bar != nil {
		b.bar.Clear()
		b.bar = nil
		b.out = io.Discard
	}
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
