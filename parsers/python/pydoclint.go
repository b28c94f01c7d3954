package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pydoclint", func(p *tool.Parser) {
	p.Is("pydoclint", result.Lint, 1, "pydoclint 0.3 and later: grouped by file, and the file in every line")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pydoclintLine}.Parse})
	p.Reads(read.PythonTrouble("pydoclint"))
})

// pydoclintLine reads "    5: DOC107: text" below the name of its file.
func pydoclintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	where, message, ok := strings.Cut(text, ": DOC")
	code, message, coded := strings.Cut(message, ": ")
	path, number := s.Path, where
	if i := strings.LastIndexByte(where, ':'); i >= 0 {
		path, number = where[:i], where[i+1:]
	}
	switch {
	case ok && coded && lex.IsDigits(code) && lex.IsDigits(number) && len(number) < 8 && path != "":
		return s.Find(l, result.Finding{Rule: "DOC" + code, Message: strings.TrimSpace(message), At: &result.Location{Path: path, Line: lex.Atoi(number)}})
	case strings.HasSuffix(l.Text, ".py") && !strings.HasPrefix(l.Text, " "):
		s.Path = strings.Clone(text)
		return true
	case strings.HasPrefix(text, "Skipping files that match this pattern: "), strings.Contains(text, "No violations"):
		return s.Sign(l)
	}
	return false
}
