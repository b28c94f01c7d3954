//go:build unix

package capture

import (
	"os"
	"os/signal"
	"syscall"
)

// catchPipe catches SIGPIPE, so that a write to a closed standard output fails instead
// of ending the process. Nothing reads the channel. The child has the default action,
// since caught signals are reset when it starts.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
