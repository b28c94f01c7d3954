//go:build unix

package capture

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
)

// partChatter writes to its two outputs in turns.
func partChatter(args []string) int {
	n, _ := strconv.Atoi(args[0])
	for range n {
		os.Stdout.WriteString("o")
		os.Stderr.WriteString("e")
	}
	return 0
}

// partFlood writes so many MiB, as lines or as one line.
func partFlood(args []string) int {
	n, _ := strconv.Atoi(args[0])
	line := []byte("2026-11-21T00:00:00 INFO worker handled request number 12345 of 99999 in 17 ms\n")
	if args[1] == "line" {
		line = []byte("abcdefghijklmnopqrstuvwxyz012345")
	}
	block := bytes.Repeat(line, 1<<20/len(line)+1)[:1<<20]
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for range n {
		out.Write(block)
	}
	out.Flush()
	return 0
}
