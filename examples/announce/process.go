package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// A process is a member in an operating-system process of its own.
type process struct {
	name, incarnation string
	cmd               *exec.Cmd
	stdin             io.Closer
	stderr            *bytes.Buffer
}

// start starts this program again as a member, and returns when it has announced itself for the first time.
func start(o options, storeURL, space, name, member string, more ...string) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"member", "-space", space, "-name", name, "-member", member, "-interval", o.interval.String()}
	p := &process{name: name, cmd: exec.Command(program, append(args, more...)...), stderr: new(bytes.Buffer)}
	p.cmd.Env = append(os.Environ(), storeVar+"="+storeURL)
	p.cmd.Stderr = p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil { // closed when we end, however we end
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("%s does not start: %s", name, strings.TrimSpace(p.stderr.String()))
	}
	p.incarnation = strings.TrimSpace(line)
	return p, nil
}

// kill ends the process as a crash does.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// stop ends it by plan.
func (p *process) stop() error {
	p.cmd.Process.Signal(syscall.SIGTERM)
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.name, err, strings.TrimSpace(p.stderr.String()))
	}
	return nil
}
