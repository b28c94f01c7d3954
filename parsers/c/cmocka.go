package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cmocka", Kind: result.Test, Version: 2,
		About:   "cmocka 1.1 and 2.0, C: standard output; the reasons are on the other stream",
		Matches: noProgram,
		Formats: []tool.Format{{Name: "text", Starts: []string{"[==========] …test(s)"}, Parse: parseCmocka}},
	}
})

// parseCmocka reads the list of failed tests at the end, and gives them the
// reasons that were printed in the order in which they failed.
func parseCmocka(in *tool.Input) *tool.Report {
	type reason struct {
		text string
		at   *result.Location
	}
	var reasons []reason
	listed, marked := false, 0
	var setup *reason // why the next test could not run
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		mark, rest, ok := cutMark(l.Text)
		message := strings.TrimPrefix(rest, "--- ")
		switch {
		case strings.HasPrefix(l.Text, "Could not run test: "):
			setup = &reason{text: strings.TrimPrefix(l.Text, "Could not run test: ")}
			if _, placed, ok := strings.Cut(setup.text, "--- "); ok {
				at, message, _ := place.Cut(placed)
				setup.text, setup.at = strings.TrimPrefix(message, "error: Failure!"), &at
			}
		case !ok:
			return false
		case mark == "ERROR" && setup != nil: // the name of the test
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: rest, At: setup.at, Message: setup.text})
			s.Break()
			s.Count("error", 1)
			s.Claim(1)
			setup = nil
		case mark == "==========" && strings.HasSuffix(rest, "run."):
			s.Tested = true
			s.Close(l)
		case mark == "ERROR" && message != rest:
			reasons = append(reasons, reason{text: message})
		case mark == "LINE" && len(reasons) > 0:
			if at, _, placed := place.Cut(message); placed {
				reasons[len(reasons)-1].at = &at
			}
		case mark == "PASSED":
			s.Count("passed", lex.LeadingNumber(rest))
		case mark == "FAILED" && strings.Contains(rest, "listed below"):
			s.Claim(lex.LeadingNumber(rest))
			s.Count("failed", lex.LeadingNumber(rest))
			listed = true
		case mark == "FAILED" && !listed:
			marked++ // while the tests run
		case mark == "FAILED":
			r := reason{text: "failed"}
			if len(reasons) > 0 {
				r, reasons = reasons[0], reasons[1:]
			}
			fail(s, l, strings.TrimPrefix(rest, "tests: "), r.at, r.text)
			s.Break()
		}
		return true
	}, End: func(s *read.Sink) {
		if !listed && marked > 0 {
			s.Claim(marked)
		}
		filled(s)
	}}.Parse(in)
}
