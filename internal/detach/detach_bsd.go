//go:build unix && !linux

package detach

// closeOnExec keeps what this process was given by its caller from its children.
func closeOnExec() error { return closeEach("/dev/fd") }
