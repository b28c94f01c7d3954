//go:build unix

package capture

import (
	"os"
	"os/signal"
	"syscall"
)

// catchPipe: while a channel gets SIGPIPE, a write to a closed standard
// output fails instead of ending the process. No one reads the channel. The
// child has the default, since what is caught is reset when it starts.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
