package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// For most lines of a long output it is easy to see what anyones.line will do: a log line says that all is well, or
// an error is only counted. The functions here recognise these lines without allocating, in a text that is lent,
// with the same result as anyones.line.

// count is line for the time when findings are only counted: it keeps nothing of a line.
func (a *anyones) count(s *Sink, l tool.Line) (own, known bool) {
	if own, known := a.glance(s, l); known {
		return own, true
	}
	return a.line(s, l), true
}

// glance handles a line that has no meaning or is only counted; known is false for other lines.
func (a *anyones) glance(s *Sink, l tool.Line) (own, known bool) {
	text := strings.TrimRight(l.Text, " ")
	if text == "" || len(a.records.held) > 0 || beginsRecord(text) || lex.Letter(text[0]) == 0 && !lex.IsDigits(text[:1]) {
		return false, false
	}
	if !a.idle() || text[len(text)-1] == ':' || isUsage(text) {
		return false, false
	}
	if _, row := inColumns(text); row || lex.IsIdentifier(text[:max(0, strings.IndexByte(text, '='))]) {
		return false, false
	}
	if _, own := a.cutProgram(text); own {
		return false, false
	}
	switch {
	case a.table.path != "" && lex.IsDigits(text[:1]): // a row of the table below this path
	case isSentence(l.Text):
		own, known = a.glanceAtSentence(s, l, text)
	case s.counts():
		known = a.glanceAtPlace(s, l, text)
		own = known
	}
	if known {
		a.lines++
		a.yaml.pass(l)
		a.table.path = ""
	}
	return own, known
}

// passes reports whether the line certainly has no meaning.
func (a *anyones) passes(s *Sink, l tool.Line) bool {
	own, known := a.glance(s, l)
	return known && !own
}

// idle reports whether no earlier line can change the meaning of this one.
func (a *anyones) idle() bool {
	inside := a.headed || a.schema || a.quoted != 0 || a.call.usage || a.call.box || a.frame
	waits := a.wait > 0 || a.thrown.wait > 0 || a.thrown.open || a.died.wait > 0 || a.died.open
	return !inside && !waits
}

// glanceAtSentence handles a line that begins with a word or a time, not with a place.
func (a *anyones) glanceAtSentence(s *Sink, l tool.Line, text string) (own, known bool) {
	first := strings.IndexByte(text, ' ')
	if first < 0 || isPrefixedFrame(text) { // without a blank it may be the path above a table
		return false, false
	}
	bare, word, _ := cutLevel(text)
	stamped := isStamped(text)
	switch SeverityOf(word) {
	case result.SevInfo:
		return false, bare != "" && bare != text && !hasPlace(bare)
	case result.SevError:
		if !stamped || !s.counts() || bare == "" || bare[0] == '^' || hasPlace(bare) {
			return false, false
		}
		s.Tell(l, result.SevError)
		a.rememberIn(text)
		return true, true
	case "":
		placed := !stamped && hasPlace(text) || len(bare) < len(text) && hasPlace(bare) || strings.HasPrefix(text[first+1:], "line ")
		known = !placed && !alarms(text) && !lex.HasAnyPrefix(text, wouldFormat[:]...) && !isUnclosed(text[strings.LastIndexByte(text, ':')+1:])
		if known {
			a.before++
		}
	}
	return false, known
}

// glanceAtPlace counts a line such as "src/a.x:3:7: error: text".
func (a *anyones) glanceAtPlace(s *Sink, l tool.Line, text string) bool {
	at, rest, ok := place.Plain(text)
	if !ok || at.Column == 0 || rest == "" || text[len(text)-len(rest)-1] != ' ' || lex.IsDigits(text[:1]) ||
		strings.IndexByte(at.Path[strings.LastIndexByte(at.Path, '/')+1:], '.') < 0 || strings.Contains(rest, "level=") {
		return false
	}
	word, message := CutSeverity(rest)
	severity := SeverityOf(word)
	if severity != result.SevError && severity != result.SevWarning || strings.HasPrefix(message, "^ ") {
		return false
	}
	s.Tell(l, severity)
	a.remember(&at)
	return true
}

func hasPlace(text string) bool {
	if strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, '(') < 0 && strings.IndexByte(text, '[') < 0 && !strings.Contains(text, "line ") {
		return false // as most lines of a log
	}
	_, _, ok := place.Cut(cutMark(strings.TrimLeft(text, " \t")))
	return ok
}

// isStamped reports whether a line begins with a time such as "2026-11-20T12:00:05", which is no place.
func isStamped(text string) bool {
	const form = "0000-00-00T00:00:00"
	if len(text) < len(form) {
		return false
	}
	for i := range len(form) {
		switch c := text[i]; form[i] {
		case '0':
			if c < '0' || c > '9' {
				return false
			}
		case 'T':
			if c != 'T' && c != ' ' {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}
