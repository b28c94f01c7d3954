package shell

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"sync"
	"time"
)

// maxHeld bounds what is held in memory; what a known tool prints beyond goes
// to a temporary file.
const maxHeld = 1 << 20

// holder keeps output back until it is decided how to show it. Nothing is lost
// by that: what cannot be held is passed on at once.
type holder struct {
	mu       sync.Mutex
	out, err io.Writer
	spills   bool // hold what is large in a file, rather than pass it on
	live     bool // passed on as it comes
	tty      bool // of the host's: what is held are the bytes of a terminal of our own
	over     bool // the command has ended, and the host's terminal has its modes back
	dropped  bool

	runs  []run
	mem   bytes.Buffer
	spill *os.File // holds what came before mem; nil as a rule
	// spilled is how much of it counts.
	spilled int64

	size, lines int64
	open        bool   // the last line has no end yet
	last        []byte // the line that was begun last, cut
	end         []byte // of what came last
	at          time.Time
}

// run is a stretch of one stream.
type run struct {
	stderr bool
	size   int64
}

// stream is one of the two streams as a capture writes it.
type stream struct {
	h      *holder
	stderr bool
}

func (s stream) Write(p []byte) (int, error) {
	h := s.h
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(p)
	if h.live {
		return h.to(s.stderr).Write(p)
	}
	if n := len(h.runs); n > 0 && h.runs[n-1].stderr == s.stderr {
		h.runs[n-1].size += int64(len(p))
	} else {
		h.runs = append(h.runs, run{s.stderr, int64(len(p))})
	}
	h.mem.Write(p)
	if h.mem.Len() > maxHeld && !h.toFile() {
		h.release()
	}
	return len(p), nil
}

const (
	maxLastLine = 200
	maxEnd      = 64
)

func (h *holder) count(p []byte) {
	h.size += int64(len(p))
	h.at = time.Now()
	h.end = append(h.end, p[max(0, len(p)-maxEnd):]...)
	h.end = append(h.end[:0], h.end[max(0, len(h.end)-maxEnd):]...)
	h.lines += int64(bytes.Count(p, []byte{'\n'}))
	if len(p) > 0 {
		h.open = p[len(p)-1] != '\n'
	}
	text := bytes.TrimRight(p, "\r\n")
	if i := bytes.LastIndexAny(text, "\r\n"); i >= 0 {
		text = text[i+1:]
	}
	if len(bytes.TrimSpace(text)) > 0 {
		h.last = append(h.last[:0], text[:min(len(text), maxLastLine)]...)
	}
}

func (h *holder) to(stderr bool) io.Writer {
	switch {
	case stderr:
		return h.err
	case h.tty && h.over:
		return lineEnds{h.out}
	}
	return h.out
}

// lineEnds writes what a terminal made of line ends to another terminal, which makes the
// same of them once more.
type lineEnds struct{ to io.Writer }

func (l lineEnds) Write(p []byte) (int, error) {
	if _, err := l.to.Write(bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ended says that the command has ended.
func (h *holder) ended() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
}

// newline ends a line of our own while the command runs: a terminal is in raw mode then.
func (h *holder) newline() string {
	if h.tty {
		return "\r\n"
	}
	return "\n"
}

// quiet is how long nothing more comes after a question.
const quiet = 300 * time.Millisecond

// question is how a line ends that waits for an answer. Lines that only wait for the next
// result end otherwise: in dots, in the name of a test.
var question = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([?:]|[\[(](y/n|yes/no|y|n)(/[^\])]*)?[\])])( |\x1b\[[0-9;?]*[a-z])*$`)
})

// asks says that the command seems to have asked something and to wait.
func (h *holder) asks() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tty && !h.live && h.open && time.Since(h.at) >= quiet && question().Match(h.end)
}

// toFile moves what is in memory to a file without a name.
func (h *holder) toFile() bool {
	if !h.spills {
		return false
	}
	if h.spill == nil {
		f, err := os.CreateTemp("", "cairn-shell-")
		if err != nil {
			return false
		}
		if os.Remove(f.Name()) != nil { // Windows: it goes when it is closed
			defer os.Remove(f.Name())
		}
		h.spill = f
	}
	if _, err := h.spill.WriteAt(h.mem.Bytes(), h.spilled); err != nil {
		return false // mem still holds all of it
	}
	h.spilled += int64(h.mem.Len())
	h.mem.Reset()
	return true
}

// release prints what is held and passes on what comes from now on.
func (h *holder) release() error {
	if h.live || h.dropped {
		return nil
	}
	h.live = true
	var from io.Reader = &h.mem
	if h.spill != nil {
		from = io.MultiReader(io.NewSectionReader(h.spill, 0, h.spilled), &h.mem)
		defer h.spill.Close()
	}
	for _, r := range h.runs {
		if _, err := io.CopyN(h.to(r.stderr), from, r.size); err != nil {
			return err
		}
	}
	h.runs = nil
	return nil
}

// Release is release from outside.
func (h *holder) Release() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.release()
}

// Drop forgets what is held, and says whether nothing has been shown so far.
func (h *holder) Drop() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.live {
		return false
	}
	h.dropped = true
	if h.spill != nil {
		h.spill.Close()
	}
	return true
}

// state is how far the output has got.
func (h *holder) state() (size, lines int64, last string, live bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.size, h.lines, string(h.last), h.live
}

// lineEnd is what has to come before a line of our own.
func (h *holder) lineEnd() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open && h.live {
		return "\n"
	}
	return ""
}
