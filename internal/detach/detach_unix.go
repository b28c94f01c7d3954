//go:build unix

package detach

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// Extra is the descriptor of extra in the process.
const Extra = 3

const root = "/"

// start avoids os/exec, which first starts a process and waits for it, to find out what
// the system can do. Of equal names in env the last one counts.
func start(argv, env []string, extra *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	_, _, err = syscall.StartProcess(argv[0], argv, &syscall.ProcAttr{
		Dir: root, Env: (&exec.Cmd{Env: env}).Environ(), Sys: &syscall.SysProcAttr{Setsid: true},
		Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), extra.Fd()},
	})
	return err
}

// closeEach sets close-on-exec for all open descriptors, one by one.
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
