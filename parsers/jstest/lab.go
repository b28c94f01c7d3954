package jstest

import (
	"strings"
	"unicode"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lab", func(p *tool.Parser) {
	p.Is("lab", result.Test, 1, "lab 14 to 26 (hapi): console")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "console", Starts: []string{"Leaks: "}, Named: true, Parse: read.Numbered{
		Indent: "  ", Take: labFailed, Ends: isLabCount, Other: labCounts, Closes: true, Head: func(title string) bool { return strings.HasSuffix(title, ":") },
	}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Could not find test file", "Error: ", "Unknown option: ", "Multiple values are not allowed for option: ")})
})

// labFailed takes a failure of the list, below which are the counts:
//
//	Failed tests:
//
//	  1) shelf adds:
//
//	      actual expected
//	      23
//	      Expected 2 to equal specified value: 3
//	      at /src/lab.js:2:53
//
//	4 of 5 tests failed (1 skipped)
//
// Without colours the two values run together, so their lines are skipped: the sentence below has both.
func labFailed(s *read.Sink, b *read.Block) {
	id := strings.TrimSuffix(b.Title, ":")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: id, Message: "failed"}
	told, values := false, false
	for _, line := range b.Body {
		text := strings.TrimSpace(line)
		at, framed := jserror.Frame(text)
		switch {
		case text == "actual expected":
			values = true
		case framed && f.At == nil && at.Path != "" && !frame.IsLibrary(at.Path):
			f.At = &at
		case !framed && text != "" && !told && (!values || strings.HasPrefix(text, "Expected ")):
			f.Rule, f.Message = jserror.CutClass(text)
			told = true
		}
	}
	s.FindBlock(b, f)
}

// isLabCount recognises "4 of 5 tests failed (1 skipped)" and "3 tests complete".
func isLabCount(text string) bool {
	return strings.IndexFunc(text, unicode.IsDigit) == 0 && (strings.Contains(text, " tests failed") || strings.Contains(text, " tests complete") || strings.Contains(text, " tests passed"))
}

// labCounts reads such a line.
func labCounts(s *read.Sink, l tool.Line) bool {
	if !isLabCount(l.Text) {
		return l.Text == "Failed tests:" && s.Sign(l)
	}
	failed, all := 0, lex.LeadingNumber(l.Text)
	if _, rest, ok := strings.Cut(l.Text, " of "); ok {
		failed, all = all, lex.LeadingNumber(rest)
	}
	skipped := read.Counts(l.Text)["skipped"]
	return s.Sum(l, all+skipped, failed, 0, skipped)
}
