package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tasty", result.Test, 1, "tasty 0.11 to 1.5, Haskell: the console reporter, whatever library the tests are of")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"Use -p '", "All … tests passed ("}, Parse: read.Fresh(func(t *tasty) read.Text { return read.Text{Line: t.line, Closes: true} })})
})

// tasty reads a row of each test, below the names of its groups; two more blanks begin what a test says:
//
//	ledger
//	  parse whole:       FAIL (0.02s)
//	    test/Main.hs:19:
//	    expected: Right 1200
//	9 out of 17 tests failed (0.08s)
type tasty struct {
	groups []string
	test   int // the blanks before the row of the last test, and 1; 0 if a group is below it
}

func (t *tasty) line(s *read.Sink, l tool.Line) bool {
	text, blanks := strings.TrimSpace(l.Text), lex.LeadingBlanks(l.Text)
	name, verdict, _ := lex.CutLast(text, ": ")
	if word, took, timed := lex.CutLast(verdict, " ("); timed && strings.HasSuffix(took, "s)") {
		verdict = word
	}
	came, ok := map[string]read.Outcome{"OK": tool.Passed, "FAIL": tool.Failed, "TIMEOUT": tool.Failed, "PASS (unexpected)": tool.XPassed, "FAIL (expected)": tool.XFailed, "SKIP": tool.Skipped, "IGNORED": tool.Skipped}[strings.TrimSpace(verdict)]
	bad, all, failed := strings.Cut(text, " out of ")
	if !failed {
		bad, all, _ = strings.Cut("0 "+text, " All ")
	}
	n, how, _ := strings.Cut(all, " tests ")
	below := t.test > 0 && blanks >= t.test
	switch {
	case lex.IsDigits(bad) && lex.IsDigits(n) && lex.HasAnyPrefix(how, "failed (", "passed ("):
		return s.Sum(l, lex.Atoi(n), lex.Atoi(bad), 0, 0)
	case ok && !below:
		id := strings.Join(append(slices.Clone(t.groups[:min(blanks/2, len(t.groups))]), name), ".")
		t.test = blanks + 1
		if s.Ran(tool.Test{ID: id, Outcome: came}); came == tool.Failed || came == tool.XPassed {
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: strings.TrimSpace(verdict)})
		}
		return s.Break()
	case below && s.Last() != nil:
		f := s.Last()
		if at, rest, placed := place.CutPlace(text); placed && rest == "" && f.At == nil {
			f.At = &at
		} else if lex.IsOneOf(f.Message, "FAIL TIMEOUT") {
			f.Message = text
		} else if len(f.Message) < 200 && text != "" && !lex.HasAnyPrefix(text, "Use -", "CallStack ", "error, called at ") {
			f.Message += "; " + text
		}
		return s.More(l)
	case !below && text != "":
		t.groups, t.test = append(t.groups[:min(blanks/2, len(t.groups))], text), 0
		return s.Break() && false
	}
	return below
}
