// Package streams is the order in which the bytes of a child's two outputs were read,
// and its format.
//
// An order is text, one line for each run; a run is consecutive bytes of one stream:
//
//	STREAM OFFSET MS "\n"
//
// STREAM is 1 for stdout and 2 for stderr; OFFSET is where the run begins in the merged
// output, in decimal; MS is when it was read, in whole milliseconds since the start of
// the child. A run ends where the next begins; the last one ends with the output. A
// line is written before the bytes that it describes, so that an order cut short by a
// crash is still true.
//
// Bytes of one stream that arrive within Merge of the beginning of a run belong to it,
// which bounds an order by the duration and the changes of stream, not by the number of
// reads.
//
// It is the order of reading. The two pipes are read as data arrives, but two writes at
// the same time, one to each pipe, may be read in either order: the order of writing is
// not known.
package streams

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"time"
)

// Merge is the time within which reads of one stream make one run. It is too short to
// be noticed in a replay.
const Merge = 10 * time.Millisecond

// The streams; their numbers are the file descriptors.
const (
	Stdout = 1
	Stderr = 2
)

// Run is the beginning of a run.
type Run struct {
	Stream int   // Stdout or Stderr
	Offset int64 // in the merged output, bytes
	MS     int64 // since the start of the child, milliseconds
}

// Append adds the line of a run to text.
func (r Run) Append(text []byte) []byte {
	text = strconv.AppendInt(text, int64(r.Stream), 10)
	text = strconv.AppendInt(append(text, ' '), r.Offset, 10)
	text = strconv.AppendInt(append(text, ' '), r.MS, 10)
	return append(text, '\n')
}

// Parse reads one line, without its newline: exactly what Append writes.
func Parse(line []byte) (Run, error) {
	var r Run
	fields := bytes.Split(line, []byte{' '})
	if len(fields) == 3 {
		stream, e1 := strconv.Atoi(string(fields[0]))
		offset, e2 := strconv.ParseInt(string(fields[1]), 10, 64)
		ms, e3 := strconv.ParseInt(string(fields[2]), 10, 64)
		r = Run{stream, offset, ms}
		fits := (stream == Stdout || stream == Stderr) && offset >= 0 && ms >= 0
		if e1 == nil && e2 == nil && e3 == nil && fits && bytes.Equal(r.Append(nil), append(line[:len(line):len(line)], '\n')) {
			return r, nil
		}
	}
	return Run{}, fmt.Errorf("not a line of a stream order: %.40q", line)
}

// Builder writes an order as chunks arrive.
type Builder struct {
	last  Run
	begun bool
	since time.Duration
}

// Chunk says whether a chunk of stream, read at time at, begins a new run at offset.
func (b *Builder) Chunk(stream int, at time.Duration, offset int64) (Run, bool) {
	if b.begun && b.last.Stream == stream && at-b.since < Merge {
		return Run{}, false
	}
	b.begun, b.since = true, at
	b.last = Run{Stream: stream, Offset: offset, MS: at.Milliseconds()}
	return b.last, true
}

// Span is a run with its end.
type Span struct {
	Run
	End int64
}

// Spans reads the order of an output of size bytes. It fails on a malformed line, on
// offsets that go back or beyond size, and on bytes before the first run. It stops if
// yield returns an error.
func Spans(order io.Reader, size int64, yield func(Span) error) error {
	lines := bufio.NewScanner(order)
	var open *Span
	for lines.Scan() {
		r, err := Parse(lines.Bytes())
		if err != nil {
			return err
		}
		switch {
		case open == nil && r.Offset != 0, open != nil && r.Offset < open.Offset, r.Offset > size:
			return fmt.Errorf("stream order: a run begins at byte %d of %d, out of order", r.Offset, size)
		case open != nil:
			open.End = r.Offset
			if err := yield(*open); err != nil {
				return err
			}
		}
		open = &Span{Run: r}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading a stream order: %w", err)
	}
	if open == nil {
		if size > 0 {
			return fmt.Errorf("stream order: no run for %d bytes", size)
		}
		return nil
	}
	open.End = size
	return yield(*open)
}

// Inline is a short order on one line, with its lines separated by ";", for a record to
// hold.
func Inline(order []byte) string {
	return string(bytes.ReplaceAll(bytes.TrimSuffix(order, []byte{'\n'}), []byte{'\n'}, []byte{';'}))
}

// FromInline reverses Inline.
func FromInline(s string) []byte {
	if s == "" {
		return nil
	}
	return append(bytes.ReplaceAll([]byte(s), []byte{';'}, []byte{'\n'}), '\n')
}
