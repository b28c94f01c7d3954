package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("ounit", result.Test, 1, "OUnit 2, OCaml: the program's own text, also below dune")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAILED: Cases: ", "OK: Cases: ", "Ran: … tests in: "}, Parse: read.Blocks{Take: takeOUnit, Other: ounitLine, Closes: true,
		Head: func(text string) (string, bool) {
			id, ok := strings.CutPrefix(text, "Error: ")
			return strings.TrimSuffix(id, "."), ok && strings.Contains(id, ":") && !strings.Contains(id, " (in the ")
		},
		Ends: func(text string) bool { return strings.HasPrefix(text, "----") },
	}.Parse})
})

// takeOUnit takes a failure: the place in the code or in OUnit's own log, a backtrace, and last the reason.
func takeOUnit(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title}
	for _, line := range b.Body {
		at, ok := frame.OCaml(line)
		if ok && f.At == nil && !at.External && !strings.Contains(line, "OUnit") {
			f.At = &at
		}
		if f.Message += line + " "; ok || strings.Contains(line, " (in the ") {
			f.Message = ""
		}
	}
	f.Message = strings.TrimSpace(f.Message)
	s.FindBlock(b, f)
}

// ounitLine reads "FAILED: Cases: 5 Tried: 5 Errors: 2 Failures: 1 Skip:  1 Todo: 0 Timeouts: 0." and the lines
// around it.
func ounitLine(s *read.Sink, l tool.Line) bool {
	if verdict, counts, ok := strings.Cut(l.Text, ": Cases: "); ok && lex.IsOneOf(verdict, "FAILED OK") {
		apart := strings.NewReplacer(" Errors", ",Errors", " Failures", ",Failures", " Skip", ",Skip", " Timeouts", ",Timeouts", " Todo", ",Todo", " Tried", ",Tried")
		n := read.CountsBehind("cases: " + apart.Replace(counts))
		return s.Sum(l, n["cases"], n["failures"], n["errors"]+n["timeouts"], n["skip"]+n["todo"])
	}
	return strings.HasPrefix(l.Text, "Ran: ") && s.Sign(l) || len(l.Text) > 70 && strings.Trim(l.Text, "=-") == "" && s.Sign(l)
}
