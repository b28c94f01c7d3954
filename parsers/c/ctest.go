package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "ctest", Kind: result.Test, Version: 1, Runner: true,
	About:   "ctest 3.10 to 4.2: tests by their names; what they print is their own tools'",
	Matches: tool.Runs("ctest", "ctest3"),
	Formats: []tool.Format{
		{Name: "text", Parse: parseCTest},
		{Name: "log", Starts: []string{"The following tests FAILED:", "100% tests passed", "Errors while running CTest"}, Parse: parseCTest},
	},
})

// ctest reads a row a test, "3/10 Test  #3: fails ....***Failed  0.00 sec", and
// below it what the test printed, where that was asked for. The list at the end
// is the verdict.
type ctest struct {
	in     *tool.Input
	name   string // of the test whose output may follow
	text   []string
	said   map[string][]string // by test
	listed bool
}

func parseCTest(in *tool.Input) *tool.Report {
	c := &ctest{in: in, said: map[string][]string{}}
	return read.Text{Line: c.line, Closes: true}.Parse(in)
}

func (c *ctest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "Test project "), strings.HasPrefix(text, "Start "), strings.HasPrefix(text, "Total Test time"):
		c.settle()
	case strings.HasPrefix(text, "CMake Error: "), strings.HasPrefix(text, "Failed to change working directory"), strings.HasPrefix(text, "ctest: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "CMake Error: ")})
		s.Meaning = result.MeansUsage
	case strings.HasPrefix(text, "No tests were found!!!"):
		s.NoTests = true
		s.Close(l)
	case strings.Contains(text, " tests passed"):
		c.total(s, l, text)
	case text == "The following tests FAILED:":
		c.settle()
		c.listed = true
		s.Sign(l)
	case text == "The following tests did not run:", strings.HasPrefix(text, "Errors while running CTest"), strings.HasPrefix(text, "Output from these tests are in:"), strings.HasPrefix(text, `Use "--rerun-failed`):
		c.listed = false
	case c.listed && c.failed(s, l, text):
	case c.row(s, text):
	default:
		if c.name != "" && len(c.text) < 200 {
			c.text = append(c.text, l.Text)
		}
		return false // of the test, whose own tool may know it
	}
	return true
}

// row reads "3/10 Test  #3: fails ......***Failed    0.00 sec".
func (c *ctest) row(s *read.Sink, text string) bool {
	of, rest, ok := strings.Cut(text, " Test ")
	_, rest, named := strings.Cut(rest, ": ")
	if !ok || !named || !strings.Contains(of, "/") || strings.Trim(of, "0123456789/") != "" {
		return false
	}
	c.settle()
	name, status, _ := strings.Cut(rest, " ")
	c.name = name
	status = strings.TrimLeft(status, ". ")
	if strings.HasPrefix(status, "Passed") || strings.HasPrefix(status, "***Skipped") || strings.Contains(status, "(Disabled)") {
		c.name = ""
	}
	if _, why, has := strings.Cut(status, "Failed  "); has && strings.Contains(why, "egular expression") {
		c.text = append(c.text, strings.TrimSpace(why))
	}
	return true
}

func (c *ctest) settle() {
	if c.name != "" {
		c.said[c.name] = c.text
	}
	c.name, c.text = "", nil
}

// total reads "22% tests passed, 7 tests failed out of 9".
func (c *ctest) total(s *read.Sink, l tool.Line, text string) {
	_, rest, ok := strings.Cut(text, " tests passed, ")
	if !ok {
		_, rest, _ = strings.Cut(text, " tests passed")
	}
	failed := lex.LeadingNumber(strings.TrimLeft(rest, " ,"))
	_, all, _ := strings.Cut(rest, " out of ")
	c.settle()
	s.Claim(failed)
	s.Count("failed", failed)
	s.Count("passed", max(0, lex.LeadingNumber(all)-failed))
	s.Tested = true
	s.Close(l)
}

// failed reads a row of the list: "3 - fails (Failed)", perhaps with labels
// behind it.
func (c *ctest) failed(s *read.Sink, l tool.Line, text string) bool {
	number, rest, ok := strings.Cut(text, " - ")
	i := strings.LastIndex(rest, " (")
	if !ok || !lex.IsDigits(number) || i < 0 {
		return false
	}
	name := rest[:i]
	why, _, _ := strings.Cut(rest[i+2:], ")")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: why}
	if lex.IsOneOf(why, "SEGFAULT ILLEGAL INTERRUPT NUMERICAL Subprocess") || why == "Not Run" || why == "Timeout" {
		f.Severity = result.SevError
	}
	if lines := c.said[name]; len(lines) > 0 {
		g := f
		junit.Explain(c.in, &g, lines, "", "")
		if f.Detail = g.Detail; g.At != nil {
			f.At, f.Message = g.At, why+": "+g.Message
		} else if why == "Failed" && strings.Contains(lines[0], "egular expression") {
			f.Message = lines[0]
		}
	}
	s.Find(l, f)
	return true
}
