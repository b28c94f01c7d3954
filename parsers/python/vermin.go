package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vermin", func(p *tool.Parser) {
	p.Is("vermin", result.Lint, 1, "vermin 1.x: --target, --violations, --format parsable")
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*vermin).line)})
	p.Reads(read.PythonTrouble("vermin"))
})

type vermin struct{ path string }

// line reads the features that need a newer Python, in both forms, and the target versions that are too old:
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
	case len(parts) == 6 && strings.Contains(parts[3]+parts[4], "."): // the sum for a file, or for all files
	case strings.HasPrefix(l.Text, "  ") && isNeed && p.path != "":
		s.Find(l, result.Finding{Rule: "requires", Message: feature + " requires " + needs, At: &result.Location{Path: p.path}})
	case isTarget:
		s.Find(l, result.Finding{Rule: "target", Message: "Target versions not met: " + strings.TrimSpace(target)})
	case l.Text == "No files specified to analyze!", strings.HasPrefix(l.Text, "Invalid target: "):
		s.Misuse(l, l.Text)
	case lex.HasAnyPrefix(l.Text, "Minimum required versions:", "Incompatible versions:", "Tips:", "- ", "(disable using:", "  If so, try using", "Detecting python files", "Analyzing using "):
	default:
		if i := strings.LastIndexByte(l.Text, ' '); i > 0 && strings.HasSuffix(l.Text, ".py") && strings.Contains(l.Text[:i], ".") {
			p.path = l.Text[i+1:]
			return true
		}
		return false
	}
	return true
}
