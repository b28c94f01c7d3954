//go:build !windows

package gitrepo

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks git to end by SIGTERM, on which it removes its lock files.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
