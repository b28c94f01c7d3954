package engine

import (
	"bytes"
	"slices"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/result"
)

// margin is the text before every line of an output that a script or a filter has laid out anew:
//
//	pytest -q 2>&1 | sed 's/^/    /'
//	pytest -q 2>&1 | cat -n
//	grep -n "" pytest.log
//
// A runner's own lines may be without the blanks that it puts before those of the tools it runs.
type margin struct {
	blanks int
	mark   byte // behind the lines' numbers: a tab (cat) or a colon (grep); 0 if the lines have none
}

// leastNumbered is how many lines with ascending numbers show that all lines are numbered.
const leastNumbered = 3

// splitMargin reads the output without its margin if more failures are found so.
func (s *Session) splitMargin() {
	if s.level >= maxLevels || s.faults.any() {
		return
	}
	ts := newTasks()
	runs := func(m *claim) bool { return m.report != nil && m.parser.Runner && m.parser.Kind != result.Test }
	runners := slices.DeleteFunc(slices.Clone(s.claims), func(m *claim) bool { return !runs(m) })
	if ts.margin = marginOf(s.in.Source, runners); ts.margin == (margin{}) {
		return
	}
	ts.suspect(" ")
	within := s.taskSession(ts, ts.list[0]).parts()
	before := slices.DeleteFunc(slices.Clone(s.parts()), runs)
	if more := failures(within) - failures(before); more < 0 || more == 0 && len(before) > 0 || len(within) == 0 {
		return
	}
	muted := s.muted
	s.tasks, s.rest = ts, s.sub(ts, nil)
	s.joined, s.muted, s.decided = s.withoutRunners(s.locate((*Session).parts)), muted, true
}

func failures(parts []*claim) (n int) {
	for _, m := range parts {
		n += max(m.report.Failures(), m.report.Claimed)
	}
	return n
}

// marginOf returns the margin that all lines of an output have, but for the runners' own.
func marginOf(source term.Source, runners []*claim) margin {
	blank := margin{blanks: maxPrefix}
	numbered, last, lines, texts := margin{}, 0, 0, 0
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		if len(runners) > 0 && term.Odd(l.Text) {
			l.Text = term.Resolve(l.Text)
		}
		if rest := bytes.TrimLeft(l.Text, " "); len(rest) > 0 && !coveredBy(runners, l) {
			blank.blanks, texts = min(blank.blanks, len(l.Text)-len(rest)), texts+1
		}
		number, mark := lineNumber(l.Text)
		if lines++; lines == 1 {
			numbered.mark = mark
		} else if mark != numbered.mark || number != last+1 {
			numbered.mark = 0
		}
		last = number
		return blank.blanks > 0 || numbered.mark != 0
	})
	switch {
	case numbered.mark != 0 && lines >= leastNumbered:
		return numbered
	case numbered.mark == 0 && texts > 1:
		return blank
	}
	return margin{}
}

// lineNumber reads the number before a line, and the mark behind the number.
func lineNumber(line []byte) (number int, mark byte) {
	rest := bytes.TrimLeft(line, " ")
	n := countDigits(rest)
	if n == 0 || n == len(rest) || rest[n] != '\t' && rest[n] != ':' {
		return 0, 0
	}
	return lex.Atoi(string(rest[:n])), rest[n]
}

// of returns the length of the margin before a line. ok is false for a line without one.
func (m margin) of(line []byte) (n int, ok bool) {
	n = len(line) - len(bytes.TrimLeft(line, " "))
	if m.mark == 0 {
		return min(n, m.blanks), n >= m.blanks || n == len(line)
	}
	_, mark := lineNumber(line)
	return bytes.IndexByte(line, m.mark) + 1, mark == m.mark
}
