package capture

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"cairn/capture/child"
	"cairn/result"
)

const (
	// progressDelay: a command that is done before does not flicker.
	progressDelay = 500 * time.Millisecond
	progressTick  = 200 * time.Millisecond
	progressWidth = 78 // columns, so that it fits the narrowest usual terminal
	// progressLast bounds what is remembered of the last line.
	progressLast = 256
)

// progress is one status line on a terminal: elapsed time, lines, last line.
// Everything it writes is erased again: it leaves no trace.
type progress struct {
	to    io.Writer
	now   func() time.Time
	begun time.Time
	quit  chan struct{}
	done  chan struct{}

	mu    sync.Mutex
	lines int64
	last  []byte // the last line that is not blank
	line  []byte // the one being printed
}

func newProgress(to io.Writer, now func() time.Time) *progress {
	p := &progress{to: to, now: now, begun: now(), quit: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *progress) run() {
	defer close(p.done)
	wait, shown := progressDelay, false
	for {
		select {
		case <-p.quit:
			if shown {
				io.WriteString(p.to, "\r\x1b[K")
			}
			return
		case <-time.After(wait):
			fmt.Fprintf(p.to, "\r\x1b[K%s", p.text())
			wait, shown = progressTick, true
		}
	}
}

// stop erases the line. It may be called on nil.
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
		before := bytes.TrimRight(data[:i], "\r\n")
		p.remember(before[bytes.LastIndexByte(before, '\n')+1:])
		p.line, data = p.line[:0], data[i+1:]
	}
	p.line = append(p.line, data[:min(len(data), max(0, progressLast-len(p.line)))]...)
}

func (p *progress) remember(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		p.last = append(p.last[:0], line[:min(len(line), progressLast)]...)
	}
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := fmt.Sprintf("%s  %d lines  %s", p.now().Sub(p.begun).Round(time.Second), p.lines, result.Clean(string(p.last)))
	return clip(s, progressWidth)
}

// clip cuts at n runes, which on a terminal are at least n columns only for
// wide scripts; there the line is cut by the terminal itself.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}
