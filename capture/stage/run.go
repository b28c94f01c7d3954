package stage

import (
	"os"
	"sync"
	"time"
)

// Run is one command of a line that was started.
type Run struct {
	Site    *Site
	Argv    []string // the words that the command gets
	Cut     bool     // Argv is incomplete
	Dir     string   // its directory; "" if this system does not show it
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
	Signal string // name of that signal
}

// End is how the command ended; Known is false while it runs.
func (r *Run) End() End {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// Left says whether the command, or a process that it started, still ran when the line had ended.
func (r *Run) Left() bool { return !r.End().Known || r.tap != nil && r.tap.left }

// Rest are the two ends of an output that is still open after the line has ended: one
// to read, and one to write to. The caller owns them from then on.
func (r *Run) Rest() (from, to *os.File) {
	if r.tap == nil || !r.tap.left {
		return nil, nil
	}
	return os.NewFile(uintptr(r.tap.in), "stage"), os.NewFile(uintptr(r.tap.out), "reader")
}

// ReaderLeft says whether its reader left before the command had printed everything:
// then how the command ended says nothing.
func (r *Run) ReaderLeft() bool { return r.tap != nil && r.tap.cut }

func (r *Run) hasEnded(e End) {
	r.mu.Lock()
	r.end = e
	r.mu.Unlock()
	close(r.ended)
}

// Sink receives the output of a command.
type Sink interface {
	Room() []byte // returns a buffer to read into, never empty
	Chunk(at time.Duration, p []byte)
}

// Options are the settings of a Server.
type Options struct {
	Plan    *Plan
	Program string // the path of cairn-stage
	Shell   string // the path of the shell
	// Begin is called with each command that is tapped or watched, before it runs, and
	// returns the sink of its output; nil if that is not wanted. Calls do not overlap.
	Begin func(*Run) Sink
}

// maxRuns is how many commands of one line are kept, since a loop may run for ever.
const maxRuns = 64

// patience bounds the wait for output of stages after their line has ended. Tests wait
// longer, since they may run beside many programs.
var patience = 200 * time.Millisecond
