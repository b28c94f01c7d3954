//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// asGroup ends all that the command started, when the context ends.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
