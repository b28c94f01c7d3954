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

// Limits of the reduced text. Seven of ten failing runs of the recorded
// corpus are shorter than maxBody as they are; what is longer is read by its
// beginning, its end and its errors.
const (
	maxBody      = 6 << 10       // bytes, on a failing exit
	maxBodyOK    = 2 << 10       // bytes, on success
	keptHead     = 200           // lines looked at from the beginning
	keptTail     = 400           // lines looked at from the end
	firstAlarms  = 64            // alarming lines kept from the beginning …
	lastAlarms   = 64            // … and up to the end
	alarmContext = 2             // lines kept after an alarming one
	maxWide      = maxBody - 256 // bytes of one line that are shown where the output has few lines: room for the marks
)

// reducer keeps, in bounded memory, what a reader needs of text that no parser
// accounts for: the beginning, the end, and every line that says something
// went wrong. Near-identical lines are folded with their count; what is left
// out is marked with exact line numbers.
type reducer struct {
	total   int64 // lines so far, skipped ones too: line numbers are the output's
	told    int64 // of the skipped ones, those that findings tell
	seen    int64
	alarms  int64
	head    []keptLine
	tail    ring
	early   []keptLine // first alarming lines and their context
	late    ring       // last ones
	context int        // lines still to keep after an alarm
	lending bool       // the texts of lines stay as they are until settle
}

// keptLine is a line with its number, counted from 1.
type keptLine struct {
	number int64
	told   int64  // lines before it that findings tell
	text   string // at most maxWide bytes of it, and what was cut
	cut    lineCut
	alarm  int // where in text it reports something wrong; -1: nowhere
}

// ring keeps the last n lines in buffers it reuses.
type ring struct {
	slots []ringSlot
	size  int
	next  int
}

type ringSlot struct {
	number int64
	told   int64
	text   []byte
	lent   bool // text is another's until it is copied to own
	own    []byte
	cut    lineCut
	alarm  int
}

func newReducer() *reducer {
	return &reducer{tail: ring{size: keptTail}, late: ring{size: lastAlarms * (1 + alarmContext)}}
}

// skip passes over a line that is reported elsewhere.
func (r *reducer) skip() { r.total++ }

// tell passes over a line that a finding tells: it is not among those left out.
func (r *reducer) tell() {
	r.total++
	r.told++
}

// see takes the next line, as an eye has looked at it.
func (r *reducer) see(l *term.RawLine) { r.seeBefore(l, 0) }

// seeBefore is see where at least so many lines come behind.
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

// settle copies what was lent: of a flood only the last lines of a chunk.
func (r *reducer) settle() {
	r.lending = false
	r.late.settle()
	r.tail.settle()
}

// passes counts the next line if nothing else has to be done with it, and says so: the
// line reports nothing wrong, and so many lines come behind it that it does not belong to the
// last.
func (r *reducer) passes(behind int) bool {
	if r.seen < keptHead || r.context > 0 || behind < keptTail {
		return false
	}
	r.total++
	r.seen++
	return true
}

func (r *reducer) alarming() bool { return r.alarms > 0 }

// signalled says whether an alarming line reports a signal that ended a
// command.
func (r *reducer) signalled() bool {
	return slices.ContainsFunc(r.all(), func(l keptLine) bool { return l.alarm >= 0 && scan.Signalled(l.text) })
}

func (r *reducer) kept(l *term.RawLine) keptLine {
	cut := cutRaw(l)
	return keptLine{number: r.total, told: r.told, text: string(l.Text[cut.from:cut.to]), cut: cut, alarm: l.Alarm - cut.from}
}

func (r *ring) push(of *reducer, l *term.RawLine) {
	if len(r.slots) < r.size {
		r.slots = append(r.slots, ringSlot{})
	}
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

// lines gives the kept lines; order does not matter to the caller.
func (r *ring) lines() []keptLine {
	out := make([]keptLine, 0, len(r.slots))
	for _, s := range r.slots {
		out = append(out, keptLine{number: s.number, told: s.told, text: string(s.text), cut: s.cut, alarm: s.alarm})
	}
	return out
}

// lineCut is the part of a line that is shown, in bytes.
type lineCut struct{ from, to, size int }

// cutLine shows width bytes of a long line from its beginning or, where it
// reports an error further on, from shortly before that.
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

// cutRaw is what is kept of a line, whose size counts all of it.
func cutRaw(l *term.RawLine) lineCut {
	c := cutLine(l.Text, l.Alarm, maxWide)
	c.size += int(l.Beyond)
	return c
}

// shown is the line as a body prints it, of at most width bytes and marks that
// say how much was cut off.
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

// widths are how much of a line is shown: all of it if everything fits then.
var widths = [...]int{maxWide, 4 * term.MaxShown, term.MaxShown}

// body is the reduced text and how many bytes of the kept lines did not fit.
// Blank lines at its end are left out without a word.
func (r *reducer) body(failing bool) (text string, omitted int) {
	room := maxBodyOK
	if failing {
		room = maxBody
	}
	lines, left := withoutStack(r.all())
	for _, width := range widths {
		groups := fold(lines, width)
		chosen := choose(groups, room)
		if width == term.MaxShown || !slices.Contains(chosen, false) {
			return r.write(groups, chosen, r.alarms-left)
		}
	}
	return "", 0
}

// write writes the chosen groups, and marks for the others; alarms are all lines that report errors.
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

// all gives every kept line once, by number.
func (r *reducer) all() []keptLine {
	all := slices.Concat(r.head, r.early, r.late.lines(), r.tail.lines())
	slices.SortFunc(all, func(a, b keptLine) int { return cmp.Compare(a.number, b.number) })
	return slices.CompactFunc(all, func(a, b keptLine) bool { return a.number == b.number })
}

// withoutStack leaves out the stack at which an error of Rust was made, whose places stand in the program that was run,
// and of the stacks that Python prints when it dies what lies in installed packages, below the first line:
//
//	Stack backtrace:
//	   0: anyhow::context::<impl anyhow::Context<T,E> for core::result::Result<T,E>>::context
//	             at /root/.cargo/registry/src/anyhow-1.0.102/src/context.rs:54:37
//
//	Current thread 0x00007fee1374c2c0 (most recent call first):
//	  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
//	  File "/home/dev/venv/lib/python3.11/site-packages/pluggy/_execution.py", line 147 in _multicall
//
// alarms are those of the lines left out that report an error.
func withoutStack(lines []keptLine) (rest []keptLine, alarms int64) {
	var within, below int64 // the numbers that the next line of a stack of Rust, or of Python, has
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

// writeGap marks lines that are not shown, so many of which findings tell. Where they
// tell all, no range ends the mark: nothing is left out that a reader has to look up.
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
