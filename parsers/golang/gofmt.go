package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "gofmt", Kind: result.Format, Version: 1, ColumnUnit: "byte",
		About:   "gofmt, goimports and gofumpt: -l, -d, and files that do not parse",
		Matches: tool.Runs("gofmt", "goimports", "gofumpt"), Programs: []string{"gofmt", "goimports", "gofumpt"},
		Exits: map[int]result.Meaning{2: result.MeansFindings},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Text{Line: gofmtLine}.Parse},
		},
	}
})

// gofmtLine reads the path of a file that is not formatted (-l), a difference
// (-d), or what is wrong with the syntax of a file.
func gofmtLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	unformatted := result.Finding{Severity: result.SevWarning, Message: "is not formatted", At: &result.Location{Path: t}}
	switch head := strings.Fields(t); {
	case len(head) == 3 && head[0] == "diff" && strings.TrimSuffix(head[1], ".orig") == head[2]:
		unformatted.At.Path = head[2]
		s.Find(l, unformatted)
		return true
	case s.Last() != nil && s.Last().Message == unformatted.Message && s.Last().Detail+t != "" && (s.Last().Detail != "" || strings.HasPrefix(t, "--- ")):
		if hunk, ok := strings.CutPrefix(t, "@@ -"); ok && s.Last().At.Line == 0 {
			s.Last().At.Line = lex.LeadingNumber(hunk)
		}
		s.More(l)
		return true
	case l.Stream == tool.Stdout && strings.HasSuffix(t, ".go") && !strings.ContainsAny(t, " :"):
		s.Find(l, unformatted)
		return true
	}
	if d, ok := read.CutDiagnostic(t); ok && l.Stream == tool.Stderr {
		s.Find(l, result.Finding{Kind: result.BuildError, Message: d.Message, At: &d.At})
		return true
	}
	if l.Stream == tool.Stderr && (strings.HasPrefix(t, "stat ") || strings.HasPrefix(t, "lstat ") || strings.HasPrefix(t, "flag provided ")) {
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
		s.Meaning = result.MeansUsage
		return true
	}
	return false
}
