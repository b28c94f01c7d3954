package parsers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of the reduced text. Seven of ten failing runs of the recorded
// corpus are shorter than maxBody as they are; what is longer is read by its
// beginning, its end and its errors.
const (
	maxBody      = 6 << 10 // bytes, on a failing exit
	maxBodyOK    = 2 << 10 // bytes, on success
	keptHead     = 200     // lines looked at from the beginning
	keptTail     = 400     // lines looked at from the end
	firstAlarms  = 64      // alarming lines kept from the beginning …
	lastAlarms   = 64      // … and up to the end
	alarmContext = 2       // lines kept after an alarming one
	maxShown     = 400     // bytes of one line that are shown
)

// reducer keeps, in bounded memory, what a reader needs of text that no parser
// accounts for: the beginning, the end, and every line that says something
// went wrong. Near-identical lines are folded with their count; what is left
// out is marked with exact line numbers.
type reducer struct {
	total   int64 // lines so far, skipped ones too: line numbers are the output's
	seen    int64
	alarms  int64
	head    []keptLine
	tail    ring
	early   []keptLine // first alarming lines and their context
	late    ring       // last ones
	context int        // lines still to keep after an alarm
}

// keptLine is a line with its number, counted from 1.
type keptLine struct {
	number int64
	text   string
	alarm  bool
}

// ring keeps the last n lines in buffers it reuses.
type ring struct {
	slots []ringSlot
	size  int
	next  int
}

type ringSlot struct {
	number int64
	cut    lineCut
	text   []byte
	alarm  bool
}

func newReducer() *reducer {
	return &reducer{tail: ring{size: keptTail}, late: ring{size: lastAlarms * (1 + alarmContext)}}
}

// skip passes over a line that is told elsewhere.
func (r *reducer) skip() { r.total++ }

// see takes the next line, as an eye has looked at it.
func (r *reducer) see(l *rawLine) {
	r.total++
	r.seen++
	if l.alarm >= 0 {
		r.alarms++
		r.context = 1 + alarmContext
	}
	if r.context > 0 {
		r.context--
		if r.alarms <= firstAlarms {
			r.early = append(r.early, kept(r.total, l))
		} else {
			r.late.push(r.total, l)
		}
	}
	if r.seen <= keptHead {
		r.head = append(r.head, kept(r.total, l))
	} else {
		r.tail.push(r.total, l)
	}
}

func (r *reducer) alarming() bool { return r.alarms > 0 }

func kept(number int64, l *rawLine) keptLine {
	cut := cutLine(l.text, l.alarm)
	return keptLine{number: number, text: cut.mark(string(cut.of(l.text))), alarm: l.alarm >= 0}
}

func (r *ring) push(number int64, l *rawLine) {
	if len(r.slots) < r.size {
		r.slots = append(r.slots, ringSlot{})
	}
	slot := &r.slots[r.next]
	slot.number, slot.cut, slot.alarm = number, cutLine(l.text, l.alarm), l.alarm >= 0
	slot.text = append(slot.text[:0], slot.cut.of(l.text)...)
	r.next = (r.next + 1) % r.size
}

// lines gives the kept lines; order does not matter to the caller.
func (r *ring) lines() []keptLine {
	out := make([]keptLine, 0, len(r.slots))
	for _, s := range r.slots {
		out = append(out, keptLine{number: s.number, text: s.cut.mark(string(s.text)), alarm: s.alarm})
	}
	return out
}

// lineCut is the part of a line that is shown, in bytes.
type lineCut struct{ from, to, size int }

// cutLine shows a long line from its beginning or, where it reports an error
// further on, from shortly before that.
func cutLine(text []byte, alarm int) lineCut {
	c := lineCut{to: len(text), size: len(text)}
	if c.size <= maxShown {
		return c
	}
	if alarm > maxShown*3/4 {
		c.from = runeCut(text, alarm-maxShown/4)
	}
	c.to = runeCut(text, min(c.size, c.from+maxShown))
	return c
}

func (c lineCut) of(text []byte) []byte { return text[c.from:c.to] }

// mark says how much was cut off.
func (c lineCut) mark(s string) string {
	if c.from > 0 {
		s = fmt.Sprintf("[… %d bytes]%s", c.from, s)
	}
	if c.to < c.size {
		s = fmt.Sprintf("%s[… %d bytes]", s, c.size-c.to)
	}
	return s
}

// runeCut is the last place at or before n where a rune of text begins.
func runeCut(text []byte, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// body is the reduced text and how many bytes of the kept lines did not fit.
// Blank lines at its end are left out without a word.
func (r *reducer) body(failing bool) (text string, omitted int) {
	room := maxBodyOK
	if failing {
		room = maxBody
	}
	groups := fold(r.all())
	chosen := choose(groups, room)
	var b strings.Builder
	var done int64
	hidden := r.alarms
	for i, g := range groups {
		if !chosen[i] {
			omitted += g.bytes()
			continue
		}
		writeGap(&b, done+1, g.first.number-1)
		g.write(&b)
		done = g.last
		if g.first.alarm {
			hidden -= g.count()
		}
	}
	writeGap(&b, done+1, r.total)
	if hidden > 0 {
		fmt.Fprintf(&b, "[… %d of the lines left out report errors]\n", hidden)
	}
	return strings.TrimRight(b.String(), "\n"), omitted
}

// all gives every kept line once, by number.
func (r *reducer) all() []keptLine {
	all := slices.Concat(r.head, r.early, r.late.lines(), r.tail.lines())
	slices.SortFunc(all, func(a, b keptLine) int { return cmp.Compare(a.number, b.number) })
	return slices.CompactFunc(all, func(a, b keptLine) bool { return a.number == b.number })
}

func writeGap(b *strings.Builder, from, to int64) {
	switch {
	case from == to:
		fmt.Fprintf(b, "[… line %d]\n", from)
	case from < to:
		fmt.Fprintf(b, "[… %d lines, %d-%d]\n", to-from+1, from, to)
	}
}
