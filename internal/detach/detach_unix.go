//go:build unix

package detach

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// Extra is the number under which the process finds the file it is given.
const Extra = 3

const root = "/"

func detached(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// closeEach marks the open descriptors one by one.
func closeEach(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}
