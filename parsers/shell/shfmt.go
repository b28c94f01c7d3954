package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("shfmt", func(p *tool.Parser) {
	p.Is("shfmt", result.Format, 1, "shfmt 3: -d, -l, and scripts that do not parse")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Plain: true, Accept: func(d *read.Diagnostic) bool { return d.At.Column > 0 }, Other: shfmtOther}.Parse})
})

// shfmtOther reads a difference, the path of a file that is not formatted, and errors on which shfmt cannot begin.
func shfmtOther(s *read.Sink, l tool.Line) bool {
	t := l.Text
	head := strings.Fields(t)
	switch {
	case len(head) == 3 && head[0] == "diff" && strings.TrimSuffix(head[1], ".orig") == head[2]:
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: head[2]}})
		s.Break()
	case len(s.Findings) > 0 && l.Stream == tool.Stdout && (t == "" || strings.ContainsRune("+-@ \\", rune(t[0]))):
	case l.Stream == tool.Stdout && len(head) == 1 && !strings.ContainsRune("+-#[", rune(t[0])) && !strings.Contains(t, "...."):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: t}})
		s.Break()
	case l.Stream == tool.Stderr && lex.HasAnyPrefix(t, "lstat ", "stat ", "open ", "flag provided "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		s.Break()
		s.Meaning = result.MeansUsage
	default:
		return s.Meaning == result.MeansUsage
	}
	return true
}
