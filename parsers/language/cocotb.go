package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("cocotb", result.Test, 2, "cocotb 1.6 to 2.1, below any simulator: what its log says of tests")
	p.Matches = func([]string) bool { return false } // make and a simulator run it
	p.Reads(tool.Format{Name: "text", Starts: []string{"0.00ns INFO     cocotb", "** TEST ", "** TESTS="}, Parse: read.Text{Line: cocotbLine, Closes: true}.Parse})
})

// cocotbLine reads a failed test, the traceback that is indented below it, and the counts:
//
//	130.00ns WARNING  cocotb.regression   test_fifo.empties failed
//	** TESTS=4 PASS=1 FAIL=3 SKIP=0                340.00           0.05       6923.93  **
func cocotbLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	words := strings.Fields(text)
	switch f := s.Last(); {
	case len(words) == 5 && words[2] == "cocotb.regression" && (words[4] == "failed" || words[4] == "passed"):
		if s.Break(); words[4] == "failed" {
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: words[3], Message: "failed"})
		}
		s.Ran(tool.Test{ID: words[3], Outcome: tool.Passed})
	case len(words) > 4 && strings.HasPrefix(words[1], "TESTS="):
		n := read.CountsBehind(strings.ToLower(strings.ReplaceAll(strings.Join(words[1:5], ", "), "=", ": ")))
		s.Counts, s.Tested = map[string]int{"passed": n["pass"], "failed": n["fail"], "skipped": n["skip"]}, true
		s.Claim(n["fail"])
		return s.Close(l)
	case len(words) > 2 && strings.HasPrefix(words[2], "cocotb."), strings.HasPrefix(text, "**"), strings.HasPrefix(text, "-.--ns INFO "):
		return s.Break() || s.Sign(l)
	case f != nil && strings.HasPrefix(l.Text, "        "):
		if at, ok := frame.Cut(text); ok && !strings.Contains(at.Path, "site-packages/") {
			f.At = &at
		} else if class, _, _ := strings.Cut(text, ":"); f.Message == "failed" && (strings.HasSuffix(class, "Error") || strings.HasSuffix(class, "Exception")) {
			f.Message = text
		}
		return s.More(l)
	default:
		return false
	}
	return true
}
