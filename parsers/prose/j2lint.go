package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// j2lint draws a tree, in which a row may take two lines:
//
//	├── j2/b.j2:2 Jinja statements should not have {%- or {%+ or -%} as delimiters
//	│   (jinja-statements-delimiter)
var _ = Room.Add("j2lint", func(p *tool.Parser) {
	p.Is("j2lint", result.Lint, 1, "j2lint 1: the tree and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/ERRORS/*": j2lintItems(result.SevError), "/WARNINGS/*": j2lintItems(result.SevWarning)}}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: j2lintLine}.Parse})
	p.Reads(read.PythonTrouble("j2lint"))
})

func j2lintItems(severity result.Severity) func(*read.Sink, []byte) error {
	return read.Objects{Default: severity, Path: "filename", Line: "line_number", Rule: "id", Message: "message"}.Item
}

func j2lintLine(s *read.Sink, l tool.Line) bool {
	row := strings.TrimLeft(l.Text, "│├└─ ")
	branch := strings.HasPrefix(l.Text, "├── ") || strings.HasPrefix(l.Text, "└── ")
	where, message, _ := strings.Cut(row, " ")
	switch at := read.PlaceOf(where); {
	case branch && at != nil && at.Line > 0:
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: j2lintSeverity(s), Rule: rule, Message: message, At: at})
	case strings.HasPrefix(l.Text, "────") && strings.Contains(l.Text, " JINJA2 LINT "):
		s.Path = strings.Trim(l.Text, "─ ")
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Jinja2 linting finished with "):
		n := read.Counts(l.Text)
		s.Claim(n["error(s)"])
		s.Close(l)
	case s.Last() != nil && row != "" && len(row) < len(l.Text):
		f := s.Last()
		f.Message, f.Rule = read.Parens.Cut(strings.TrimRight(f.Message, " ") + " " + row)
		f.RawSpan.End = max(f.RawSpan.End, l.End)
	default:
		s.Break()
		return strings.HasPrefix(l.Text, "Linting complete. No problems found")
	}
	return true
}

func j2lintSeverity(s *read.Sink) result.Severity {
	if strings.Contains(s.Path, "WARNING") {
		return result.SevWarning
	}
	return result.SevError
}
