package manifest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"time"
)

// Options are what a Manifest takes from its surroundings.
type Options struct {
	// Branch is where shards are folded to and other clones' records come
	// from. Nil without git: captures then wait in the shards.
	Branch Branch
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// Warn is told of lines that could not be read and of records that could
	// not be looked for. It may be called from several goroutines, never at
	// the same time. Nil drops warnings.
	Warn func(Warning)
}

// Warning is something that a reader should know about but that did not stop
// the reading. File and Line are set when it is about a line.
type Warning struct {
	File string
	Line int
	Text string
}

func (w Warning) String() string {
	if w.File == "" {
		return w.Text
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// Manifest is the record of one repository. It is safe for use by several
// goroutines, and by any number of processes over one directory.
type Manifest struct {
	dir  string
	opts Options
}

// Open gives the manifest kept in dir, the repository's cairn directory. It
// touches nothing: what is missing is made by the first Append.
func Open(dir string, o Options) *Manifest {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(Warning) {}
	}
	return &Manifest{dir: filepath.Clean(dir), opts: o}
}

// Append writes r as one line and returns once it is on stable storage. It
// fills in V, and ID and Time where they are empty. An error means that the
// record was not written.
func (m *Manifest) Append(ctx context.Context, r *Record) error { return errNotYet }

// Query selects records. The zero Query is every record, oldest first.
type Query struct {
	Since, Until time.Time // Since <= time < Until; zero is open
	Newest       bool      // newest first
	Limit        int       // stop after so many; 0 is no limit
	// Contains are byte strings that must all occur in the line. They are
	// looked for before anything is decoded; Literal makes them.
	Contains [][]byte
}

// Records yields the records that q selects, each run id once, in order of
// time and then id. An error ends the sequence.
func (m *Manifest) Records(ctx context.Context, q Query) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) { yield(nil, errNotYet) }
}

// ErrNotFound is returned when no record matches.
var ErrNotFound = errors.New("no such record")

// AmbiguousError is returned when a prefix names more than one thing.
type AmbiguousError struct {
	Prefix     string
	Candidates []string // newest first, at most 20
	Total      int
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is the beginning of %d ids; give more of it", e.Prefix, e.Total)
}

// Find gives the record whose id is, or begins with, prefix: ErrNotFound or
// *AmbiguousError otherwise.
func (m *Manifest) Find(ctx context.Context, prefix string) (*Record, error) { return nil, errNotYet }

// FindObject gives the captures, newest first, that name the one object whose
// id begins with prefix ("sha256:" may be left out) as their raw bytes, stream
// order, artifact or full result: ErrNotFound or *AmbiguousError otherwise.
func (m *Manifest) FindObject(ctx context.Context, prefix string) ([]*Record, error) {
	return nil, errNotYet
}

// FoldOptions say how eager a fold is.
type FoldOptions struct {
	Wait bool // wait for a fold that is running instead of leaving it to that one
	Lazy bool // leave a burst pending: what a capture asks for
}

// Report says what a fold or merge did.
type Report struct {
	Commit  string // the commit made; "" when none was
	Folded  int    // lines that went into it
	Pending int    // lines that still wait in the shards
	Why     string // in plain words, why lines still wait; "" when none do
}

// Fold commits every pending line to the branch. Git refusing is not an
// error: the lines wait in the shards and the Report says why.
func (m *Manifest) Fold(ctx context.Context, o FoldOptions) (Report, error) {
	return Report{}, errNotYet
}

// Merge brings the records of the remotes' branches into the own branch as
// a merge commit, so that pushing it is a fast-forward.
func (m *Manifest) Merge(ctx context.Context) (Report, error) { return Report{}, errNotYet }

var errNotYet = errors.New("manifest: not built yet")
