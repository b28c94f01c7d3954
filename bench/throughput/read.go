package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime/pprof"
	"strconv"

	"cairn/parsers"
	"cairn/result"
)

// reading is the result of a process that parses one output.
type reading struct {
	Findings int // including those that were not kept
}

// read parses the file as the output of a command: FILE EXIT PROFILE ARGV…
func read(args []string, out io.Writer) error {
	if len(args) < 4 {
		return errors.New("read FILE EXIT PROFILE COMMAND")
	}
	code, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	src := fileSource(args[0])
	if err := profile(args[2]); err != nil {
		return err
	}
	r := parsers.Parse(parsers.Input{Argv: args[3:], Source: src}, result.Exit{Observed: true, Code: code})
	pprof.StopCPUProfile()
	return json.NewEncoder(out).Encode(reading{failures(r)})
}

func profile(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("profiling: %w", err)
	}
	return pprof.StartCPUProfile(f)
}

// failures returns the number of findings, including those that were not kept.
func failures(r *result.ToolResult) int {
	if r.Truncated.FindingsTotal > 0 {
		return r.Truncated.FindingsTotal
	}
	return len(r.Findings)
}

// fileSource is a file as stdout, read in pieces as after a capture.
type fileSource string

func (s fileSource) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		f, err := os.Open(string(s))
		if err != nil {
			panic(err) // it exists: the parent has just written it
		}
		defer f.Close()
		buf := make([]byte, 256<<10)
		for at := int64(0); ; {
			n, err := f.Read(buf)
			if n > 0 && !yield(parsers.Chunk{Stream: parsers.Stdout, Offset: at, Data: buf[:n]}) {
				return
			}
			if at += int64(n); err != nil {
				return
			}
		}
	}
}
