package jstest

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("uvu", func(p *tool.Parser) {
	p.Is("uvu", result.Test, 1, "uvu 0.3 to 0.5")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAIL  \"", "FAIL  …  \""}, Named: true,
		Parse: read.Fresh(func(u *uvu) read.Text { return read.Text{Line: u.line, Turn: u.flush, End: u.end, Closes: true} })})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ", "TypeError: ", "SyntaxError: ", "ReferenceError: ")})
})

// uvu reads a file, a dot for each of its tests, the failures, and the counts:
//
//	cart.test.js
//	✘ • ✘   (1 / 3)
//
//	   FAIL  "totals"
//	    Expected values to be strictly equal:  (is)
//
//	        ++3    (Expected)
//	        --2    (Actual)
//
//	  Total:     3
type uvu struct {
	block
	total int // the last total
	rows  int // number of passed tests, by the rows of dots
}

func (u *uvu) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	key, value, _ := strings.Cut(text, ":")
	title, failed := strings.CutPrefix(text, "FAIL  ")
	switch n := strings.TrimSpace(value); {
	case failed && strings.Contains(title, `"`):
		u.flush(s)
		suite, name, _ := strings.Cut(title, `"`)
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSuffix(name, `"`), Name: strings.TrimSuffix(name, `"`), Message: "failed"}
		if suite = strings.TrimSpace(suite); suite != "" {
			f.Suite, f.ID = []string{suite}, suite+" › "+f.Name
		}
		s.Find(l, f)
		u.open = true
	case lex.IsOneOf(key, "Total Passed Skipped") && lex.IsDigits(n):
		u.flush(s)
		u.count(s, key, lex.Atoi(n))
		s.Sign(l)
	case key == "Duration" && s.Tested:
		s.Close(l)
	case u.dots(text):
		u.flush(s)
		s.Cover(l)
	case u.open:
		s.More(l)
		if number, line, ok := strings.Cut(text, " "); ok && number[0] == 'L' && lex.IsDigits(number[1:]) { // an excerpt with line numbers
			l.Text, text = line, line
		}
		if !strings.HasPrefix(text, "··") { // equal lines of a difference
			u.text.Add(uvuLine(l.Text))
		}
	case u.unrun(s, l, text):
	default:
		return false
	}
	return true
}

// dots reads the end of the row of a file or a suite, "• ✘   (1 / 3)": the number of its tests that passed.
func (u *uvu) dots(text string) bool {
	i := strings.LastIndex(text, "   (")
	passed, total, ok := strings.Cut(text[i+1:], " / ")
	passed = strings.TrimPrefix(passed, "  (")
	if i < 0 || !ok || !strings.ContainsAny(text[:i], "✘•") || !lex.IsDigits(passed) || !lex.IsDigits(strings.TrimSuffix(total, ")")) {
		return false
	}
	u.rows += lex.Atoi(passed)
	return true
}

// end compares the counts with the rows: a test may print counts, too.
func (u *uvu) end(s *read.Sink) {
	if u.flush(s); 0 < u.rows && u.rows < s.Counts["passed"] {
		s.Doubt = fmt.Sprintf("passed tests counted: %d, in the rows: %d", s.Counts["passed"], u.rows)
	}
}

// unrun reads the row of a suite of which no test ran, because a hook failed: "cart   (0 / 1)". uvu does not print
// the reason.
func (u *uvu) unrun(s *read.Sink, l tool.Line, text string) bool {
	suite, counts, ok := strings.Cut(text, "  (0 / ")
	if total, shut := strings.CutSuffix(counts, ")"); !ok || !shut || !lex.IsDigits(total) || total == "0" || strings.ContainsAny(suite, "✘•") || s.Tested {
		return false
	}
	suite = strings.TrimSpace(suite)
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: suite, Name: suite, Message: "no test of it ran: its before or after failed"})
	return s.Break()
}

// uvuLine replaces the marks for blanks in a line of a difference.
func uvuLine(line string) string {
	text := strings.TrimSpace(line)
	if lex.HasAnyPrefix(text, "++", "--") {
		return strings.ReplaceAll(text, "·", " ")
	}
	return line
}

func (u *uvu) count(s *read.Sink, key string, n int) {
	switch key {
	case "Total":
		s.Tested, s.NoTests = n > 0, n == 0
		u.total = n
	case "Passed":
		s.Count("passed", n)
		s.Fails(u.total - n)
	case "Skipped":
		s.Score("skipped", n)
	}
}

// flush completes the last failure. The expected value is behind "++", the actual value behind "--".
func (u *uvu) flush(s *read.Sink) {
	f, lines := u.block.end(s)
	if f == nil {
		return
	}
	var rest []string
	for _, line := range lines {
		text := strings.TrimSpace(line)
		switch value := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(strings.TrimLeft(text, "+-"), "(Expected)"), "(Actual)")); {
		case strings.HasPrefix(text, "++"):
			f.Expected = strings.TrimPrefix(f.Expected+"\n"+value, "\n")
		case strings.HasPrefix(text, "--"):
			f.Actual = strings.TrimPrefix(f.Actual+"\n"+value, "\n")
		case text == "Expected:", text == "Actual:", strings.HasPrefix(line, "  ") && f.Actual+f.Expected != "" && !strings.HasPrefix(text, "at "):
		default:
			rest = append(rest, line)
		}
	}
	if len(rest) > 0 && strings.HasPrefix(strings.TrimSpace(rest[0]), "Expected ") {
		f.Message, rest = strings.TrimSpace(rest[0]), rest[1:]
	}
	jserror.Explain(f, rest)
	message, operator, _ := strings.Cut(f.Message, "  (")
	f.Message, f.Operator, f.Detail = strings.TrimSuffix(message, ":"), strings.TrimSuffix(operator, ")"), ""
}
