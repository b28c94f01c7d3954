package parsers

import (
	"io"
	"iter"
	"sync"

	"cairn/result"
)

// Stream says which of the child's two outputs bytes came from.
type Stream uint8

const (
	Stdout Stream = 1
	Stderr Stream = 2
)

func (s Stream) String() string {
	if s == Stderr {
		return "stderr"
	}
	return "stdout"
}

// Chunk is a run of bytes of one stream. Data is valid until the next chunk.
type Chunk struct {
	Stream Stream
	Offset int64 // of Data[0] in the merged output
	Data   []byte
}

// Source replays an output from its first byte, in read order, as often as it
// is asked and from several goroutines at once. A source of a run that is
// still going on blocks until more comes.
type Source interface {
	Chunks() iter.Seq[Chunk]
}

// Artifact is a file that the run wrote.
type Artifact struct {
	Path  string // to be shown; from the top of the workspace
	Role  Role   // "" is RoleReport
	Named bool   // by the command line, or by whoever hands it over
	Data  io.ReaderAt
	Size  int64
}

// Input is all that a parser sees.
type Input struct {
	Tool      string   // the tool, where the caller knows; argv then need not say
	Argv      []string // as run; see Command for the one without wrappers
	Shell     string   // the command line, when one was given instead of argv
	Workspace result.Workspace
	Source    Source
	Artifacts []Artifact
	Truncated bool // bytes are missing at the end

	// Redact, when set, is applied to every text of the result before its
	// fingerprints are made, so that no identity depends on a secret.
	Redact func(string) string

	echoed []string // the command that make or just says to have run, where it printed that
	moved  bool     // Workspace.Dir is where the command line runs its tool already
	shared *shared  // by the formats that read this output
}

// shared is what several formats make of one output and need to make but once.
type shared struct {
	mu   sync.Mutex
	made map[string]func() any
}

// once makes what is called key, or gives what another format has made of the
// same output read from the same directory. It may be asked from several
// goroutines: what is made must not be changed afterwards.
func (in *Input) once(key string, make func() any) any {
	if in.shared == nil {
		return make()
	}
	key += " " + in.Workspace.Dir
	in.shared.mu.Lock()
	f := in.shared.made[key]
	if f == nil {
		f = sync.OnceValue(make)
		in.shared.made[key] = f
	}
	in.shared.mu.Unlock()
	return f()
}

// Lines reads the output line by line, both streams in read order, with
// terminal escapes and carriage returns resolved. A line of one stream is
// never mixed with the other's.
func (in *Input) Lines() iter.Seq[Line] { return lines(in.Source, bothStreams) }

// lentLines is Lines for a reader that keeps little of it: a Text is valid until
// the next line, and what is kept of it has to be cloned.
func (in *Input) lentLines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		rawLines(in.Source, bothStreams, func(l rawLine) bool { return yield(l.lent()) })
	}
}

// LinesOf reads the lines of one stream only.
func (in *Input) LinesOf(s Stream) iter.Seq[Line] { return lines(in.Source, s) }

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

// Bytes is the Source of an output that is at hand as a whole.
type Bytes []Chunk

// Separate is the output of a run whose read order was not kept: all of
// stdout, then all of stderr.
func Separate(stdout, stderr []byte) Bytes {
	return Bytes{
		{Stream: Stdout, Data: stdout},
		{Stream: Stderr, Offset: int64(len(stdout)), Data: stderr},
	}
}

// Chunks yields the chunks that hold something.
func (b Bytes) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for _, c := range b {
			if len(c.Data) > 0 && !yield(c) {
				return
			}
		}
	}
}
