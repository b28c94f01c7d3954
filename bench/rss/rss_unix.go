//go:build unix

// Package rss says how much memory a program that a benchmark ran held at its peak, as the system counted it; 0 where a
// system does not count.
package rss

import (
	"os"
	"runtime"
	"syscall"
)

// Max is the peak resident size in bytes of the largest process among one
// and those it waited for. A process begins as a copy of this one, so this
// one's own size is the least it can be.
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
