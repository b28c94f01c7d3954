package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("busted", func() *tool.Parser {
	return &tool.Parser{
		Tool: "busted", Kind: result.Test, Version: 1,
		Filter: tool.Filter{Flag: "--filter"},
		JUnit: &tool.Dialect{
			Suite: func(tag *tool.SuiteTag) bool { return !tag.All && strings.HasPrefix(tag.Name, "Run 1 of ") },
			ID:    func(n *tool.CaseNames) (id string, suites []string) { return n.Name, nil },
		},
		About: "busted 2: utfTerminal, plainTerminal, gtest; its JUnit",
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Failure -> ….lua @ ", "Failure → ….lua @ ", "Error -> ….lua", "Error → ….lua"}, Named: true,
				Parse: read.Fresh(func(b *busted) read.Text { return read.Text{Line: b.line, Closes: true} })},
			{Name: "unended", Parse: read.Unended{
				Ends: func(text string) bool {
					return strings.Contains(text, " pending : ") || tap.IsLine(text) || strings.HasPrefix(text, "[")
				},
				Failed: bustedFailed,
			}.Parse},
			{Name: "gtest", Starts: []string{"[==========] Running tests from scanned files.", "[ RUN      ] ….lua @ "}, Named: true,
				Parse: read.Fresh(func(g *bustedGtest) read.Text { return read.Text{Line: g.line, End: g.end, Closes: true} })},
		},
	}
})

// bustedFailed counts the failures in a row of marks; the handler TAP has a line for each.
func bustedFailed(text string) int {
	if strings.HasPrefix(text, "not ok ") {
		return 1
	}
	return read.Marks("+-*.●◼✱◌", "-*◼✱")(text)
}

// busted reads the handlers for a terminal. Its own state is whether the next line names
// a pending test.
type busted struct{ pending bool }

// line reads the counts, and below them each failure:
//
//	Failure -> spec/a_spec.lua @ 2
//	ledger adds
//	spec/a_spec.lua:2: Expected objects to be equal.
func (b *busted) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if b.pending {
		b.pending = false
		s.Ran(tool.Test{ID: strings.Clone(t), Outcome: tool.Skipped})
		return true
	}
	c := read.Counts(t)
	if strings.Contains(t, " / ") && strings.Contains(t, " pending : ") {
		failed, broken := c["failure"]+c["failures"], c["error"]+c["errors"]
		s.Counts["passed"], s.Counts["failed"], s.Counts["error"], s.Counts["skipped"] = c["success"]+c["successes"], failed, broken, c["pending"]
		s.Claim(failed + broken)
		s.Tested = c["success"]+c["successes"]+failed+broken > 0
		return s.Close(l)
	}
	t = strings.Replace(t, " → ", " -> ", 1)
	word, rest, ok := strings.Cut(t, " -> ")
	switch {
	case ok && (word == "Failure" || word == "Error"):
		return s.Find(l, bustedHead(word, rest))
	case ok && word == "Pending":
		b.pending = true
		return s.Break()
	case strings.HasPrefix(t, "busted: error: "):
		s.Misuse(l, strings.TrimPrefix(t, "busted: error: "))
		s.EndHere()
		return true
	case s.Last() != nil:
		bustedBelow(s.Last(), t)
		return s.More(l)
	}
	return s.Closed()
}

func bustedHead(word, rest string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure}
	if word == "Error" {
		f.Severity = result.SevError
	}
	if path, line, ok := strings.Cut(rest, " @ "); ok {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		return f
	}
	if f.Message = rest; strings.Contains(rest, ".lua:") { // a file that could not be loaded
		if at, message, ok := place.Cut(rest); ok {
			f.ID, f.At, f.Message = at.Path, &at, message
		}
	}
	return f
}

// bustedBelow takes the name of the test, then its message, then what was
// expected.
func bustedBelow(f *result.Finding, t string) {
	switch {
	case t == "" || f.ID != "" && f.Message != "" && f.Detail == "":
	case f.ID == "" && f.Message == "":
		f.ID = t
	case f.Message == "":
		if f.Message = t; f.At != nil {
			if at, message, ok := place.Cut(t); ok {
				f.At, f.Message = &at, message
			}
		}
	case strings.HasSuffix(f.Detail, "Passed in:") && f.Actual == "":
		f.Actual = t
	case strings.HasSuffix(f.Detail, "Expected:") && f.Expected == "":
		f.Expected = t
	}
}
