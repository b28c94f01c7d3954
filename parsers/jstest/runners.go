package jstest

import (
	"slices"
	"strings"
	"unicode"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// qunit prints only the Test Anything Protocol, so the command alone shows that an output is qunit's. The same holds
// for tape.
var _ = Room.Add("qunit", func(p *tool.Parser) {
	p.Is("qunit", result.Test, 1, "qunit 2 and 3 on the command line")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "tap", Parse: parseQunit})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{"No files were found matching: ", "error: "}, End: read.Misused}.Parse})
})

// parseQunit reads the protocol. If a file did not load or no test was selected, the test "global failure" has the
// reason, and "Bail out!" repeats it.
func parseQunit(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	closedBy(in, rep, "# fail ")
	if rep == nil || !slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.ID == "global failure" }) {
		return rep
	}
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "Bail out!") })
	rep.Claimed, rep.Complete = len(rep.Findings), true
	return rep
}

// closedBy marks a report as incomplete, unless the last line of stdout that is not blank begins with one of starts.
func closedBy(in *tool.Input, rep *tool.Report, starts ...string) {
	last := ""
	for l := range in.LinesOf(tool.Stdout) {
		if strings.TrimSpace(l.Text) != "" {
			last = strings.Clone(l.Text)
		}
	}
	if rep != nil && !lex.HasAnyPrefix(last, starts...) {
		rep.Complete = false
	}
}

var _ = Room.Add("ospec", func(p *tool.Parser) {
	p.Is("ospec", result.Test, 1, "ospec 4")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: ospecLine, Closes: true}.Parse})
})

// ospecLine reads failures and, at the end of stdout, the number of assertions:
//
//	cart > totals:
//	1
//	  should equal
//	0
//	    at /home/dev/test/cart.js:2:59
func ospecLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	at, framed := jserror.Frame(text)
	switch name := strings.TrimSuffix(text, ":"); {
	case strings.Contains(text, " assertions failed"), strings.HasPrefix(text, "All ") && strings.Contains(text, " assertions passed"), strings.HasPrefix(text, "The ") && strings.Contains(text, "assertion passed"):
		n := strings.Contains(text, " 0 assertions passed")
		s.Tested, s.NoTests = !n, n
		if strings.Contains(text, " assertions failed") {
			s.Claim(1) // only stderr says which assertions
		}
		s.Close(l)
	case name != text && strings.Contains(name, " > ") && l.Text == text && l.Stream == tool.Stderr:
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name[strings.LastIndex(name, " > ")+3:]})
	case f == nil:
		return false
	case text == "":
		s.Break()
	case framed:
		if f.At == nil && !at.External {
			f.At = &at
		}
		s.More(l)
	default:
		f.Message = strings.TrimSpace(lex.CutText(f.Message+" "+text, lex.MaxHeadline))
		s.More(l)
	}
	return true
}

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

// vitestPrints takes the blocks below "stdout | cart.test.ts > adds".
func vitestPrints(l tool.Line, after bool) bool {
	return after || lex.HasAnyPrefix(l.Text, "stdout | ", "stderr | ")
}

// jestPrints leaves out the table of coverage, and commands to the CI that runs it.
func jestPrints(l tool.Line, _ bool) bool {
	return !strings.HasPrefix(l.Text, "::") && strings.Count(l.Text, " | ") < 3 && !strings.HasPrefix(l.Text, "-----")
}

// nodePrints leaves out the rows and notes of node's own.
func nodePrints(l tool.Line, _ bool) bool {
	return !lex.HasAnyPrefix(l.Text, "⚠ ", "ℹ ") && read.Marks(".X", ".X")(l.Text) == 0
}
