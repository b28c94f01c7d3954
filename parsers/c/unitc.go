package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "check-c", Kind: result.Test, Version: 1,
		About:   "Check 0.10 to 0.15, C: minimal, normal, verbose",
		Matches: noProgram,
		Formats: []tool.Format{{Name: "text", Starts: []string{"Running suite(s): "}, Parse: read.Text{Line: checkLine, Closes: true}.Parse}},
	}
})

// checkLine reads "ck.c:3:F:core:adds:0: Assertion … failed: …", where F is a
// failure and E a signal, an exit or a time limit.
func checkLine(s *read.Sink, l tool.Line) bool {
	if percent, counts, ok := strings.Cut(l.Text, "%: Checks: "); ok && lex.IsDigits(percent) {
		n := read.CountsBehind("checks: " + counts)
		s.Count("failed", n["failures"])
		s.Count("error", n["errors"])
		s.Count("passed", max(0, n["checks"]-n["failures"]-n["errors"]))
		s.Claim(n["failures"] + n["errors"])
		s.Tested = true
		s.Close(l)
		return true
	}
	if strings.HasPrefix(l.Text, "Running suite(s): ") {
		s.Sign(l)
		return true
	}
	at, rest, ok := place.Cut(l.Text)
	parts := strings.SplitN(rest, ":", 5)
	if !ok || len(parts) < 5 || !lex.IsOneOf(parts[0], "F E P S") {
		return false
	}
	if lex.IsOneOf(parts[0], "F E") {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: parts[1] + ":" + parts[2], Message: strings.TrimSpace(parts[4]), At: &at}
		if parts[3] != "0" {
			f.Params = parts[3]
		}
		if parts[0] == "E" {
			f.Severity = result.SevError
		}
		s.Find(l, f)
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "criterion", Kind: result.Test, Version: 1,
		Filter:  tool.Filter{Flag: "--filter", Spell: func(f *result.Finding) string { return strings.ReplaceAll(f.ID, "::", "/") }},
		About:   "Criterion 2.3 and 2.4, C",
		Matches: noProgram,
		Formats: []tool.Format{{Name: "text", Starts: []string{"[====] ", "[FAIL] …::", "[----] "}, Parse: parseCriterion}},
	}
})

// parseCriterion reads "[FAIL] money::adds: (0.00s)" and the "[----]" lines above
// it, which tell why.
func parseCriterion(in *tool.Input) *tool.Report {
	var at *result.Location
	var why []string
	return read.Text{Closes: true, End: filled, Line: func(s *read.Sink, l tool.Line) bool {
		mark, rest, ok := strings.Cut(l.Text, "] ")
		if text := strings.TrimSpace(rest); ok {
			switch mark {
			case "[----":
				if spot, message, placed := place.Cut(text); placed && at == nil {
					at, why = &spot, []string{strings.TrimSuffix(message, ".")}
				} else if text != "" && !placed && len(why) < 4 {
					why = append(why, text)
				}
			case "[FAIL":
				id, end, _ := strings.Cut(text, ": ")
				if len(why) == 0 || strings.HasPrefix(end, "CRASH") {
					why = append(why, strings.TrimSuffix(end, "!"))
				}
				fail(s, l, id, at, strings.Join(why, " "))
				at, why = nil, nil
				s.Break()
			case "[====":
				if _, counts, has := strings.Cut(text, "Synthesis: "); has {
					n := read.CountsBehind(strings.ReplaceAll(counts, "|", ","))
					s.Count("passed", n["passing"])
					s.Count("failed", n["failing"])
					s.Claim(n["failing"])
					s.Tested = true
					s.NoTests = n["tested"] == 0
					s.Close(l)
				}
			case "[PASS", "[RUN ", "[SKIP", "[WARN", "[ERR ":
				at, why = nil, nil
			default:
				return false
			}
			return true
		}
		return false
	}}.Parse(in)
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "cmocka", Kind: result.Test, Version: 1,
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
	listed := false
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		mark, rest, ok := cutMark(l.Text)
		message := strings.TrimPrefix(rest, "--- ")
		switch {
		case !ok:
			return false
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
		case mark == "FAILED" && listed:
			r := reason{text: "failed"}
			if len(reasons) > 0 {
				r, reasons = reasons[0], reasons[1:]
			}
			fail(s, l, strings.TrimPrefix(rest, "tests: "), r.at, r.text)
			s.Break()
		}
		return true
	}, End: filled}.Parse(in)
}
