package detach

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// Extra is 0: the process gets no file.
const Extra = 0

var root = filepath.VolumeName(os.Getenv("SystemRoot")) + `\`

func start(argv, env []string, extra *os.File) error {
	extra.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = env, root
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := cmd.Process.Release(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// closeOnExec does nothing: here a process inherits only what it is asked to.
func closeOnExec() error { return nil }
