package ruby

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// minitestRows reads the rows of -v: the name is printed before the test runs, its duration and outcome after. The
// test may print between the two.
//
//	LedgerTest#test_adds = 0.00 s = .
//	LedgerTest#test_loud = what the test printed
//	0.01 s = F
//
// If the "Run options:" line has no -v, minitest prints no rows, and lines that look like rows come from tests.
type minitestRows struct {
	open  string        // the test that runs, or ""
	from  int64         // the offset of the line with that name, in bytes
	quiet bool          // minitest prints no rows
	bad   []minitestBad // the rows of tests that failed
}

// minitestBad is the row of a failed test. The reason is in the list of failures at the end.
type minitestBad struct {
	line tool.Line
	test tool.Test
}

// other reads a line outside of the failures.
func (r *minitestRows) other(s *read.Sink, l tool.Line) bool {
	if options, ok := cutRunOptions(l.Text); ok {
		r.quiet = !slices.ContainsFunc(strings.Fields(options), isVerbose)
	}
	return !r.quiet && r.line(s, l) || minitestOther(s, l)
}

// cutRunOptions reads "Run options: -v --seed 9890" and "Started with run options -v", of minitest-reporters.
func cutRunOptions(text string) (options string, ok bool) {
	if options, ok = strings.CutPrefix(text, "Run options: "); ok {
		return options, true
	}
	_, options, ok = strings.Cut(text, " with run options ")
	return options, ok && lex.HasAnyPrefix(text, "Started ", "# Running tests ")
}

// isVerbose recognizes "-v", "-sv" and "--verbose".
func isVerbose(arg string) bool {
	return arg == "--verbose" || len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.Contains(arg, "v")
}

// end adds the failed tests of the rows if the list of failures is missing, because a test ended the program or the
// output is cut short. If the counts were printed before that, they count fewer failures than there are rows.
func (r *minitestRows) end(s *read.Sink) {
	if s.Closed() && len(r.bad) <= s.Counts["failed"]+s.Counts["error"] {
		return
	}
	for _, b := range r.bad {
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == b.test.ID }) {
			continue
		}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.test.ID, Message: tool.Untold}
		if b.test.Outcome == tool.Errored {
			f.Severity = result.SevError
		}
		s.Find(b.line, f)
		s.Break()
	}
}

func (r *minitestRows) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	head, took, came, ended := cutMinitestEnd(text)
	if !ended {
		if id, _, ok := cutMinitestHead(text); ok {
			r.begin(s, l, id)
		}
		return false
	}
	id, printed, ok := cutMinitestHead(head)
	switch {
	case ok && printed == "":
		r.begin(s, l, id)
	case ok:
		if _, _, two := cutMinitestHead(printed); two {
			s.Unread("tests that run at once are not told apart")
			r.open = ""
			return true
		}
		r.begin(s, l, id)
	case r.open == "":
		return false
	}
	one := tool.Test{ID: r.open, Outcome: came}
	one.DurationMS, _ = lex.Millis(took)
	s.Ran(one)
	if came.Bad() && len(r.bad) < s.Most() {
		one.ID, l.Start = strings.Clone(one.ID), r.from
		r.bad = append(r.bad, minitestBad{l, one})
	}
	r.open = ""
	return true
}

// begin keeps the name of a test that starts. If the test before has no verdict yet, two tests run at once, and the
// next verdict may belong to either.
func (r *minitestRows) begin(s *read.Sink, l tool.Line, id string) {
	if r.open != "" {
		s.Unread("the verdict of " + r.open + " is not told")
	}
	r.open, r.from = id, l.Start
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
	came = map[byte]read.Outcome{'.': tool.Passed, 'F': tool.Failed, 'E': tool.Errored, 'S': tool.Skipped}[mark]
	return head[:i], took, came, came != ""
}

// cutMinitestHead reads "LedgerTest#test_adds = ", and what the test printed behind it.
func cutMinitestHead(text string) (id, printed string, ok bool) {
	i := strings.Index(text, minitestMark)
	if i <= 0 {
		return "", "", false
	}
	if all, whole := strings.CutSuffix(text, " = "); whole && strings.LastIndex(text, minitestMark) == i {
		return all, "", true // the name may contain " = "
	}
	name, printed, ok := strings.Cut(text[i:], " = ")
	return text[:i] + name, printed, ok
}

const minitestMark = "#test_"
