package capture

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"cairn/capture/child"
	"cairn/redact"
	"cairn/result"
)

const (
	// progressDelay is how long a command must run before the line is shown, so that it
	// does not flicker for short commands.
	progressDelay = 500 * time.Millisecond
	progressTick  = 200 * time.Millisecond
	// progressColumns is the assumed width of a terminal of unknown width.
	progressColumns = 80
	// progressLast is how many bytes of the last line are kept.
	progressLast = 1 << 10
)

// progress is one status line on a terminal: elapsed time, number of lines, last line.
// It never wraps, and it is erased at the end.
type progress struct {
	to      io.Writer
	now     func() time.Time
	columns func() int
	begun   time.Time
	quit    chan struct{}
	done    chan struct{}

	mu    sync.Mutex
	lines int64
	last  []byte // the last line that is not blank
	line  []byte // the line being printed
}

func newProgress(to io.Writer, now func() time.Time) *progress {
	p := &progress{to: to, now: now, columns: columnsOf(to), begun: now(), quit: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

// columnsOf returns a function that asks for the terminal's width each time, since a window may be resized.
func columnsOf(to io.Writer) func() int {
	return func() int {
		if f, ok := to.(*os.File); ok {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
				return w
			}
		}
		return progressColumns
	}
}

func (p *progress) run() {
	defer close(p.done)
	tick := time.NewTimer(progressDelay)
	defer tick.Stop()
	for shown := false; ; shown = true {
		select {
		case <-p.quit:
			if shown {
				io.WriteString(p.to, "\r\x1b[K")
			}
			return
		case <-tick.C:
			io.WriteString(p.to, "\r\x1b[K"+p.text())
			tick.Reset(progressTick)
		}
	}
}

// stop erases the line. p may be nil.
func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.quit)
	<-p.done
}

func (p *progress) chunk(_ child.Stream, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines += int64(bytes.Count(data, []byte{'\n'}))
	if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
		p.complete(data[:i])
		p.line, data = p.line[:0], data[i+1:]
	}
	p.extend(data)
}

// complete takes in the lines up to the last line break.
func (p *progress) complete(data []byte) {
	before := bytes.TrimRight(data, "\r\n \t")
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		p.line, before = p.line[:0], before[i+1:]
	}
	p.extend(before)
	if len(bytes.TrimSpace(p.line)) > 0 {
		p.last = append(p.last[:0], p.line...)
	}
}

func (p *progress) extend(data []byte) {
	p.line = append(p.line, data[:min(len(data), max(0, progressLast-len(p.line)))]...)
}

// text is the status line. It leaves the last column free, where some terminals wrap.
func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.last
	if len(bytes.TrimSpace(p.line)) > 0 {
		last = p.line
	}
	s := fmt.Sprintf("%s  %s  %s", p.now().Sub(p.begun).Round(time.Second), result.Count(p.lines, "line"), redact.Text(result.CleanLine(string(last)))) // others may see the screen
	return clip(strings.TrimRight(s, " "), p.columns()-1)
}

// clip cuts s so that it takes at most n columns.
func clip(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	used := runeColumns('…')
	if used > n {
		return ""
	}
	for i, r := range s {
		if used += runeColumns(r); used > n {
			return s[:i] + "…"
		}
	}
	return s
}

func columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is how many columns a character takes. A character that may be wide
// counts as wide, since a line that is too short does no harm.
func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianAmbiguous:
		return 2
	}
	return 1
}
