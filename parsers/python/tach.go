package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tach", func(p *tool.Parser) {
	p.Is("tach", result.Lint, 1, "tach 0.1x to 0.3x: check, check-external, --output json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(tachItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: tachLine}.Parse})
	p.Reads(read.PythonTrouble("tach"))
})

func tachItem(s *read.Sink, v *struct {
	Located struct {
		Path     string `json:"file_path"`
		Line     int    `json:"line_number"`
		Severity string
		Details  struct {
			Code map[string]struct {
				Dependency string
				Usage      string `json:"usage_module"`
				Definition string `json:"definition_module"`
			}
		}
	}
}) {
	at := result.Location{Path: v.Located.Path, Line: v.Located.Line}
	for name, code := range v.Located.Details.Code {
		s.FindHere(result.Finding{
			Severity: read.SeverityOf(v.Located.Severity), At: &at, Extra: map[string]any{"code": name},
			Message: "Cannot use '" + code.Dependency + "'. Module '" + code.Usage + "' cannot depend on '" + code.Definition + "'.",
		})
	}
}

// tachLine reads "[FAIL] pier/core.py:1: Cannot use 'pier.web.x'. …", on a terminal
// with a mark in place of the word, and what keeps tach from its work.
func tachLine(s *read.Sink, l tool.Line) bool {
	mark, rest, _ := strings.Cut(l.Text, " ")
	at, message, ok := place.Cut(rest)
	switch {
	case ok && (mark == "[FAIL]" || mark == "❌"):
		return s.Find(l, result.Finding{Message: message, At: &at})
	case ok && (mark == "[WARN]" || mark == "⚠️"):
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: message, At: &at})
	case strings.HasPrefix(l.Text, "Configuration file not found."):
		return s.Misuse(l, l.Text)
	case lex.HasAnyPrefix(l.Text, "✅ ", "[OK] ", "If you intended to add a new dependency", "Otherwise, remove any disallowed imports"),
		strings.HasSuffix(l.Text, " Dependencies") && len(l.Text) < 32:
		return s.Sign(l)
	}
	return false
}
