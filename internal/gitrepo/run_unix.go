//go:build !windows

package gitrepo

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate lets git remove its lock files: it does so on SIGTERM.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
