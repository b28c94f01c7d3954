package tool

import (
	"io"
	"iter"
	"sync"

	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/result"
)

// Input is all that a parser sees.
type Input struct {
	Tool      string   // the tool, where the caller knows; argv then need not say
	Argv      []string // as run; see Command for the one without wrappers
	Shell     string   // the command line, when one was given instead of argv
	Workspace result.Workspace
	Source    Source
	Artifacts []Artifact
	Truncated bool // bytes are missing at the end, as behind "| head"
	Headless  bool // bytes may be missing at the beginning, as behind "| tail"

	// Redact, when set, is applied to every text of the result before its
	// fingerprints are made, so that no identity tells a secret. See
	// result.SealRedacted.
	Redact func(string) string

	// As is a parser that the project says reads the output of this command. It
	// is tried whatever the command line says, beside all others: what it does
	// not read is reported as text, and it takes nothing from another parser.
	As *Parser

	Limits Limits

	Moved bool // Workspace.Dir is where the command line runs its tool already

	dialects func() map[string]*Dialect
	tools    shell.Tools
	echoed   []string
	made     *memory
}

// Limits are how much of an output is kept and read. Others than the zero value show
// a recorded run as a flood.
type Limits struct {
	Findings int  // how many are kept; 0: MaxFindings
	Whole    bool // what would only be counted is read in full
}

// memory is what several formats make of one output and need to make but once.
type memory struct {
	mu   sync.Mutex
	made map[string]func() any
}

// Opened is the input for a new pass over it, with the tools that have a parser and what they know of JUnit
// XML, by tool.
func (in Input) Opened(dialects func() map[string]*Dialect, tools shell.Tools) Input {
	in.dialects, in.tools, in.made = dialects, tools, &memory{made: map[string]func() any{}}
	in.Shell = shell.AtTop(in.Shell, in.Workspace.Root)
	return in
}

// WithEcho is the input with the command that make or just says to have run.
func (in Input) WithEcho(argv []string) Input {
	in.echoed = argv
	return in
}

// Echoed is the command that make or just says to have run, where it printed
// that.
func (in *Input) Echoed() []string { return in.echoed }

// Dialects is what the tools know of JUnit XML, by tool.
func (in *Input) Dialects() map[string]*Dialect {
	if in.dialects == nil {
		return nil
	}
	return in.dialects()
}

// Once makes what is called key, or gives what another format has made of the
// same output read from the same directory. It may be asked from several
// goroutines: what is made must not be changed afterwards.
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

// Lines reads the output line by line, both streams in read order, with
// terminal escapes and carriage returns resolved. A line of one stream is
// never mixed with the other's.
func (in *Input) Lines() iter.Seq[Line] { return term.Lines(in.Source, term.Both) }

// LentLines is Lines for a reader that keeps little of it: a Text is valid until
// the next line, and what is kept of it has to be cloned.
func (in *Input) LentLines() iter.Seq[Line] { return term.LentLines(in.Source, term.Both) }

// LentLinesOf is LentLines for one stream only.
func (in *Input) LentLinesOf(s Stream) iter.Seq[Line] { return term.LentLines(in.Source, s) }

// LentLinesApart is LentLines of stdout, and then of stderr. Where there was nothing on
// stderr, the output is gone through once.
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

// heard is a source that notes whether something of stderr was in it.
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

// LinesOf reads the lines of one stream only.
func (in *Input) LinesOf(s Stream) iter.Seq[Line] { return term.Lines(in.Source, s) }

// Reader reads the bytes of one stream as they are, for formats that are one
// document (JSON, XML).
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
