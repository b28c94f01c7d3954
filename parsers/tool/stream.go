package tool

import "cairn/parsers/text/term"

// What is read, as a terminal would show it; see the package term.
type (
	// Line is a line of an output: its text, where it stands, on which stream.
	Line = term.Line
	// Source replays an output from its first byte, in read order.
	Source = term.Source
	// Chunk is a run of bytes of one stream.
	Chunk = term.Chunk
	// Stream says which of the child's two outputs bytes came from.
	Stream = term.Stream
	// Bytes is a Source of bytes at hand.
	Bytes = term.Bytes
)

const (
	Stdout  = term.Stdout
	Stderr  = term.Stderr
	MaxLine = term.MaxLine // bytes of one line that are kept
)

// Separate is the source of two outputs whose order is not known.
func Separate(stdout, stderr []byte) Bytes { return term.Separate(stdout, stderr) }

// Resolve is what a terminal shows of a line, without escapes and colours.
func Resolve(line []byte) []byte { return term.Resolve(line) }
