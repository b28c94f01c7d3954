package stage

import (
	"os"
	"sync"
	"time"
)

// Run is one command of a line that was started.
type Run struct {
	Site    *Site
	Argv    []string // as the command sees them
	Cut     bool     // Argv lacks some
	Dir     string   // where it was started; "" if this system does not say
	Tapped  bool     // Sink gets its output
	Started time.Time
	Sink    Sink

	mu    sync.Mutex
	end   End
	ended chan struct{} // closed when end is known
	tap   *tap          // nil unless Tapped
}

// End is how a command ended.
type End struct {
	Known  bool
	Code   int    // -1 if a signal ended it
	Signal string // its name
}

// End is how the command ended; it is not known of one that still runs.
func (r *Run) End() End {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// Left says whether the command, or something that it started, still ran when the line had ended.
func (r *Run) Left() bool { return !r.End().Known || r.tap != nil && r.tap.left }

// Rest are the two sides of an output that is still open when the line has ended: what is to be read, and where it goes.
// They are the caller's from then on.
func (r *Run) Rest() (from, to *os.File) {
	if r.tap == nil || !r.tap.left {
		return nil, nil
	}
	return os.NewFile(uintptr(r.tap.in), "stage"), os.NewFile(uintptr(r.tap.out), "reader")
}

// ReaderLeft says whether its reader left before the command had printed all: how the command then ended says
// nothing of what it did.
func (r *Run) ReaderLeft() bool { return r.tap != nil && r.tap.cut }

func (r *Run) hasEnded(e End) {
	r.mu.Lock()
	r.end = e
	r.mu.Unlock()
	close(r.ended)
}

// Sink takes what a command printed.
type Sink interface {
	Room() []byte // where to read to; never empty
	Chunk(at time.Duration, p []byte)
}

// Options are what a Server needs to know.
type Options struct {
	Plan    *Plan
	Program string // the path of cairn-stage
	Shell   string // the path of the shell
	// Begin hears of each command that is tapped or watched, before it runs, and
	// gives what takes its output; nil if that is not wanted. Calls do not overlap.
	Begin func(*Run) Sink
}

// maxRuns bounds how many commands of one line are kept: a loop may run for ever.
const maxRuns = 64

// patience bounds the wait for what stages have printed, once their line has ended. Tests wait longer: they may be one of
// many programs.
var patience = 200 * time.Millisecond
