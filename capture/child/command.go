package child

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// Defaults of the durations in Command.
const (
	// DefaultGrace is long enough for a test runner's teardown, and short enough for a
	// caller whose own timeout is a few seconds later.
	DefaultGrace = 5 * time.Second
	// DefaultDrain is many times the pause between two writes of a program, and too short to be felt.
	DefaultDrain = 200 * time.Millisecond
	// drainLimit is how many times Drain a descendant that keeps printing is read in all.
	drainLimit = 10
)

// Command is what to run. The zero value of every field but Argv and Shell is useful.
type Command struct {
	// Argv is the command and its arguments, exactly as the child sees them. A name without
	// a slash is searched in PATH of Env; a relative path is relative to Dir.
	Argv []string
	// Shell is a command line for "/bin/sh -c" ("cmd /C" on Windows), instead of Argv.
	Shell string
	// ShellProgram is the shell that runs Shell instead of /bin/sh; a name without a
	// slash is searched in PATH of Env. Windows ignores it.
	ShellProgram string
	// Dir is where the child starts; "" means the current directory. The caller sets PWD in Env.
	Dir string
	// Env is the child's environment, "KEY=value"; of two values for one key the last
	// counts. nil means this process's environment, an empty list an empty one.
	Env []string
	// Stdin is the child's standard input; it is passed on and never read, except for a terminal under TTY.
	// nil means the null device.
	Stdin *os.File
	// TTY gives the child a pseudo-terminal as its output, and as its input if Stdin is
	// a terminal. All output then is Stdout, and the terminal's line ends ("\r\n")
	// stay. While the child runs, our own terminal is in raw mode.
	TTY bool
	// Asks is called once, from another goroutine, when the child begins to read from its terminal:
	// when it changes the terminal's modes, as editors, menus and password questions do, or when
	// something is typed. A question that is read line by line is not noticed. May be nil.
	Asks func() `json:"-"`
	// Signals are the signals that Listen has taken over. If it is nil, Start calls Listen.
	Signals *Signals
	// Timeout ends the whole group: SIGTERM, and after Grace SIGKILL. 0 means no limit.
	Timeout time.Duration
	// Grace is the time from SIGTERM to SIGKILL; 0 means DefaultGrace.
	Grace time.Duration
	// Drain bounds the wait for descendants that keep a pipe open after the child has ended: it ends
	// after this long without output, and after ten times this long in any case. 0 means DefaultDrain.
	Drain time.Duration
	// Left, if set, is called at the end for each output that descendants still hold
	// open, unless we ended the run: the callee owns the file and can read from it what
	// they print. Without Left they can print no more. It is nil on Windows.
	Left func(Stream, *os.File) `json:"-"`
}

// Stream says which of its outputs the child wrote to.
type Stream uint8

// The two streams. Their numbers are the child's descriptors.
const (
	Stdout Stream = 1
	Stderr Stream = 2
)

// String returns "stdout" or "stderr".
func (s Stream) String() string {
	if s == Stderr {
		return "stderr"
	}
	return "stdout"
}

// Sink receives the child's output, in the order in which it was read.
type Sink interface {
	// Chunk gets bytes of one stream; at is the time since the start. Calls never
	// overlap. p is valid only during the call. After an error Chunk is not called
	// again, but reading goes on, so that the child does not notice.
	Chunk(s Stream, at time.Duration, p []byte) error
}

// Roomy is a Sink with its own buffer to read into, so that it need not copy the bytes:
// Chunk then gets the beginning of what Room returned.
type Roomy interface {
	Sink
	// Room returns a buffer, which is never empty. It is called before each read, and
	// the reader may use the buffer until Chunk or Room is called again.
	Room() []byte
}

// Start starts the command and watches it from then on: signals, the timeout and ctx
// take effect at once. Its output stays in the pipes until Wait is called. The end of
// ctx ends the child's group as a timeout does. The error is a *StartError.
func Start(ctx context.Context, cmd Command) (*Process, error) {
	cmd = cmd.withDefaults()
	if cmd.Signals == nil {
		cmd.Signals = Listen()
	}
	p, err := start(ctx, cmd)
	if err != nil {
		cmd.Signals.Stop()
	}
	return p, err
}

func (c Command) withDefaults() Command {
	if c.Env == nil {
		c.Env = os.Environ() // the child's environment, with its PATH
	}
	c.Env = lastOfEachKey(c.Env)
	if c.Grace <= 0 {
		c.Grace = DefaultGrace
	}
	if c.Drain <= 0 {
		c.Drain = DefaultDrain
	}
	return c
}

// check finds commands that no operating system accepts, so that the error is ours.
func (c Command) check() error {
	switch {
	case c.Shell == "" && len(c.Argv) == 0:
		return ownTrouble("run a command", "", errNoCommand)
	case c.Shell != "" && len(c.Argv) > 0:
		return ownTrouble("run a command", c.Argv[0], errTwoCommands)
	case strings.Contains(c.Shell, "\x00"):
		return ownTrouble("run the command line", "", errNUL)
	case strings.Contains(c.Dir, "\x00"):
		return ownTrouble("start in directory", c.Dir, errNUL)
	}
	for _, arg := range c.Argv {
		if strings.Contains(arg, "\x00") {
			return ownTrouble("run with argument", arg, errNUL)
		}
	}
	for _, kv := range c.Env {
		if strings.Contains(kv, "\x00") {
			return ownTrouble("run with environment variable", kv, errNUL)
		}
	}
	return nil
}

// lastOfEachKey drops all but the last value of each key, so that the child and we use the same PATH.
func lastOfEachKey(env []string) []string {
	last := make(map[string]int, len(env))
	for i, kv := range env {
		last[envKey(kv)] = i
	}
	out := make([]string, 0, len(last))
	for i, kv := range env {
		if last[envKey(kv)] == i {
			out = append(out, kv)
		}
	}
	return out
}

// envKey is the part before "="; an entry without "=" is its own key. Windows has keys
// that begin with "=", for drives, so the search begins at the second byte.
func envKey(kv string) string {
	if len(kv) > 0 {
		if i := strings.IndexByte(kv[1:], '='); i >= 0 {
			return kv[:i+1]
		}
	}
	return kv
}

const (
	// bufferSize is the most bytes that one read takes, unless the sink has its own buffer. It is also what a pipe
	// holds by default.
	bufferSize = 64 << 10
	// wideSize is what a pipe is made to hold, if the system can, after widenAfter bytes have come through it. A
	// gigabyte that is hashed and parsed at the same time takes a tenth less time with it, and 1 MiB gains no more.
	// Pipes start small, since most outputs are short and the system limits the bytes in all pipes of a user.
	wideSize   = 256 << 10
	widenAfter = 1 << 20
)

// collector hands what the readers read to the sink, one chunk at a time.
//
// A reader takes the turn, reads, delivers, and gives the turn back, so that chunks are delivered in
// the order of reading and one buffer is enough. The turn is a channel because a channel serves its
// waiters in the order in which they came; with a mutex a busy stream could overtake a waiting one.
type collector struct {
	turn    chan struct{}
	room    func() []byte // returns the buffer to read into
	sink    Sink
	sinkErr error
	started time.Time

	busy atomic.Bool  // a chunk is being delivered, so the child cannot be called silent
	last atomic.Int64 // when the last delivery ended, in nanoseconds after started
}

func newCollector(sink Sink, started time.Time) *collector {
	c := &collector{turn: make(chan struct{}, 1), sink: sink, started: started}
	if roomy, ok := sink.(Roomy); ok {
		c.room = roomy.Room
	} else {
		buf := make([]byte, bufferSize)
		c.room = func() []byte { return buf }
	}
	return c
}

func (c *collector) take() { c.turn <- struct{}{} }
func (c *collector) give() { <-c.turn }

// deliver passes bytes of a stream to the sink. The caller holds the turn.
func (c *collector) deliver(s Stream, p []byte) {
	at := time.Since(c.started)
	if c.sink != nil && c.sinkErr == nil {
		c.busy.Store(true)
		c.sinkErr = c.sink.Chunk(s, at, p)
		at = time.Since(c.started)
		c.busy.Store(false)
	}
	c.last.Store(int64(at))
}

// silence is how long no output has come; 0 during a delivery.
func (c *collector) silence() time.Duration {
	if c.busy.Load() {
		return 0
	}
	return time.Since(c.started) - time.Duration(c.last.Load())
}
