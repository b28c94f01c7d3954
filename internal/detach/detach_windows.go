package detach

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// Extra is 0: no file is handed over.
const Extra = 0

var root = filepath.VolumeName(os.Getenv("SystemRoot")) + `\`

func detached(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// closeOnExec has nothing to do: a process inherits only what it is told to.
func closeOnExec() error { return nil }
