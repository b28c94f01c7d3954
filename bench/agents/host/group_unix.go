//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// asGroup makes the end of the context kill all processes that the command started.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
