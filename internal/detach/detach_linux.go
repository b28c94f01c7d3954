package detach

import (
	"math"

	"golang.org/x/sys/unix"
)

// closeOnExec keeps children from inheriting the descriptors that this process inherited.
func closeOnExec() error {
	if unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return nil
	}
	return closeEach("/proc/self/fd") // Linux before 5.11
}
