package shell

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("shunit2", func(p *tool.Parser) {
	p.Is("shunit2", result.Test, 1, "shUnit2 2.1: assertions below the name of their test")
	p.Reads(tool.Format{Name: "text", Starts: []string{"ASSERT:", "FAILED (failures=", "Ran … tests.", "Ran 1 test."}, Sniff: isShunit, Parse: read.Fresh(func(r *shunit) read.Text { return read.Text{Line: r.line, Closes: true} })})
})

// isShunit rejects other runners' "Ran 3 tests", which a duration follows.
func isShunit(line string) bool {
	return !strings.HasPrefix(line, "Ran ") || strings.HasSuffix(line, " test.") || strings.HasSuffix(line, " tests.")
}

// shunit reads failed assertions, which stand below the test's name, and the counts:
//
//	testSums
//	ASSERT:sums expected:<3> but was:<4>
//
//	Ran 3 tests.
//
//	FAILED (failures=1)
//
// A test whose last command is a failed assertion returns non-zero, which shunit2 counts as another failure.
type shunit struct {
	test string
	ran  bool
}

func (u *shunit) line(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "ASSERT:")
	count, closing := strings.CutPrefix(l.Text, "FAILED (failures=")
	number, ran := strings.CutPrefix(l.Text, "Ran ")
	switch {
	case failed:
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: u.test, Name: u.test, Message: message}
		if want, got, ok := strings.Cut(message, "> but was:<"); ok {
			_, f.Expected, _ = strings.Cut(want, "expected:<")
			f.Actual = strings.TrimSuffix(got, ">")
		}
		s.Find(l, f)
	case strings.HasPrefix(l.Text, "shunit2:ERROR "):
		if name, _, ok := strings.Cut(l.Text[len("shunit2:ERROR "):], "() returned non-zero"); !ok || !slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == name }) { // the test has no failed assertion
			s.Find(l, result.Finding{Kind: result.TestFailure, ID: strings.TrimSuffix(name, "()"), Message: l.Text[len("shunit2:ERROR "):]})
		}
	case ran && isShunit(l.Text):
		s.Count("total", lex.LeadingNumber(number))
		s.Tested, u.ran = true, true
	case closing && u.ran:
		s.Count("failed", lex.LeadingNumber(count))
		s.Close(l)
	case l.Text == "OK" && u.ran:
		s.Close(l)
	case strings.HasPrefix(l.Text, "test") && !strings.Contains(l.Text, " "):
		u.test = l.Text
		s.Break()
	default:
		return false
	}
	return true
}
