package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// minitestRows reads what minitest prints with -v: the name before the test runs, and how long
// it took and what it came to behind it. The test may print between the two.
//
//	LedgerTest#test_adds = 0.00 s = .
//	LedgerTest#test_loud = what the test printed
//	0.01 s = F
type minitestRows struct{ open string }

// other reads a line outside of the failures.
func (r *minitestRows) other(s *read.Sink, l tool.Line) bool {
	return r.line(s, l.Text) || minitestOther(s, l)
}

func (r *minitestRows) line(s *read.Sink, text string) bool {
	head, took, came, ended := cutMinitestEnd(text)
	if !ended {
		if id, _, ok := cutMinitestHead(text); ok {
			r.begin(s, id)
		}
		return false
	}
	id, printed, ok := cutMinitestHead(head)
	switch {
	case ok && printed == "":
		r.begin(s, id)
	case ok:
		if _, _, two := cutMinitestHead(printed); two {
			s.Unread("tests that run at once are not told apart")
			r.open = ""
			return true
		}
		r.begin(s, id)
	case r.open == "":
		return false
	}
	one := tool.Test{ID: r.open, Outcome: came}
	one.DurationMS, _ = lex.Millis(took)
	s.Ran(one)
	r.open = ""
	return true
}

// begin takes a name. Where the one before has no verdict yet, two tests run at once, and a
// verdict is of either of them.
func (r *minitestRows) begin(s *read.Sink, id string) {
	if r.open != "" {
		s.Unread("the verdict of " + r.open + " is not told")
	}
	r.open = id
}

// cutMinitestEnd reads "… 0.01 s = F".
func cutMinitestEnd(text string) (head, took string, came read.Outcome, ok bool) {
	end := strings.LastIndex(text, " s = ")
	if end < 0 || len(text) != end+len(" s = ")+1 {
		return "", "", "", false
	}
	head, mark := text[:end], text[len(text)-1]
	i := len(head)
	for i > 0 && (head[i-1] >= '0' && head[i-1] <= '9' || head[i-1] == '.') {
		i--
	}
	took = head[i:]
	if took == "" {
		return "", "", "", false
	}
	switch mark {
	case '.':
		came = tool.Passed
	case 'F':
		came = tool.Failed
	case 'E':
		came = tool.Errored
	case 'S':
		came = tool.Skipped
	default:
		return "", "", "", false
	}
	return head[:i], took, came, true
}

// cutMinitestHead reads "LedgerTest#test_adds = ", and what the test printed behind it.
func cutMinitestHead(text string) (id, printed string, ok bool) {
	i := strings.Index(text, minitestMark)
	if i <= 0 {
		return "", "", false
	}
	if all, whole := strings.CutSuffix(text, " = "); whole && strings.LastIndex(text, minitestMark) == i {
		return all, "", true // the name may have the sign in it
	}
	name, printed, ok := strings.Cut(text[i:], " = ")
	return text[:i] + name, printed, ok
}

const minitestMark = "#test_"
