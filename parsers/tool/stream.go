package tool

import "cairn/parsers/text/term"

// The parts of an output, as a terminal would show it; see package term.
type (
	// Line is a line of an output: its text, its place and its stream.
	Line = term.Line
	// Source replays an output from its first byte, in read order.
	Source = term.Source
	// Chunk is a run of bytes of one stream.
	Chunk = term.Chunk
	// Stream is one of the two outputs of the recorded command.
	Stream = term.Stream
	// Bytes is a Source whose bytes are in memory.
	Bytes = term.Bytes
)

const (
	Stdout  = term.Stdout
	Stderr  = term.Stderr
	MaxLine = term.MaxLine // bytes kept of one line
)

// Separate is the source of two outputs whose order is not known.
func Separate(stdout, stderr []byte) Bytes { return term.Separate(stdout, stderr) }

// Resolve returns a line as a terminal shows it, without escapes and colours.
func Resolve(line []byte) []byte { return term.Resolve(line) }
