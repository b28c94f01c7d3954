//go:build unix

package main

import (
	"strconv"
	"syscall"
)

// carry passes on the output of jobs that a line has left running: for each word "FROM:TO",
// from one descriptor to the other until all writers or all readers are gone.
func carry(pairs []string) int {
	done := make(chan bool)
	for _, pair := range pairs {
		from, to, ok := descriptors(pair)
		go func() {
			if ok {
				pass(from, to)
			}
			done <- true
		}()
	}
	for range pairs {
		<-done
	}
	return 0
}

func descriptors(pair string) (from, to int, ok bool) {
	for i := range pair {
		if pair[i] == ':' {
			from, err := strconv.Atoi(pair[:i])
			to, err2 := strconv.Atoi(pair[i+1:])
			return from, to, err == nil && err2 == nil
		}
	}
	return 0, 0, false
}

// pass copies until the end. If the readers are gone, it closes from, so that the
// writers get an error as they would have without it.
func pass(from, to int) {
	defer syscall.Close(from)
	syscall.SetNonblock(from, false)
	buf := make([]byte, 64<<10)
	for {
		n, err := syscall.Read(from, buf)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			return
		}
		for rest := buf[:n]; len(rest) > 0; {
			n, err := syscall.Write(to, rest)
			if err != nil && err != syscall.EINTR {
				return
			}
			rest = rest[max(n, 0):]
		}
	}
}
