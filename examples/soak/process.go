package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// patience is how long a process may take to start, stop or answer, on a busy machine too.
const patience = 60 * time.Second

// A process is a child: a member, or a server.
type process struct {
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser // closed: it is to stop, also when this program ends without a word
	tail  *tail
	ended chan struct{} // closed when it has

	mu       sync.Mutex
	expected bool // we end it
	err      error
}

// start starts this program again as a child. lost is called, from another goroutine, when it ends by itself.
func start(name string, config childConfig, lost func(error)) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: exec.Command(program), tail: new(tail), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), childVariable+"="+string(body))
	p.cmd.Stderr = p.tail
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := p.cmd.Wait()
		p.mu.Lock()
		expected := p.expected
		p.err = err
		p.mu.Unlock()
		close(p.ended)
		if !expected {
			lost(fmt.Errorf("%s ended by itself: %v: %s", name, err, p.tail))
		}
	}()
	return p, nil
}

// kill ends the process by SIGKILL.
func (p *process) kill() error { return p.end(func() error { return p.cmd.Process.Kill() }) }

// stop asks the process to end.
func (p *process) stop() error {
	if err := p.end(p.stdin.Close); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return fmt.Errorf("%s: %w: %s", p.name, p.err, p.tail)
	}
	return nil
}

func (p *process) end(how func() error) error {
	p.mu.Lock()
	p.expected = true
	p.mu.Unlock()
	if err := how(); err != nil && p.running() {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(patience):
		p.cmd.Process.Kill()
		return fmt.Errorf("%s does not end", p.name)
	}
}

func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// say writes a line to the process.
func (p *process) say(line string) error {
	_, err := io.WriteString(p.stdin, line+"\n")
	return err
}

// cpu returns the processor time of a process that has ended, killed or not.
func (p *process) cpu() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// A tail keeps the last of what a process writes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-2000):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(bytes.ToValidUTF8(t.text, nil)))
}
