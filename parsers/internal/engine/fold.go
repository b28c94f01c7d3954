package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
)

// shownLine is a line as a body prints it.
type shownLine struct {
	number int64
	told   int64 // how many lines before it belong to findings
	text   string
	alarm  bool
}

// group is a run of lines that differ only in numbers, or a single line.
type group struct {
	first, last shownLine
}

func (g group) count() int64 { return g.last.number - g.first.number + 1 }

// write shows the first and the last line of a run, since a series often ends where something happened.
func (g group) write(b *strings.Builder) {
	b.WriteString(g.first.text)
	b.WriteByte('\n')
	more, last := g.rest()
	b.WriteString(more)
	if last {
		b.WriteString(g.last.text)
		b.WriteByte('\n')
	}
}

// rest returns what follows the first line: a marker if lines are left out, and whether the last line is shown.
func (g group) rest() (marker string, last bool) {
	to := g.last.number
	if g.last.text != g.first.text {
		to--
	}
	if n := to - g.first.number; n > 0 {
		marker = fmt.Sprintf("[… %d more like this, %d-%d]\n", n, g.first.number+1, to)
	}
	return marker, to < g.last.number
}

// bytes is the number of bytes that write writes.
func (g group) bytes() int {
	n := len(g.first.text) + 1
	if g.last.number == g.first.number {
		return n
	}
	marker, last := g.rest()
	if n += len(marker); last {
		n += len(g.last.text) + 1
	}
	return n
}

// foldable is how many bytes folding a run must save to be worth its marker; two lines are easier to read than a
// line and a marker.
const foldable = 40

// fold joins consecutive near-identical lines, if they are at least so many. A line with an alarm word joins only identical
// lines: two errors that differ in a number are two facts.
func fold(kept []keptLine, width, least int) []group {
	lines := make([]shownLine, len(kept))
	for i, l := range kept {
		lines[i] = l.shown(width)
	}
	var groups []group
	for start := 0; start < len(lines); {
		end, saved := runEnd(lines, start)
		if end-start < least || saved < foldable {
			end = start + 1
		}
		groups = append(groups, group{lines[start], lines[end-1]})
		start = end
	}
	return groups
}

// runEnd returns the index behind the run that begins at start, and how many bytes folding the run saves.
func runEnd(lines []shownLine, start int) (end, saved int) {
	end = start + 1
	for end < len(lines) && lines[end].number == lines[end-1].number+1 && alike(lines[start], lines[end]) {
		saved += len(lines[end].text) + 1
		end++
	}
	return end, saved
}

func alike(a, b shownLine) bool {
	if a.alarm || b.alarm {
		return a.alarm == b.alarm && a.text == b.text
	}
	return sameShape(a.text, b.text)
}

// sameShape reports whether two lines differ only in numbers. It stops at the first difference: few lines are like
// the line before.
func sameShape(a, b string) bool {
	x, y := shape{rest: a}, shape{rest: b}
	for {
		r := x.next()
		if r != y.next() {
			return false
		}
		if r < 0 {
			return true
		}
	}
}

// shape reads a line with each number, hexadecimal ones too, as one digit, runs of blanks as one blank and the bars
// of progress displays as one sign. Zero stays zero: "0 lost" and "7 lost" are not alike.
type shape struct {
	rest   string
	inWord bool // the last rune was part of a word
	last   rune // what next returned last
}

// next returns the next rune, -1 at the end.
func (s *shape) next() rune {
	for s.rest != "" {
		r := s.read()
		if (r == ' ' || r == '=') && s.last == r {
			continue
		}
		s.last = r
		return r
	}
	return -1
}

func (s *shape) read() rune {
	if c := s.rest[0]; isWordByte(c) {
		n := 0
		if !s.inWord {
			n = numberLen(s.rest)
		}
		if n == 0 {
			n = countDigits(s.rest)
		}
		s.inWord = true
		if n == 0 {
			s.rest = s.rest[1:]
			return rune(c)
		}
		r := digitFor(s.rest[:n])
		s.rest = s.rest[n:]
		return r
	}
	s.inWord = false
	r, n := utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[n:]
	switch {
	case r == '\t':
		return ' '
	case r != ' ' && isBar(r):
		return '='
	}
	return r
}

// isBar reports whether progress displays are drawn with r.
func isBar(r rune) bool { return strings.ContainsRune("=#.>-█▏▎▍▌▋▊▉━─", r) }

func isWordByte(c byte) bool { return lex.Letter(c) != 0 || c >= '0' && c <= '9' }

// numberLen is the length of the hexadecimal number that s begins with: a word of six or more hex digits, at least
// one of them decimal; 0 without one.
func numberLen(s string) int {
	n, decimal := 0, false
	for n < len(s) && isWordByte(s[n]) {
		c := s[n] | 0x20
		if c > '9' && (c < 'a' || c > 'f') {
			return 0
		}
		decimal = decimal || c <= '9'
		n++
	}
	if n < 6 || !decimal {
		return 0
	}
	return n
}

// digitFor stands for a number: 0 for zero, 1 for any other.
func digitFor(number string) rune {
	if strings.Trim(number, "0") == "" {
		return '0'
	}
	return '1'
}

// lastLines is how many last lines are chosen before all others: a command's end says why it ended.
const lastLines = 12

// choose picks the groups that fit into room bytes: first the last lines, then lines with alarm words from both
// ends, then the beginning, what follows alarms, and the rest of the end.
func choose(groups []group, room int) []bool {
	chosen := make([]bool, len(groups))
	take := func(i int, room *int) {
		if !chosen[i] {
			if n := groups[i].bytes(); n <= *room {
				chosen[i], *room = true, *room-n
			}
		}
	}
	n := len(groups)
	forTail := room / 2 // long last lines must leave room for errors
	room -= forTail
	for i := n - 1; i >= max(0, n-lastLines); i-- {
		take(i, &forTail)
	}
	room += forTail
	alarms := alarmsOf(groups)
	for _, i := range bothEnds(alarms) {
		take(i, &room)
	}
	for i := range min(n, 8) {
		take(i, &room)
	}
	for i := range groups {
		if i > 0 && groups[i-1].first.alarm {
			take(i, &room)
		}
	}
	if len(alarms) > 0 && room < left(groups, chosen) {
		room /= 3 // the errors are chosen: the rest only gives orientation
	}
	for i := n - 1; i >= 0; i-- {
		take(i, &room)
	}
	fillGaps(groups, chosen)
	return chosen
}

// left is the number of bytes that are not chosen.
func left(groups []group, chosen []bool) (n int) {
	for i, g := range groups {
		if !chosen[i] {
			n += g.bytes()
		}
	}
	return n
}

// markerSize is the typical length of the marker for a gap.
const markerSize = len("[… 12 lines, 120-131]\n")

// fillGaps chooses gaps that are no longer than the marker that would replace them.
func fillGaps(groups []group, chosen []bool) {
	for start := 0; start < len(groups); {
		end, size := start, 0
		for end < len(groups) && !chosen[end] {
			size += groups[end].bytes()
			end++
		}
		for i := start; i < end && size <= markerSize; i++ {
			chosen[i] = true
		}
		start = end + 1
	}
}

func alarmsOf(groups []group) (at []int) {
	for i, g := range groups {
		if g.first.alarm {
			at = append(at, i)
		}
	}
	return at
}

// bothEnds orders numbers so that two from the beginning are followed by one from the end: the first error is the
// likeliest cause.
func bothEnds(of []int) []int {
	out := make([]int, 0, len(of))
	for of = slices.Clone(of); len(of) > 0; {
		if len(out)%3 == 2 {
			out, of = append(out, of[len(of)-1]), of[:len(of)-1]
		} else {
			out, of = append(out, of[0]), of[1:]
		}
	}
	return out
}
