package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"cairn/capture/child"
	"cairn/capture/recovery"
	"cairn/internal/ambiguous"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// Running is a capture that another process is running.
type Running struct {
	Record *manifest.Record // as known at the start; complete after Follow has seen the end
	site   *place.Site
}

// InProgress lists the running captures of a place, newest first. Captures that were
// cut short are not included.
func InProgress(s *place.Site) ([]*Running, error) {
	ids, err := recovery.Names(s.Dir)
	var all []*Running
	for _, id := range slices.Backward(ids) {
		if rec := recovery.Begun(s.Dir, id); rec != nil {
			all = append(all, &Running{Record: rec, site: s})
		}
	}
	return all, err
}

// FindRunning finds the running capture whose run id begins with id: nil if none
// exists, an *ambiguous.Error if there are several.
func FindRunning(s *place.Site, id string) (*Running, error) {
	all, err := InProgress(s)
	all = slices.DeleteFunc(all, func(r *Running) bool { return !strings.HasPrefix(r.Record.ID, strings.ToUpper(id)) })
	switch {
	case len(all) == 0:
		return nil, err
	case len(all) == 1:
		return all[0], err
	}
	ids := make([]string, len(all))
	for i, r := range all {
		ids[i] = r.Record.ID
	}
	return nil, ambiguous.New(id, ids)
}

// Size is how many bytes the capture has printed so far.
func (r *Running) Size() int64 {
	n, err := r.site.Objects.SpoolSize(r.Record.ID)
	if err != nil {
		return 0
	}
	return n
}

// followPause is how long Follow waits before it looks for more output.
const followPause = 50 * time.Millisecond

// Follow writes what the capture has printed and will print until it ends, both streams
// in the order in which they are read. If ctx ends, it returns without an error.
func (r *Running) Follow(ctx context.Context, w io.Writer) error {
	tick := time.NewTicker(followPause)
	defer tick.Stop()
	for at := int64(0); ; {
		goesOn := recovery.GoesOn(r.site.Dir, r.Record.ID) // called first: output before the end is read below
		n, err := r.copyFrom(w, at)
		if at += n; err != nil {
			return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
		}
		if !goesOn {
			return r.rest(ctx, w, at)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// copyFrom writes what the spool holds from offset at on. It opens the spool each time
// and closes it again: some systems cannot rename an open file, and a reader must not
// hold up the capture.
func (r *Running) copyFrom(w io.Writer, at int64) (int64, error) {
	for _, name := range []string{r.site.Objects.SpoolPath(r.Record.ID), recovery.SecondName(r.site.Dir, r.Record.ID)} {
		f, err := os.Open(name)
		if err != nil {
			continue // nothing is printed yet, or the spool has become an object
		}
		defer f.Close()
		all, err := objects.SpoolBytes(f)
		if err != nil || all.Size() <= at {
			return 0, err
		}
		return io.Copy(w, io.NewSectionReader(all, at, all.Size()-at))
	}
	return 0, nil
}

// ErrCutShort says that the process that ran a capture ended before the capture was
// recorded. The next question records what is left.
var ErrCutShort = errors.New("the capture was cut short")

// rest writes the output from offset at on, after the spool has become an object.
func (r *Running) rest(ctx context.Context, w io.Writer, at int64) error {
	err := r.recorded(ctx)
	if err != nil || r.Record.Raw == nil || r.Record.Raw.Size <= at {
		return err
	}
	id, err := objects.ParseID(r.Record.Raw.OID)
	if err != nil {
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	obj, err := r.site.Objects.OpenObject(id)
	if err != nil {
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	defer obj.Close()
	_, err = io.Copy(w, io.NewSectionReader(obj, at, obj.Size()-at))
	return err
}

// recorded replaces the record by the final one.
func (r *Running) recorded(ctx context.Context) error {
	rec, err := r.site.Manifest.Find(ctx, r.Record.ID)
	switch {
	case errors.Is(err, manifest.ErrNotFound):
		return fmt.Errorf("following capture %s: %w", r.Record.ID, ErrCutShort)
	case err != nil:
		return fmt.Errorf("following capture %s: %w", r.Record.ID, err)
	}
	r.Record = rec
	return nil
}

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
