//go:build unix

package capture

import (
	"os"
	"os/signal"
	"syscall"
)

// catchPipe: while anyone is told of SIGPIPE, a write to a closed standard
// output fails instead of ending the process. Nobody reads the channel. The
// child has the default, since what is caught is reset when it starts.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
