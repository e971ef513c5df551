package conform

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// maxLine limits a line from the port, so that a port gone wild does not fill the memory.
const maxLine = 1 << 20

// errSilent ends a run in which the port did nothing for too long.
var errSilent = errors.New("conform: the port is silent")

// A longLine is the error of a line above maxLine.
type longLine struct{ begin string }

func (e *longLine) Error() string { return "conform: a line is too long" }

// A process is a running port. One goroutine reads, another one writes.
type process struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	buffered *bufio.Writer
	out      *bufio.Reader
	stderr   tail
	patience time.Duration
	watchdog *time.Timer // kills the port when neither a read nor a write has moved it for the length of the patience

	mu    sync.Mutex
	cause error // why it was killed
	ended bool  // waited for: its number may be another process's by now

	waited sync.Once
	status string
}

// start runs the command. The port stays in the way of nobody: it and all it starts end with kill, or with ctx.
func start(ctx context.Context, command []string, patience time.Duration) (*process, *Fault) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	p := &process{cmd: cmd, patience: patience}
	ownGroup(cmd)
	cmd.Cancel = func() error { p.signal(ctx.Err()); return nil }
	cmd.WaitDelay = 2 * time.Second // for a grandchild that holds standard error
	cmd.Stderr = &p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, &Fault{Kind: NotStarted, Reason: err.Error()}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, &Fault{Kind: NotStarted, Reason: err.Error()}
	}
	if err := cmd.Start(); err != nil {
		return nil, &Fault{Kind: NotStarted, Reason: err.Error()}
	}
	p.in, p.buffered, p.out = in, bufio.NewWriterSize(lively{p, in}, 1<<15), bufio.NewReaderSize(out, 1<<16)
	p.watchdog = time.AfterFunc(patience, func() { p.signal(errSilent) })
	return p, nil
}

// signal kills the port and remembers the first cause.
func (p *process) signal(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if p.cause == nil {
		p.cause = cause
	}
	killGroup(p.cmd)
}

// why returns the cause for which the port was killed, nil where it was not.
func (p *process) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// kill ends the port if it still runs, and waits for it.
func (p *process) kill() {
	p.signal(errors.New("conform: done"))
	p.wait()
}

// alive moves the watchdog.
func (p *process) alive() { p.watchdog.Reset(p.patience) }

// A lively writer takes each write that the port's pipe has taken as a sign of life.
type lively struct {
	p *process
	w io.Writer
}

func (l lively) Write(b []byte) (int, error) {
	n, err := l.w.Write(b)
	if err == nil {
		l.p.alive()
	}
	return n, err
}

// write hands a line to the port.
func (p *process) write(line []byte) error {
	_, err := p.buffered.Write(line)
	return err
}

// closeInput sends what is left and tells the port that no more comes.
func (p *process) closeInput() {
	_ = p.buffered.Flush()
	_ = p.in.Close()
}

// readLine returns the next line without its line feed; it is valid until the next call. The error
// is io.EOF, io.ErrUnexpectedEOF in the middle of a line, a *longLine, or the reason why the port
// was killed.
func (p *process) readLine() ([]byte, error) {
	line, err := p.out.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = p.readLong(line)
	}
	if err == nil {
		p.alive()
		return line[:len(line)-1], nil
	}
	if cause := p.why(); cause != nil {
		return nil, cause
	}
	if errors.As(err, new(*longLine)) {
		return nil, err
	}
	if len(line) > 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return nil, io.EOF // a read error is the end of the pipe, too
}

func (p *process) readLong(begin []byte) ([]byte, error) {
	line := append([]byte(nil), begin...)
	for {
		more, err := p.out.ReadSlice('\n')
		line = append(line, more...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, &longLine{string(line[:64])}
		}
		p.alive()
	}
}

// wait waits for the port's end and returns its status, empty for 0. The watchdog still bites: it is started anew.
func (p *process) wait() string {
	p.waited.Do(func() {
		p.alive()
		err := p.cmd.Wait()
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
		p.watchdog.Stop()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			p.status = exit.ProcessState.String()
		case err != nil && !errors.Is(err, exec.ErrWaitDelay):
			p.status = fmt.Sprint(err)
		}
	})
	return p.status
}

// A tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 2048

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if extra := len(t.buf) - tailSize; extra > 0 {
		t.buf = append(t.buf[:0], t.buf[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
