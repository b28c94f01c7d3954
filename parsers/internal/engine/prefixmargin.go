package engine

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/result"
)

// margin is the text before every line of an output that a script or a filter has laid out anew:
//
//	pytest -q 2>&1 | sed 's/^/    /'
//	pytest -q 2>&1 | cat -n
//	pytest -q 2>&1 | awk '{ print "pytest> " $0 }'
//	pytest -q 2>&1 | ts %.s
//
// A runner's own lines may be without the blanks that it puts before those of the tools it runs.
type margin struct {
	blanks int
	form   string // if it is not blank: the text, in which anyNumber stands for a number and the blanks before it
}

// anyNumber is in the form of a margin what is another number in each line, none below that of the line before.
const anyNumber = 0

// maxTried is how many margins are tried.
const maxTried = 3

// splitMargin reads the output without a margin of blanks if more failures are found so.
func (s *Session) splitMargin() {
	runs := func(m *claim) bool { return m.report != nil && m.parser.Runner && m.parser.Kind != result.Test }
	runners := slices.DeleteFunc(slices.Clone(s.claims), func(m *claim) bool { return !runs(m) })
	n := blankMargin(s.in.Source, runners)
	if n == 0 {
		return
	}
	if forms := formsOf(s.in.Source); len(forms) > 0 && forms[0].form[0] == anyNumber { // the blanks are the numbers'
		return
	}
	s.tryMargins(margin{blanks: n})
}

// splitForm reads the output without the text that stands before nearly every line, if more failures are found so. A
// search and a history show lines of files, whose names stand before them.
func (s *Session) splitForm() {
	if s.formed {
		return
	}
	forms := formsOf(s.in.Source)
	if s.level == 0 && s.command.Quotes() {
		forms = slices.DeleteFunc(forms, func(m margin) bool { return m.form != timeKey })
	}
	s.tryMargins(forms...)
}

// tryMargins reads the output without each of the margins, and keeps to the one that shows the most failures.
func (s *Session) tryMargins(list ...margin) {
	if s.level >= maxLevels || s.faults.any() || len(list) == 0 {
		return
	}
	var best *tasks
	others := slices.DeleteFunc(slices.Clone(s.parts()), func(m *claim) bool { return m.report != nil && m.parser.Runner && m.parser.Kind != result.Test })
	before := others
	if list[0].form != "" {
		if before = s.parts(); slices.ContainsFunc(others, func(m *claim) bool { return m.report.Failures() > 0 || m.report.Claimed > 0 }) {
			return
		}
	}
	most := failures(before)
	for _, m := range list {
		ts := newTasks()
		ts.margin = m
		ts.suspect(" ")
		within := s.taskSession(ts, ts.list[0]).parts()
		if n := failures(within); n > most || n == most && len(before) == 0 && len(within) > 0 && best == nil {
			best, most = ts, n
		}
	}
	if best == nil {
		return
	}
	muted := s.muted
	s.tasks, s.rest = best, s.sub(best, nil)
	s.joined, s.muted, s.decided = s.withoutRunners(s.locate((*Session).parts)), muted, true
}

func failures(parts []*claim) (n int) {
	for _, m := range parts {
		n += max(m.report.Failures(), m.report.Claimed)
	}
	return n
}

// blankMargin is how many blanks all lines of an output begin with, but for the runners' own.
func blankMargin(source term.Source, runners []*claim) int {
	blanks := maxPrefix
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		if len(runners) > 0 && term.Odd(l.Text) {
			l.Text = term.Resolve(l.Text)
		}
		if rest := bytes.TrimLeft(l.Text, " "); len(rest) > 0 && !coveredBy(runners, l) {
			blanks = min(blanks, len(l.Text)-len(rest))
		}
		return blanks > 0
	})
	return blanks % maxPrefix
}

// run is a run of lines that begin alike.
type run struct {
	form  []byte
	lines int
	last  []float64 // the numbers before the last one
}

// formsOf returns the margins, the longest first, that at least half of an output's lines may have: those of the
// longest run of lines that begin alike.
func formsOf(source term.Source) (all []margin) {
	var here, best run
	lines, seen, timed := 0, 0, 0
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		text := l.Text[:min(len(l.Text), maxPrefix)]
		if term.Odd(text) {
			text = term.Resolve(text)
		}
		if seen++; len(bytes.TrimSpace(text)) > 0 {
			if key, _ := cutTask(text); string(key) == timeKey {
				timed++
			}
			if lines++; !here.takes(text) {
				here = run{form: formOf(text)}
				here.takes(text)
			}
			if here.lines >= best.lines {
				best = here
			}
		}
		return seen < firstLines
	})
	if timed*2 > lines {
		all = append(all, margin{form: timeKey})
	}
	form, _, _ := bytes.Cut(best.form, []byte("{"))
	switch {
	case lines == 1:
		for n := 1; n < len(form) && len(all) < 2*maxTried; n++ {
			if text := bytes.TrimRight(form[:n], " "); len(text) > 0 && isGap(form[n-1]) && !isGap(form[n]) && strings.IndexByte(":>|]#\t\x00", text[len(text)-1]) >= 0 {
				all = append(all, margin{form: string(form[:n])})
			}
		}
	case best.lines*2 >= lines:
		for n := len(form); n > 0 && len(all) < maxTried; n-- {
			if isEnd(form[:n], n == len(form)) && (form[n-1] != ' ' || n == len(form) || form[n] != ' ') {
				all = append(all, margin{form: string(form[:n])})
			}
		}
	}
	return all
}

func isGap(c byte) bool { return c == ' ' || c == '\t' }

// formOf is the form that has the line alone.
func formOf(line []byte) (form []byte) {
	for len(line) > 0 {
		if n := paddedLen(line); n > 0 {
			form, line = append(form, anyNumber), line[n:]
			continue
		}
		form, line = append(form, line[0]), line[1:]
	}
	return form
}

// takes shortens the run's form to what the line has of it. It reports false if nothing is left that may stand before
// a line.
func (r *run) takes(line []byte) bool {
	n, _, numbers := agrees(r.form, line, r.last)
	if n == len(r.form) || hasEnd(r.form[:n]) {
		r.form, r.last = r.form[:n], numbers
		r.lines++
		return n > 0
	}
	return false
}

// hasEnd reports whether a part of the form may stand before a line.
func hasEnd(form []byte) bool {
	for n := len(form); n > 0; n-- {
		if isEnd(form[:n], true) {
			return true
		}
	}
	return false
}

// isEnd reports whether a text may end where the form does: behind a blank or, where the lines begin to differ, a mark. The
// words of a sentence are no margin.
func isEnd(form []byte, differs bool) bool {
	c, text := form[len(form)-1], bytes.TrimSpace(form)
	if len(text) == 0 || lex.Letter(text[len(text)-1]) != 0 && bytes.IndexByte(form, anyNumber) < 0 {
		return form[0] == '\t'
	}
	return isGap(c) || differs && c != anyNumber && lex.Letter(c) == 0 && utf8.Valid(form)
}

// agrees returns how many bytes of a form a line begins with, and of how many of the line's they are the form. A number
// below that of the line before does not agree.
func agrees(form, line []byte, last []float64) (f, n int, numbers []float64) {
	for later := false; f < len(form); f++ {
		if form[f] != anyNumber {
			if n == len(line) || line[n] != form[f] {
				return f, n, numbers
			}
			n++
			continue
		}
		size := paddedLen(line[n:])
		if size == 0 {
			return f, n, numbers
		}
		v, _ := strconv.ParseFloat(string(bytes.TrimLeft(line[n:n+size], " ")), 64)
		if i := len(numbers); !later && i < len(last) {
			if later = v > last[i]; v < last[i] {
				return f, n, numbers
			}
		}
		numbers, n = append(numbers, v), n+size
	}
	return f, n, numbers
}

// paddedLen is the length of a number, with its fraction and the blanks before it.
func paddedLen(s []byte) int {
	n := len(s) - len(bytes.TrimLeft(s, " "))
	digits := countDigits(s[n:])
	if digits == 0 {
		return 0
	}
	if n += digits; n+1 < len(s) && s[n] == '.' {
		if fraction := countDigits(s[n+1:]); fraction > 0 {
			n += 1 + fraction
		}
	}
	return n
}

// of returns the length of the margin before a line. ok is false for a line without one.
func (m margin) of(line []byte) (n int, ok bool) {
	switch m.form {
	case timeKey:
		key, n := cutTask(line)
		return n, string(key) == timeKey
	case "":
		n = len(line) - len(bytes.TrimLeft(line, " "))
		return min(n, m.blanks), n >= m.blanks || n == len(line)
	}
	f, n, _ := agrees([]byte(m.form), line, nil)
	ok = f == len(m.form) || n == len(line) && len(bytes.TrimRight([]byte(m.form[f:]), " ")) == 0 || len(bytes.TrimSpace(line)) == 0
	if len(bytes.TrimSpace(line)) == 0 {
		n = len(line)
	}
	return n, ok
}
