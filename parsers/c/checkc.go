package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("check-c", result.Test, 2, "Check 0.10 to 0.15, C: minimal, normal, verbose")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running suite(s): "}, Parse: read.Text{Line: checkLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "tap", Starts: []string{"ok 1 - ….c:", "not ok 1 - ….c:", "not ok 2 - ….c:", "not ok 3 - ….c:"}, Sniff: isChecked, Parse: tap.TestsCut(cutChecked)})
})

// isChecked reports whether a row has the file, the case, the test and a reason: "ok 1 - ck.c:core:adds: Passed".
func isChecked(line string) bool {
	_, name, _ := strings.Cut(line, " - ")
	return strings.Count(name, ":") > 2 && (strings.HasPrefix(line, "not ") || strings.HasSuffix(line, ": Passed"))
}

// cutChecked splits the reason from a name in TAP: "ck.c:core:adds: Assertion … failed: …".
func cutChecked(name string) (rest, how string, ended bool) {
	if parts := strings.SplitN(name, ":", 4); len(parts) == 4 {
		how = strings.TrimSpace(parts[3])
		return parts[1] + ":" + parts[2], how, lex.HasAnyPrefix(how, "Received signal ", "Early exit ", "Test timeout ")
	}
	return name, "", false
}

// checkLine reads "ck.c:3:F:core:adds:0: Assertion … failed: …", where F is a
// failure, E a signal, an exit or a time limit, and S a failure of the set-up.
func checkLine(s *read.Sink, l tool.Line) bool {
	if percent, counts, ok := strings.Cut(l.Text, "%: Checks: "); ok && lex.IsDigits(percent) {
		n := read.CountsBehind("checks: " + counts)
		return s.Sum(l, n["checks"], n["failures"], n["errors"], 0)
	}
	if strings.HasPrefix(l.Text, "Running suite(s): ") {
		return s.Sign(l)
	}
	at, rest, ok := place.Cut(l.Text)
	parts := strings.SplitN(rest, ":", 5)
	if !ok || len(parts) < 5 || !lex.IsOneOf(parts[0], "F E P S") {
		return false
	}
	came := map[string]read.Outcome{"P": tool.Passed, "F": tool.Failed, "E": tool.Errored, "S": tool.Errored}[parts[0]]
	s.Ran(tool.Test{ID: parts[1] + ":" + parts[2], Outcome: came})
	if parts[0] != "P" {
		f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(parts[0] != "F"), ID: parts[1] + ":" + parts[2], Message: strings.TrimSpace(parts[4]), At: &at}
		if parts[3] != "0" {
			f.Params = parts[3]
		}
		s.Find(l, f)
	}
	return true
}
