package manifest

import (
	"fmt"
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
	// not be looked for, on the goroutine that asked. Nil drops warnings.
	Warn func(Warning)
}

// Warning is something that a reader should know about but that did not stop
// the reading. File is set when it is about a shard, Line too when it is about
// a line.
type Warning struct {
	File string
	Line int
	Text string
	// Incomplete says that whole shards were not read: what they name is not
	// known. A line that was passed over does not count; see Query.Passed.
	Incomplete bool
}

func (w Warning) String() string {
	switch {
	case w.File == "":
		return w.Text
	case w.Line == 0:
		return w.File + ": " + w.Text
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// Manifest is the record of one repository. It is safe for use by several
// goroutines, and by any number of processes over one directory.
type Manifest struct {
	dir       string
	opts      Options
	passed    passed
	openShard func(path string, create bool) (shardFile, error)
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
	return &Manifest{dir: filepath.Clean(dir), opts: o, openShard: openShard}
}
