//go:build unix

// Package rss returns the peak memory of a process that a benchmark ran, as the system counted it; 0 if the system does
// not count it.
package rss

import (
	"os"
	"runtime"
	"syscall"
)

// Max returns the peak resident size in bytes of the largest process among s and those that it waited for. A process begins
// as a copy of this one, so Max is at least this process's own size.
func Max(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" { // bytes there, kilobytes elsewhere
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
