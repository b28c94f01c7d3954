// Package detach starts a process that outlives this one and holds nothing of
// its caller: a session of its own, the null device for its streams, the root for
// its directory, and no descriptor that this process was given. A pipe that such a
// process kept open would make the reader of the caller's output wait for it.
//
// Whether a process should be left behind at all is for the caller to decide. Here
// is only how.
package detach

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Start runs argv, whose first word is the path of a program, and returns without
// waiting for it. The process gets a copy of extra as descriptor Extra, where the
// system can do that; where it cannot, Extra is 0 and extra is closed first.
func Start(argv, env []string, extra *os.File) error {
	if err := closeOnExec(); err != nil {
		return fmt.Errorf("keeping open files to this process: %w", err)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = env, root
	detached(cmd)
	if Extra == 0 {
		extra.Close()
	} else {
		cmd.ExtraFiles = []*os.File{extra}
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", argv[0], err)
	}
	if err := cmd.Process.Release(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
