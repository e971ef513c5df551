//go:build unix

package conform

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the port a process group of its own, so that killGroup reaches what a shell script started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
