package read

import (
	"strings"
	"unicode/utf8"

	"cairn/parsers/tool"
	"cairn/result"
)

// Unended reads a test run that ended before its summary, for example because a test ended the program, perhaps
// with status 0. The output during the run shows that tests failed, but not why. Each line that names a failed test
// is a finding; without any, the first line of a failure is.
type Unended struct {
	Ends   func(text string) bool   // recognises the lines of the summary
	Failed func(text string) int    // how many failures a line reports
	Name   func(text string) string // the failed test that a line names; may be nil
	// Open returns the test that runs behind a line, given the one that ran before; may be nil. It ended the program
	// if the last line leaves it open.
	Open func(text, before string) string
}

// Parse reads an input; it returns nil if no test failed or ended the program, or if the run printed its summary.
func (u Unended) Parse(in *tool.Input) *tool.Report {
	failed, open, last := 0, "", tool.Line{}
	return Text{Line: func(s *Sink, l tool.Line) bool {
		if u.Ends(l.Text) {
			failed = -1
		}
		if u.Open != nil && l.Text != "" {
			open, last = u.Open(l.Text, open), l
		}
		n := u.Failed(l.Text)
		if n == 0 || failed < 0 {
			return false
		}
		id := ""
		if u.Name != nil {
			id = u.Name(l.Text)
		}
		if failed += n; len(s.Findings) == 0 || id != "" {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: strings.TrimSpace(l.Text)})
		}
		return s.Reach(l)
	}, End: func(s *Sink) {
		if open != "" && failed >= 0 && !s.In.Truncated {
			s.Find(last, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: open, Message: "the run ended while it ran"})
			failed++
		}
		if failed <= 0 {
			s.Findings = nil
			return
		}
		s.Count("failed", failed)
		s.Tested, s.Doubt = true, "the run ended before its summary"
	}}.Parse(in)
}

// NoMarks is a format's Prints of a tool that itself prints no other line that is not covered than rows of marks.
func NoMarks(all string) func(l tool.Line, after bool) bool {
	return func(l tool.Line, _ bool) bool { return Marks(all, all)(l.Text) == 0 }
}

// Marks counts the marks in bad in a row of marks, "..F.S", which may end with the progress: "  5 / 9 (55%)".
func Marks(all, bad string) func(text string) int {
	return func(text string) (n int) {
		row, _, _ := strings.Cut(strings.TrimSpace(text), "  ")
		if row == "" || len(row) > 200*utf8.UTFMax || strings.Trim(row, all) != "" {
			return 0
		}
		for _, r := range row {
			if strings.ContainsRune(bad, r) {
				n++
			}
		}
		return n
	}
}
