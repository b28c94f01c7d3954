package tool

import (
	"io"
	"iter"
	"sync"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/result"
)

// Input is everything that a parser sees.
type Input struct {
	Tool      string   // the tool, if the caller knows it whatever argv says
	Argv      []string // as run; Command returns it without wrappers
	Shell     string   // the command line, when one was given instead of argv
	Workspace result.Workspace
	Source    Source
	Artifacts []Artifact
	Truncated bool // bytes are missing at the end, as with "| head"
	Headless  bool // bytes may be missing at the beginning, as with "| tail"

	// Redact, when set, is applied to every text of the result before its fingerprints are made, so that no
	// fingerprint depends on a secret. See result.SealRedacted.
	Redact func(string) string

	// As is a parser that the project declares for the output of this command. It is tried beside all others,
	// whatever the command line says: text that it does not read is reported as text, and it takes nothing from
	// another parser.
	As *Parser

	Limits Limits

	Moved bool // Workspace.Dir is already where the command line runs its tool

	dialects func() map[string]*Dialect
	tools    shell.Tools
	echoed   []string
	made     *memory
}

// Limits bound how much of an output is kept and read. Values other than zero serve to show a recorded run with
// very many findings.
type Limits struct {
	Findings int  // how many findings are kept; 0: MaxFindings
	Whole    bool // read in full what otherwise would only be counted
}

// memory holds values computed from an output that several formats need: see Once.
type memory struct {
	mu   sync.Mutex
	made map[string]func() any
}

// Opened returns the input for a new pass over it. dialects returns the JUnit dialects by tool; tools recognises
// commands that have a parser.
func (in Input) Opened(dialects func() map[string]*Dialect, tools shell.Tools) Input {
	in.dialects, in.tools, in.made = dialects, tools, &memory{made: map[string]func() any{}}
	in.Shell = shell.AtTop(in.Shell, in.Workspace.Root)
	return in
}

// WithEcho returns the input with the command that make or just printed before running it.
func (in Input) WithEcho(argv []string) Input {
	in.echoed = argv
	return in
}

// Echoed is the command that make or just printed before running it; nil without one.
func (in *Input) Echoed() []string { return in.echoed }

// Dialects returns the JUnit dialects, by tool.
func (in *Input) Dialects() map[string]*Dialect {
	if in.dialects == nil {
		return nil
	}
	return in.dialects()
}

// Once returns the value called key, and computes it with make if no other format has done so for the same output
// and directory. It is safe for several goroutines; the value must not be changed afterwards.
func (in *Input) Once(key string, make func() any) any {
	if in.made == nil {
		return make()
	}
	key += " " + in.Workspace.Dir
	in.made.mu.Lock()
	f := in.made.made[key]
	if f == nil {
		f = sync.OnceValue(make)
		in.made.made[key] = f
	}
	in.made.mu.Unlock()
	return f()
}

// Lines yields the lines of both streams in read order, with terminal escapes and carriage returns resolved. A line
// holds bytes of one stream only.
func (in *Input) Lines() iter.Seq[Line] { return term.Lines(in.Source, term.Both) }

// LentLines is Lines for a reader that keeps little: each Text is valid until the next line, so a reader has to
// clone what it keeps.
func (in *Input) LentLines() iter.Seq[Line] { return term.LentLines(in.Source, term.Both) }

// LentLinesOf is LentLines for one stream only.
func (in *Input) LentLinesOf(s Stream) iter.Seq[Line] { return term.LentLines(in.Source, s) }

// LentLinesApart is LentLines of stdout, and then of stderr. If stderr is empty, the output is read only once.
func (in *Input) LentLinesApart() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		first := heard{Source: in.Source}
		for l := range term.LentLines(&first, Stdout) {
			if !yield(l) {
				return
			}
		}
		if !first.stderr {
			return
		}
		for l := range term.LentLines(in.Source, Stderr) {
			if !yield(l) {
				return
			}
		}
	}
}

// heard is a source that notes whether it held any bytes of stderr.
type heard struct {
	Source
	stderr bool
}

func (h *heard) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for c := range h.Source.Chunks() {
			h.stderr = h.stderr || c.Stream == Stderr
			if !yield(c) {
				return
			}
		}
	}
}

// LinesOf is Lines for one stream only.
func (in *Input) LinesOf(s Stream) iter.Seq[Line] { return term.Lines(in.Source, s) }

// Reader returns the unchanged bytes of one stream, for formats that are one document (JSON, XML).
func (in *Input) Reader(s Stream) io.Reader {
	next, stop := iter.Pull(in.Source.Chunks())
	return &streamReader{stream: s, next: next, stop: stop}
}

type streamReader struct {
	stream Stream
	next   func() (Chunk, bool)
	stop   func()
	rest   []byte
}

func (r *streamReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		c, ok := r.next()
		if !ok {
			r.stop()
			return 0, io.EOF
		}
		if c.Stream == r.stream {
			r.rest = c.Data
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

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
