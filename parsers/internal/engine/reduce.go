package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
)

// Limits for the text that is shown. Seven of ten failing runs of the recorded corpus are shorter than maxBody; of
// longer ones the beginning, the end and the errors are shown.
const (
	maxBody      = 6 << 10       // bytes, on a failing exit
	maxBodyOK    = 2 << 10       // bytes, on success
	keptHead     = 200           // lines considered from the beginning
	keptTail     = 400           // lines considered from the end
	firstAlarms  = 64            // lines with alarm words kept from the beginning …
	lastAlarms   = 64            // … and from the end
	alarmContext = 2             // lines kept behind one with an alarm word
	shortText    = 40            // lines of a failing run that are shown as they are if none has an alarm word
	maxWide      = maxBody - 256 // bytes shown of one line if the output has few lines: leaves room for the marks
)

// reducer keeps, in bounded memory, what matters of text that no parser accounts for: the beginning, the end, and
// the lines with alarm words. Near-identical lines are folded with their count; what is left out is marked with
// exact line numbers.
type reducer struct {
	total   int64 // lines so far, skipped ones included: the output's line numbers
	told    int64 // skipped lines that belong to findings
	seen    int64
	alarms  int64
	head    []keptLine
	tail    ring
	early   []keptLine // first lines with alarm words, and their context
	late    ring       // last such lines
	context int        // how many lines are still to be kept behind an alarm
	lending bool       // texts of lines stay valid until settle
}

// keptLine is a line with its number, counted from 1.
type keptLine struct {
	number int64
	told   int64  // how many lines before it belong to findings
	text   string // at most maxWide bytes of the line; cut says which
	cut    lineCut
	alarm  int // index in text at which it reports trouble; -1: nowhere
}

// ring keeps the last size lines, in buffers that it reuses.
type ring struct {
	slots []ringSlot
	size  int
	next  int
}

type ringSlot struct {
	number int64
	told   int64
	text   []byte
	lent   bool // text points into the source until settle copies it to own
	own    []byte
	cut    lineCut
	alarm  int
}

func newReducer() *reducer {
	return &reducer{tail: ring{size: keptTail}, late: ring{size: lastAlarms * (1 + alarmContext)}}
}

// skip counts a line that is reported elsewhere.
func (r *reducer) skip() { r.total++ }

// tell counts a line that belongs to a finding: it does not count as left out.
func (r *reducer) tell() {
	r.total++
	r.told++
}

// see takes the next line, after a scan.Scanner has looked at it.
func (r *reducer) see(l *term.RawLine) { r.seeBefore(l, 0) }

// seeBefore is see for a line that at least behind more lines follow.
func (r *reducer) seeBefore(l *term.RawLine, behind int) {
	r.total++
	r.seen++
	if l.Alarm >= 0 {
		r.alarms++
		r.context = 1 + alarmContext
	}
	if r.context > 0 {
		r.context--
		if r.alarms <= firstAlarms {
			r.early = append(r.early, r.kept(l))
		} else {
			r.late.push(r, l)
		}
	}
	if r.seen <= keptHead {
		r.head = append(r.head, r.kept(l))
	} else if behind < keptTail {
		r.tail.push(r, l)
	}
}

// settle copies the texts that are lent: of very many lines, only the last ones of a chunk.
func (r *reducer) settle() {
	r.lending = false
	r.late.settle()
	r.tail.settle()
}

// passes counts the next line and returns true if nothing else has to be done with it: it has no alarm word, and so
// many lines follow (behind) that it is not among the last ones.
func (r *reducer) passes(behind int) bool {
	if r.seen < keptHead || r.context > 0 || behind < keptTail {
		return false
	}
	r.total++
	r.seen++
	return true
}

func (r *reducer) alarming() bool { return r.alarms > 0 }

// signalled reports whether a line with an alarm word says that a signal ended a command.
func (r *reducer) signalled() bool {
	return slices.ContainsFunc(r.all(), func(l keptLine) bool { return l.alarm >= 0 && scan.Signalled(l.text) })
}

func (r *reducer) kept(l *term.RawLine) keptLine {
	cut := cutRaw(l)
	return keptLine{number: r.total, told: r.told, text: string(l.Text[cut.from:cut.to]), cut: cut, alarm: l.Alarm - cut.from}
}

func (r *ring) push(of *reducer, l *term.RawLine) {
	lex.Keep(&r.slots, r.size, ringSlot{})
	slot, cut := &r.slots[r.next], cutRaw(l)
	slot.number, slot.told, slot.cut, slot.alarm = of.total, of.told, cut, l.Alarm-cut.from
	slot.text, slot.lent = l.Text[cut.from:cut.to], true
	if !of.lending {
		slot.settle()
	}
	if r.next++; r.next == r.size {
		r.next = 0
	}
}

func (s *ringSlot) settle() {
	if s.lent {
		s.own = append(s.own[:0], s.text...)
		s.text, s.lent = s.own, false
	}
}

func (r *ring) settle() {
	for i := range r.slots {
		r.slots[i].settle()
	}
}

// lines returns the kept lines in any order.
func (r *ring) lines() []keptLine {
	out := make([]keptLine, 0, len(r.slots))
	for _, s := range r.slots {
		out = append(out, keptLine{number: s.number, told: s.told, text: string(s.text), cut: s.cut, alarm: s.alarm})
	}
	return out
}

// lineCut is the part of a line that is shown, in bytes.
type lineCut struct{ from, to, size int }

// cutLine selects width bytes of a long line: from its beginning or, if an alarm stands further on, from shortly
// before the alarm.
func cutLine[T string | []byte](text T, alarm, width int) lineCut {
	c := lineCut{to: len(text), size: len(text)}
	if c.size <= width {
		return c
	}
	if alarm > width*3/4 {
		c.from = lex.RuneCut(text, alarm-width/4)
	}
	c.to = lex.RuneCut(text, min(c.size, c.from+width))
	return c
}

// cutRaw selects what is kept of a raw line; size is that of the whole line.
func cutRaw(l *term.RawLine) lineCut {
	c := cutLine(l.Text, l.Alarm, maxWide)
	c.size += int(l.Beyond)
	return c
}

// shown returns the line as a body prints it: at most width bytes, and marks that say how much was cut off.
func (l keptLine) shown(width int) shownLine {
	c := cutLine(l.text, l.alarm, width)
	text := l.text[c.from:c.to]
	if before := l.cut.from + c.from; before > 0 {
		text = fmt.Sprintf("[… %d bytes]%s", before, text)
	}
	if after := l.cut.size - l.cut.to + c.size - c.to; after > 0 {
		text = fmt.Sprintf("%s[… %d bytes]", text, after)
	}
	return shownLine{number: l.number, told: l.told, text: text, alarm: l.alarm >= 0}
}

// widths are the bytes shown of each line: the first width with which everything fits is used.
var widths = [...]int{maxWide, 4 * term.MaxShown, term.MaxShown}

// asked returns the text of lines that were asked for, as they are; ok is false if they are more than room, in bytes.
func (r *reducer) asked(room int) (text string, ok bool) {
	lines := r.all()
	for _, l := range lines {
		room -= l.cut.size + 1
		text += l.text + "\n"
	}
	return strings.Trim(text, "\n"), room >= 0 && int64(len(lines)) == r.seen
}

// body returns the reduced text and how many bytes of the kept lines did not fit. Blank lines at its end are
// dropped without a mark.
func (r *reducer) body(failing bool) (text string, omitted int) {
	room, least := maxBodyOK, 4
	if failing {
		room = maxBody
	}
	if failing && !r.alarming() && r.total <= shortText { // each of its lines may be an error
		least = shortText
	}
	lines, left := withoutStack(r.all())
	for _, width := range widths {
		groups := fold(lines, width, least)
		chosen := choose(groups, room)
		if width == term.MaxShown || !slices.Contains(chosen, false) {
			return r.write(groups, chosen, r.alarms-left)
		}
	}
	return "", 0
}

// write writes the chosen groups, and marks for the others; alarms is the number of all lines with alarm words.
func (r *reducer) write(groups []group, chosen []bool, alarms int64) (text string, omitted int) {
	var b strings.Builder
	var done, told int64
	hidden := alarms
	for i, g := range groups {
		if !chosen[i] {
			omitted += g.bytes()
			continue
		}
		writeGap(&b, done+1, g.first.number-1, g.first.told-told)
		g.write(&b)
		done, told = g.last.number, g.last.told
		if g.first.alarm {
			hidden -= g.count()
		}
	}
	writeGap(&b, done+1, r.total, r.told-told)
	if hidden > 0 {
		fmt.Fprintf(&b, "[… %d of the lines left out report errors]\n", hidden)
	}
	return strings.TrimRight(b.String(), "\n"), omitted
}

// all returns every kept line once, ordered by number.
func (r *reducer) all() []keptLine {
	all := slices.Concat(r.head, r.early, r.late.lines(), r.tail.lines())
	slices.SortFunc(all, func(a, b keptLine) int { return cmp.Compare(a.number, b.number) })
	return slices.CompactFunc(all, func(a, b keptLine) bool { return a.number == b.number })
}

// withoutStack leaves out the stack that records where an error of Rust was created, and the frames in installed
// packages, below the first frame, of the stacks that Python prints when it crashes:
//
//	Stack backtrace:
//	   0: anyhow::context::<impl anyhow::Context<T,E> for core::result::Result<T,E>>::context
//	             at /root/.cargo/registry/src/anyhow-1.0.102/src/context.rs:54:37
//
//	Current thread 0x00007fee1374c2c0 (most recent call first):
//	  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
//	  File "/home/dev/venv/lib/python3.11/site-packages/pluggy/_execution.py", line 147 in _multicall
//
// alarms is how many of the lines left out have alarm words.
func withoutStack(lines []keptLine) (rest []keptLine, alarms int64) {
	var within, below int64 // the number that the next line has if it continues a stack of Rust, or of Python
	rest = slices.DeleteFunc(lines, func(l keptLine) bool {
		leave := false
		switch {
		case isFrameOfPython(l.text):
			leave = l.number == below && strings.Contains(l.text, "site-packages")
			below = l.number + 1
		case l.text == "Stack backtrace:", l.number == within && isFrameOfRust(l.text):
			leave, within = true, l.number+1
		}
		if leave && l.alarm >= 0 {
			alarms++
		}
		return leave
	})
	return rest, alarms
}

func isFrameOfPython(line string) bool {
	at, function, ok := strings.Cut(line, " in ")
	return ok && function != "" && strings.HasPrefix(at, `  File "`) && strings.Contains(at, `", line `) && lex.IsDigits(at[len(at)-1:])
}

func isFrameOfRust(line string) bool {
	row := strings.TrimLeft(line, " ")
	number, _, ok := strings.Cut(row, ": ")
	return len(row) < len(line) && (strings.HasPrefix(row, "at ") || ok && lex.IsDigits(number))
}

// writeGap marks lines that are not shown, of which told belong to findings. If all do, the mark has no range of
// line numbers: the reader has nothing to look up.
func writeGap(b *strings.Builder, from, to, told int64) {
	n := to - from + 1
	switch {
	case n <= 0:
	case n == 1 && told == 1:
		fmt.Fprintf(b, "[… line %d, told by a finding]\n", from)
	case n == 1:
		fmt.Fprintf(b, "[… line %d]\n", from)
	case told == n:
		fmt.Fprintf(b, "[… %d lines, %d-%d, told by findings]\n", n, from, to)
	case told > 0:
		fmt.Fprintf(b, "[… %d lines, %d told by findings, %d-%d]\n", n, told, from, to)
	default:
		fmt.Fprintf(b, "[… %d lines, %d-%d]\n", n, from, to)
	}
}
