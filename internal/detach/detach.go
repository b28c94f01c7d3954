// Package detach starts a process that outlives this one and holds nothing of its
// caller: it has a session of its own, the null device for its streams, the root for
// its directory, and no descriptor that this process was given. If the process kept a
// pipe open, the reader of the caller's output would wait for it.
//
// The caller decides whether to leave a process behind at all.
package detach

import (
	"fmt"
	"os"
)

// Start runs argv, whose first word is the path of a program, and returns without
// waiting for it. The process gets a copy of extra as descriptor Extra. If the system
// cannot do that, Extra is 0 and extra is closed first.
func Start(argv, env []string, extra *os.File) error {
	if err := closeOnExec(); err != nil {
		return fmt.Errorf("keeping open files to this process: %w", err)
	}
	if err := start(argv, env, extra); err != nil {
		return fmt.Errorf("starting %s: %w", argv[0], err)
	}
	return nil
}
