package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Checkers with a line of their own form.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "darglint", Kind: result.Lint, Version: 1,
		About:   "darglint 1.x",
		Matches: tool.Runs("darglint"), Programs: []string{"darglint"},
		Exits:   map[int]result.Meaning{129: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: darglintLine}.Parse}, read.PythonTrouble("darglint")},
	}
})

// darglintLine reads "dg.py:f:4: DAR101: - b": a path, a function and a line.
func darglintLine(s *read.Sink, l tool.Line) bool {
	head, rest, ok := strings.Cut(l.Text, ": DAR")
	rule, message, told := strings.Cut(rest, ": ")
	parts := strings.Split(head, ":")
	if n := len(parts); ok && told && n >= 3 && lex.IsDigits(parts[n-1]) {
		s.Find(l, result.Finding{
			ID: parts[n-2], Rule: "DAR" + rule, Message: message, At: &result.Location{Path: strings.Join(parts[:n-2], ":"), Line: lex.Atoi(parts[n-1])},
		})
		return true
	}
	return notThere(s, l)
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "vermin", Kind: result.Lint, Version: 1,
		About:   "vermin 1.x: --target, --violations, --format parsable",
		Matches: tool.Runs("vermin"), Programs: []string{"vermin"},
		Formats: []tool.Format{{Name: "text", Parse: func(in *tool.Input) *tool.Report { return read.Text{Line: new(vermin).line}.Parse(in) }}, read.PythonTrouble("vermin")},
	}
})

type vermin struct{ path string }

// line reads what needs a newer Python, below its file or behind it, and what the
// target lacks:
//
//	!2, 3.10     /src/v.py
//	  pattern matching requires !2, 3.10
//	/src/v.py:2::!2:3.10:pattern matching
//	Target versions not met:   3.6-
func (p *vermin) line(s *read.Sink, l tool.Line) bool {
	parts := strings.Split(l.Text, ":")
	feature, needs, isNeed := strings.Cut(strings.Replace(strings.TrimSpace(l.Text), " require ", " requires ", 1), " requires ")
	target, isTarget := strings.CutPrefix(l.Text, "Target versions not met:")
	switch {
	case len(parts) == 6 && parts[5] != "" && strings.HasPrefix(parts[3]+parts[4], "!") || len(parts) == 6 && lex.IsDigits(parts[1]) && parts[5] != "":
		s.Find(l, result.Finding{Rule: "requires", Message: parts[5] + " requires " + parts[3] + ", " + parts[4], At: &result.Location{Path: parts[0], Line: lex.LeadingNumber(parts[1])}})
	case len(parts) == 6 && strings.Contains(parts[3]+parts[4], "."): // the sum of a file, and of all
	case strings.HasPrefix(l.Text, "  ") && isNeed && p.path != "":
		s.Find(l, result.Finding{Rule: "requires", Message: feature + " requires " + needs, At: &result.Location{Path: p.path}})
	case isTarget:
		s.Find(l, result.Finding{Rule: "target", Message: "Target versions not met: " + strings.TrimSpace(target)})
	case l.Text == "No files specified to analyze!", strings.HasPrefix(l.Text, "Invalid target: "):
		s.Misuse(l, l.Text)
	case strings.HasPrefix(l.Text, "Minimum required versions:"), strings.HasPrefix(l.Text, "Incompatible versions:"), strings.HasPrefix(l.Text, "Tips:"), strings.HasPrefix(l.Text, "- "), strings.HasPrefix(l.Text, "(disable using:"),
		strings.HasPrefix(l.Text, "  If so, try using"), strings.HasPrefix(l.Text, "Detecting python files"), strings.HasPrefix(l.Text, "Analyzing using "):
	default:
		if i := strings.LastIndexByte(l.Text, ' '); i > 0 && strings.HasSuffix(l.Text, ".py") && strings.Contains(l.Text[:i], ".") {
			p.path = l.Text[i+1:]
			return true
		}
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "lizard", Kind: result.Lint, Version: 1,
		About:   "lizard 1.1x: default and -w",
		Matches: tool.Runs("lizard"), Programs: []string{"lizard"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: func(in *tool.Input) *tool.Report { return read.Text{Line: new(lizard).line}.Parse(in) }}, read.PythonTrouble("lizard")},
	}
})

type lizard struct{ warnings bool }

// line reads the rows below "!!!! Warnings (…)", "20 12 80 1 20 high@5-24@src/a.py",
// and with -w "src/a.py:5: warning: high has 20 NLOC, 12 CCN, …".
func (p *lizard) line(s *read.Sink, l tool.Line) bool {
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.Contains(d.Message, " NLOC, ") {
		name, _, _ := strings.Cut(d.Message, " has ")
		s.Find(l, result.Finding{Severity: result.SevWarning, ID: name, Rule: "complexity", Message: strings.TrimPrefix(d.Message, name+" has "), At: &d.At})
		return true
	}
	p.warnings = (p.warnings || strings.HasPrefix(l.Text, "!!!! Warnings (")) && !strings.HasPrefix(l.Text, "Total nloc")
	cells := strings.Fields(l.Text)
	if !p.warnings || len(cells) < 6 || !lex.IsDigits(cells[0]) || !lex.IsDigits(cells[4]) {
		return p.warnings
	}
	parts := strings.SplitN(strings.Join(cells[5:], " "), "@", 3)
	if len(parts) != 3 {
		return false
	}
	s.Find(l, result.Finding{
		Severity: result.SevWarning, ID: parts[0], Rule: "complexity", At: &result.Location{Path: parts[2], Line: lex.LeadingNumber(parts[1])},
		Message: cells[0] + " NLOC, " + cells[1] + " CCN, " + cells[2] + " token, " + cells[3] + " PARAM, " + cells[4] + " length",
	})
	return true
}
