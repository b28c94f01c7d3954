package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gofmt goimports gofumpt golines gci", func(p *tool.Parser) {
	p.Is("gofmt", result.Format, 1, "gofmt, goimports, gofumpt, golines, gci: -l, -d, and files that do not parse")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: gofmtLine}.Parse})
})

// gofmtLine reads the path of a file that is not formatted (-l), a diff (-d), or a syntax error.
func gofmtLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	unformatted := result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: t}}
	switch head := strings.Fields(t); {
	case len(head) >= 3 && head[0] == "diff" && strings.TrimSuffix(head[len(head)-2], ".orig") == head[len(head)-1]:
		unformatted.At.Path = head[len(head)-1]
		return s.Find(l, unformatted)
	case s.Last() != nil && s.Last().Message == unformatted.Message && s.Last().Detail+t != "" && (s.Last().Detail != "" || strings.HasPrefix(t, "--- ")):
		if hunk, ok := strings.CutPrefix(t, "@@ -"); ok && s.Last().At.Line == 0 {
			s.Last().At.Line = lex.LeadingNumber(hunk)
		}
		return s.More(l)
	case l.Stream == tool.Stdout && strings.HasSuffix(t, ".go") && !strings.ContainsAny(t, " :"):
		return s.Find(l, unformatted)
	}
	if d, ok := read.CutDiagnostic(t); ok && l.Stream == tool.Stderr {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: d.Message, At: &d.At})
	}
	if l.Stream == tool.Stderr && lex.HasAnyPrefix(t, "stat ", "lstat ", "flag provided ") {
		return s.Misuse(l, t)
	}
	return l.Stream == tool.Stderr && isGofmtTrouble(t) && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
}

// isGofmtTrouble reads "Error: stat nothere: …", "golines: error: …" and
// "[2026-11-22 19:41:04] FATAL error formatting source: …".
func isGofmtTrouble(t string) bool {
	return strings.HasPrefix(t, "Error: ") || strings.HasPrefix(t, "golines: error: ") || strings.HasPrefix(t, "[") && strings.Contains(t, "] FATAL ")
}
