//go:build unix && !linux

package detach

// closeOnExec keeps children from inheriting the descriptors that this process inherited.
func closeOnExec() error { return closeEach("/dev/fd") }
