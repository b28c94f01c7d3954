package parsers

import (
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
	total   int64
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
	text   []byte
	cut    int
	alarm  bool
}

func newReducer() *reducer {
	return &reducer{tail: ring{size: keptTail}, late: ring{size: lastAlarms * (1 + alarmContext)}}
}

// see takes the next line, escapes resolved; alarm says that it reports
// something wrong.
func (r *reducer) see(text []byte, alarm bool) {
	r.total++
	if alarm {
		r.alarms++
		r.context = 1 + alarmContext
	}
	if r.context > 0 {
		r.context--
		if r.alarms <= firstAlarms {
			r.early = append(r.early, kept(r.total, text, alarm))
		} else {
			r.late.push(r.total, text, alarm)
		}
	}
	if r.total <= keptHead {
		r.head = append(r.head, kept(r.total, text, alarm))
	} else {
		r.tail.push(r.total, text, alarm)
	}
}

func (r *reducer) alarming() bool { return r.alarms > 0 }

func kept(number int64, text []byte, alarm bool) keptLine {
	short := shorten(text)
	return keptLine{number: number, text: withOmission(string(short), len(text)-len(short)), alarm: alarm}
}

// shorten cuts a line at maxShown bytes, between runes.
func shorten(text []byte) []byte {
	if len(text) <= maxShown {
		return text
	}
	n := maxShown
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func withOmission(s string, omitted int) string {
	if omitted == 0 {
		return s
	}
	return fmt.Sprintf("%s[… %d bytes]", s, omitted)
}

func (r *ring) push(number int64, text []byte, alarm bool) {
	if len(r.slots) < r.size {
		r.slots = append(r.slots, ringSlot{})
	}
	slot := &r.slots[r.next]
	short := shorten(text)
	slot.number, slot.cut, slot.alarm = number, len(text)-len(short), alarm
	slot.text = append(slot.text[:0], short...)
	r.next = (r.next + 1) % r.size
}

// lines gives the kept lines; order does not matter to the caller.
func (r *ring) lines() []keptLine {
	out := make([]keptLine, 0, len(r.slots))
	for _, s := range r.slots {
		out = append(out, keptLine{number: s.number, text: withOmission(string(s.text), s.cut), alarm: s.alarm})
	}
	return out
}

// body is the reduced text and how many bytes of the kept lines did not fit.
func (r *reducer) body(failing bool) (text string, omitted int) {
	room := maxBodyOK
	if failing {
		room = maxBody
	}
	groups := fold(r.all())
	chosen := choose(groups, room)
	var b strings.Builder
	var done int64
	for i, g := range groups {
		if !chosen[i] {
			continue
		}
		writeGap(&b, done+1, g.first.number-1)
		g.write(&b)
		done = g.last
	}
	writeGap(&b, done+1, r.total)
	if hidden := r.alarms - shownAlarms(groups, chosen); hidden > 0 {
		fmt.Fprintf(&b, "[… %d of the lines left out report errors]\n", hidden)
	}
	for i, g := range groups {
		if !chosen[i] {
			omitted += g.bytes()
		}
	}
	return strings.TrimRight(b.String(), "\n"), omitted
}

func shownAlarms(groups []group, chosen []bool) (n int64) {
	for i, g := range groups {
		if chosen[i] && g.first.alarm {
			n += g.count()
		}
	}
	return n
}

// all gives every kept line once, by number.
func (r *reducer) all() []keptLine {
	all := slices.Concat(r.head, r.early, r.late.lines(), r.tail.lines())
	slices.SortFunc(all, func(a, b keptLine) int { return int(a.number - b.number) })
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
