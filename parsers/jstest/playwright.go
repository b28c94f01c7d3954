package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("playwright", func(p *tool.Parser) {
	p.Is("playwright", result.Test, 1, "playwright test 1.20 to 1.65: list, line, dot, json")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "-g", Spell: read.FullName, Again: playwrightAgain}
	p.Matches = tool.RunsSub("playwright", "test")
	p.Files = []tool.Files{{
		Variables: []string{"PLAYWRIGHT_JUNIT_OUTPUT_FILE", "PLAYWRIGHT_JUNIT_OUTPUT_NAME"}, Folders: []string{"PLAYWRIGHT_JUNIT_OUTPUT_DIR"}, Shared: true,
	}}
	p.JUnit = playwrightReports
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/suites/*": read.Item(func(s *read.Sink, v *playwrightSuite) { v.find(s, "", nil) }),
		"/stats": read.Item(func(s *read.Sink, v *struct{ Expected, Skipped, Unexpected, Flaky int }) {
			s.Tested = true
			s.Scores(map[string]int{"passed": v.Expected, "skipped": v.Skipped, "failed": v.Unexpected, "flaky": v.Flaky}, "")
		}),
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running … test using ", "Running … tests using "}, Named: true, Parse: playwrightText})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("error: unknown option ", "Error: ")})
}, tool.WritesFiles)

func playwrightText(in *tool.Input) *tool.Report {
	p := &playwright{}
	reporter := reporterOf(in.Command().Argv)
	p.tests.other = reporter != "" && !strings.Contains(reporter, "list")
	rep := read.Text{Line: p.line, End: p.end, Closes: true}.Parse(in)
	if rep != nil && p.load && !rep.Tested {
		rep.Complete = true // no test ran: there is no closing line
	}
	return rep
}

// playwright reads the list of failures:
//
//	[10/10] [chromium] › t/cart.spec.js:24:3 › cart › soft
//	  1) [chromium] › t/cart.spec.js:4:3 › cart › totals ────────
//	    Error: expect(received).toEqual(expected)
//
// and behind it the counts. Below a count, its tests are listed: those below "1 flaky" passed in the end.
type playwright struct {
	text  jserror.Text
	open  bool
	next  int
	list  string // the word of the count whose tests are listed
	load  bool   // an error was reported before the tests
	from  string // the error of the web server, which playwright starts before the tests
	tests playwrightTests
	rows  bool // tests are listed above the first count; their own count is missing
}

func (p *playwright) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case p.begins(l.Text, text):
		p.flush(s)
		p.begin(s, l, text)
		return true
	case p.counts(s, l, text):
		return true
	case strings.HasPrefix(l.Text, "[WebServer] "):
		if text = strings.TrimSpace(strings.TrimPrefix(l.Text, "[WebServer] ")); p.from == "" && isPlaywrightLoad(text) {
			p.from = strings.Clone(text)
		}
		return false
	case p.open:
		if strings.HasPrefix(text, "Retry #") && strings.HasSuffix(text, "──") {
			p.flush(s)
			return true
		}
		if p.load && isNoTests(text) {
			p.flush(s)
			return s.Close(l)
		}
		if !isPlaywrightProgress(text) {
			p.text.Add(l.Text)
		}
		return s.More(l)
	case p.list == "" && p.next == 0 && !p.tests.other && p.tests.row(l, text):
		return true
	case p.list == "failed" && strings.Contains(text, " › ") && playwrightPlace(text) != nil:
		p.tests.counted(s, p.list, text)
		p.listed(s, l, text)
		return true
	case p.list == "flaky" && strings.Contains(text, " › "):
		p.tests.counted(s, p.list, text)
		markFlaky(s, playwrightTitle(text))
		return true
	case p.next == 0 && !s.Tested && !isNoTests(text) && isPlaywrightLoad(l.Text) && s.Last() == nil:
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, Message: text})
		p.open, p.load = true, true
		p.text.Add(text)
		return true
	case isNoTests(text):
		if len(s.Findings) == 0 {
			s.Find(l, result.Finding{Message: "No tests found"})
			s.NoTests, s.Meaning = true, result.MeansNoTests
		}
		return s.Close(l)
	}
	p.rows = p.rows || p.list == "" && p.next == 0 && strings.HasPrefix(l.Text, "    ") && strings.Contains(text, " › ") && playwrightPlace(text) != nil
	return p.list != "" && strings.Contains(text, " › ")
}

// isPlaywrightLoad reports whether a line begins an error that stopped a file, the configuration or the global setup
// before any test.
func isPlaywrightLoad(line string) bool {
	class, _, ok := strings.Cut(line, "Error: ")
	return ok && strings.Trim(class, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func isNoTests(text string) bool {
	return text == "Error: No tests found" || text == "Error: No tests found."
}

// isPlaywrightProgress reports whether a line is progress, which some reporters print between the failures:
// "[10/10] [api] › t/cart.spec.js:24:3 › cart › soft".
func isPlaywrightProgress(text string) bool {
	counts, rest, ok := strings.Cut(text, "] ")
	done, all, _ := strings.Cut(strings.TrimPrefix(counts, "["), "/")
	return ok && strings.HasPrefix(text, "[") && lex.IsDigits(done) && lex.IsDigits(all) && strings.Contains(rest, " › ")
}

// begins reports whether a line is the head of the next failure.
func (p *playwright) begins(line, text string) bool {
	number, rest, ok := strings.Cut(text, ") ")
	if !ok || !lex.IsDigits(number) || len(number) > 6 || !strings.Contains(rest, " › ") {
		return false
	}
	return strings.HasSuffix(rest, "──") || lex.Atoi(number) == p.next+1 && strings.HasPrefix(line, "  ")
}

func (p *playwright) begin(s *read.Sink, l tool.Line, text string) {
	p.next++
	_, title, _ := strings.Cut(text, ") ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: playwrightTitle(title), Message: "failed"}
	f.At = playwrightPlace(title)
	s.Find(l, f)
	p.open = true
}

// playwrightTitle returns a title without positions: "[chromium] › t/cart.spec.js › cart › totals".
func playwrightTitle(title string) string {
	title = strings.TrimSpace(strings.TrimRight(title, "─ "))
	parts := strings.Split(title, " › ")
	for i, part := range parts {
		if at := place.LastColons(part); at != nil {
			parts[i] = at.Path
			break
		}
	}
	return strings.Join(parts, " › ")
}

func playwrightPlace(title string) *result.Location {
	for part := range strings.SplitSeq(title, " › ") {
		if at := place.LastColons(part); at != nil {
			return at
		}
	}
	return nil
}

func (p *playwright) flush(s *read.Sink) {
	f := s.Last()
	if f == nil && p.load && len(s.Findings) > 0 { // a line of the other stream came between
		f = &s.Findings[len(s.Findings)-1]
	}
	open, lines := p.open, p.text.Lines
	p.open, p.text = false, jserror.Text{}
	if s.Break(); !open || f == nil {
		return
	}
	if p.load {
		lines = withoutShort(lines)
	}
	playwrightExplain(f, lines)
}

// counts reads "  6 failed" and "  2 passed (52.9s)".
func (p *playwright) counts(s *read.Sink, l tool.Line, text string) bool {
	number, word, ok := strings.Cut(text, " ")
	word, _, _ = strings.Cut(word, " (")
	if !ok || !lex.IsDigits(number) || len(number) > 8 || !strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(l.Text, "    ") {
		return false
	}
	switch word {
	case "failed", "passed", "skipped", "flaky", "interrupted", "did not run":
	default:
		return false
	}
	p.flush(s)
	s.Tested, p.list = true, word
	s.Count(strings.ReplaceAll(word, " ", "_"), lex.Atoi(number))
	return s.Close(l)
}

// listed takes a row below "11 failed". Behind "| tail", only this row may be left of a failure.
func (p *playwright) listed(s *read.Sink, l tool.Line, text string) {
	id := playwrightTitle(text)
	for i := range s.Findings {
		if s.Findings[i].ID == id || strings.HasPrefix(s.Findings[i].ID, id+" › ") { // the finding is of a step in the test
			return
		}
	}
	s.Find(l, result.Finding{
		Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: id[strings.LastIndex(id, " › ")+len(" › "):],
		Message: tool.Untold, At: playwrightPlace(text),
	})
	s.Break()
}

// markFlaky marks a test that failed and then passed.
func markFlaky(s *read.Sink, id string) {
	for i := range s.Findings {
		if s.Findings[i].ID == id {
			s.Findings[i].Severity = result.SevWarning
			s.Findings[i].Tags = []string{"flaky"}
		}
	}
}

// end compares playwright's counts with the findings.
func (p *playwright) end(s *read.Sink) {
	p.flush(s)
	if len(s.Findings) == 0 && len(s.Counts) == 0 { // the run ended before its list of failures
		p.tests.cut(s)
	}
	p.tests.settle(s)
	if p.load && p.from != "" {
		for i := range s.Findings {
			if f := &s.Findings[i]; strings.Contains(f.Message, "config.webServer") {
				f.Message += ": " + p.from
			}
		}
	}
	switch n := s.Counts["failed"]; {
	case n > 0:
		s.Claim(n)
	case s.Counts["did_not_run"] > 0 && len(s.Findings) == 0:
		s.Claim(1) // something stopped the run, and the count of failures is missing
	case p.rows && s.Counts["flaky"] > 0 && len(s.Findings) == 0:
		s.Claim(1) // flaky tests have a count, so the listed tests failed
	case p.rows:
		s.Doubt = "tests are listed that failed or were flaky, without their count"
	}
}
