package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
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
// A runner's own lines may be without the blanks that it puts before those of the tools it runs. In it, anyNumber stands
// for a number and the blanks before it.
type margin string

// anyNumber is in the form of a margin what is another number in each line, none below that of the line before.
const anyNumber = 0

// maxTried is how many margins are tried: each reads the output once more, so that only one of at most maxLaid bytes is.
const (
	maxTried = 6
	maxLaid  = 1 << 20
)

// splitMargin reads the output without a margin of blanks if more failures are found so.
func (s *Session) splitMargin() {
	runners := slices.DeleteFunc(slices.Clone(s.claims), func(m *claim) bool { return !m.onlyRuns() })
	if n, heads := blankMargin(s.in.Source, runners); n > 0 && (heads == 0 || failures(s.parts()) == 0) {
		if forms := formsOf(s.in.Source); len(forms) == 0 || forms[0][0] != anyNumber { // the blanks are not the numbers'
			s.tryMargins(margin(strings.Repeat(" ", n)))
		}
	}
}

// splitForm reads the output without the text that stands before nearly every line, if more failures are found so.
func (s *Session) splitForm() {
	if s.stats.bytes <= maxLaid {
		s.tryMargins(slices.DeleteFunc(formsOf(s.in.Source), func(m margin) bool { return s.formed && !slices.Contains(wraps, m) })...)
	}
}

// tryMargins reads the output without each of the margins, and keeps to the one that shows the most failures. A search
// and a history show lines of files, with names or blanks before them.
func (s *Session) tryMargins(list ...margin) {
	script := s.command.IsScript() || slices.ContainsFunc(s.command.Listed, shell.Command.IsScript)
	list = slices.DeleteFunc(list, func(m margin) bool {
		return m != timeKey && s.level == 0 && s.command.Quotes() || m == texts && !script // what is fetched may quote another run
	})
	if s.level >= maxLevels || s.faults.any() || len(list) == 0 || s.stats.bytes > maxShaped {
		return
	}
	var best *tasks
	before := slices.DeleteFunc(slices.Clone(s.parts()), (*claim).onlyRuns)
	if strings.TrimSpace(string(list[0])) != "" && list[0][0] != anyNumber && list[0] != marked {
		if failures(before) > 0 {
			return
		}
		before = s.parts()
	}
	most := failures(before)
	for _, m := range list {
		ts := newTasks()
		ts.margin = m
		ts.suspect([]byte(" "))
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

// onlyRuns reports whether the claim is what a runner says itself of what it runs.
func (m *claim) onlyRuns() bool {
	return m.report != nil && m.parser.Runner && m.parser.Kind != result.Test
}

func failures(parts []*claim) (n int) {
	for _, m := range parts {
		n += max(m.report.Failures(), m.report.Claimed)
	}
	return n
}

// mostHeads is how many lines may stand before a text that is indented as a whole, as a block of YAML is.
const mostHeads = 4

// blankMargin is how many blanks all lines of an output begin with, but for the runners' own and heads at the beginning.
func blankMargin(source term.Source, runners []*claim) (n, heads int) {
	blanks := maxPrefix
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		if len(runners) > 0 && term.Odd(l.Text) {
			l.Text = term.Resolve(l.Text)
		}
		rest := bytes.TrimLeft(l.Text, " ")
		switch indent := len(l.Text) - len(rest); {
		case len(rest) == 0, coveredBy(runners, l):
		case indent == 0 && blanks == maxPrefix && heads < mostHeads:
			heads++
		default:
			blanks = min(blanks, indent)
		}
		return blanks > 0
	})
	return blanks % maxPrefix, heads
}

// run is a run of lines that begin alike.
type run struct {
	form  []byte
	lines int
	last  []int // the numbers before the last one
}

// takes shortens the run's form to what the line has of it. It reports false if nothing is left that may stand before
// a line.
func (r *run) takes(line []byte) bool {
	n, _, numbers := agrees(r.form, line, r.last)
	if n < len(r.form) && len(ends(r.form[:n])) == 0 {
		return false
	}
	r.form, r.last, r.lines = r.form[:n], numbers, r.lines+1
	return n > 0
}

// formsOf returns the margins, the longest first, that at least half of an output's lines may have: a time, and those
// of the longest run of lines that begin alike.
func formsOf(source term.Source) (all []margin) {
	var here, best run
	lines, seen, timed, size, numbers, wrapped := 0, 0, 0, 0, regexp.MustCompile(" *[0-9]+"), make([]int, len(wraps))
	term.RawLines(source, term.Both, func(l term.RawLine) bool {
		text := l.Text[:min(len(l.Text), maxPrefix)]
		if term.Odd(text) {
			text = term.Resolve(text)
		}
		if seen++; len(bytes.TrimSpace(text)) > 0 {
			if key, _ := cutTask(text); string(key) == timeKey {
				timed++
			}
			size += len(l.Text)
			for i, m := range wraps {
				switch text, ok := m.unwrap(l.Text); {
				case ok && m == texts: // in a document, most lines are its own
					wrapped[i] += len(text)
				case ok:
					wrapped[i]++
				}
			}
			if lines++; !here.takes(text) {
				here = run{form: numbers.ReplaceAllLiteral(text, []byte{anyNumber})}
				here.takes(text)
			}
			if here.lines >= best.lines {
				best = here
			}
		}
		return seen < firstLines
	})
	for i, n := range wrapped {
		if wraps[i] != texts && n*2 > lines || wraps[i] == texts && n*2 > size {
			all = append(all, wraps[i])
		}
	}
	if timed*2 > lines {
		all = append(all, timeKey)
	}
	form, _, _ := bytes.Cut(best.form, []byte("{")) // of a document
	places := ends(form)
	if lines == 1 { // the line's own text agrees with itself
		slices.Reverse(places)
	}
	for _, n := range places[:min(len(places), maxTried)] {
		if best.lines*2 >= lines {
			all = append(all, margin(form[:n]))
		}
	}
	return all
}

// ends returns where a margin may end that begins as the form does, the last place first: behind blanks or, where the
// lines begin to differ, behind a mark. The words of a sentence are no margin, and the blanks before a text no text.
func ends(form []byte) (all []int) {
	for n := len(form); n > 0; n-- {
		text := bytes.TrimRight(form[:n], " \t")
		gap := len(text) < n && (n == len(form) || form[n-1] == '\t' || form[n] != ' ' && form[n] != '\t')
		behind := n == len(form) && isMark(text) && form[n-1] != anyNumber && utf8.Valid(text)
		if behind || gap && (isMark(text) || form[0] == '\t' || form[n-1] == '\t' || bytes.IndexByte(text, anyNumber) >= 0) {
			all = append(all, n)
		}
	}
	return all
}

// isMark reports whether a text ends with something else than a letter.
func isMark(text []byte) bool { return len(text) > 0 && lex.Letter(text[len(text)-1]) == 0 }

// agrees returns how many bytes of a form a line begins with, how many of the line's they are, and the line's numbers. A
// number below that of the line before does not agree.
func agrees(form, line []byte, last []int) (f, n int, numbers []int) {
	for later := false; f < len(form); f++ {
		size := paddedLen(line[n:])
		switch i := len(numbers); {
		case form[f] != anyNumber:
			if n == len(line) || line[n] != form[f] {
				return f, n, numbers
			}
			size = 1
		case size == 0:
			return f, n, numbers
		default:
			v := lex.Atoi(string(bytes.TrimLeft(line[n:n+size], " ")))
			if !later && i < len(last) && v < last[i] {
				return f, n, numbers
			}
			later, numbers = later || i < len(last) && v > last[i], append(numbers, v)
		}
		n += size
	}
	return f, n, numbers
}

// paddedLen is the length of a number and of the blanks before it.
func paddedLen(s []byte) int {
	blanks := len(s) - len(bytes.TrimLeft(s, " "))
	if digits := countDigits(s[blanks:]); digits > 0 {
		return blanks + digits
	}
	return 0
}

// of returns the length of the margin before a line. ok is false for a line without one.
func (m margin) of(line []byte) (n int, ok bool) {
	if empty := len(bytes.TrimSpace(line)) == 0; empty {
		return len(line), true
	}
	if m == timeKey {
		key, n := cutTask(line)
		return n, string(key) == timeKey
	}
	f, n, _ := agrees([]byte(m), line, nil)
	return n, len(strings.TrimRight(string(m[f:]), " ")) == 0 && (f == len(m) || n == len(line))
}
