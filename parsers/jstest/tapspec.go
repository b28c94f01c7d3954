package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// tapSpec reads tap-spec's form of the protocol: the tests, their assertions, and the details of each failed
// assertion. At the end, the failed assertions are named again.
//
//	totals
//
//	  ✔ adds
//
//	  ✖ should be equal
//	  ------------------
//	    operator: equal
//	    expected: 2
//	    at: Test.<anonymous> (/src/test.js:5:8)
type tapSpec struct {
	test string
	over bool // the failures are being repeated
}

func newTapSpec(t *tapSpec) read.Text {
	return read.Blocks{
		Head: func(text string) (string, bool) { return strings.CutPrefix(text, "    ✖ ") },
		Ends: func(text string) bool { return lex.LeadingBlanks(text) < 6 && strings.Trim(text, " -") != "" },
		Take: t.failure, Other: t.line, Closes: true,
	}.Text()
}

func (t *tapSpec) failure(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: b.Title, ID: b.Title, Message: "not ok"}
	if t.test != "" {
		f.Suite, f.ID = []string{t.test}, t.test+" › "+b.Title
	}
	tap.Explain(&f, b.Body)
	s.FindBlock(b, f)
}

// line takes the name of a test, and the counts: "  failing:   2".
func (t *tapSpec) line(s *read.Sink, l tool.Line) bool {
	text, indent := strings.TrimSpace(l.Text), lex.LeadingBlanks(l.Text)
	name, count, _ := strings.Cut(text, ":")
	n := strings.TrimSpace(count)
	switch {
	case indent != 2:
		return t.over || strings.HasPrefix(text, "✔ ")
	case name == "total" && lex.IsDigits(n):
		s.Tested = true
		return s.Sign(l)
	case name == "passing" && lex.IsDigits(n) && s.Tested:
		s.Count("passed", lex.Atoi(n))
	case name == "failing" && lex.IsDigits(n) && s.Tested:
		s.Fails(lex.Atoi(n))
	case name == "duration" && s.Tested:
		return s.Close(l)
	case name == "Failed Tests":
		t.over = true
	default:
		t.test = strings.Clone(text)
	}
	return true
}
