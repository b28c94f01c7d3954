package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tach", func(p *tool.Parser) {
	p.Is("tach", result.Lint, 1, "tach 0.1x to 0.3x: check, check-external, --output json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(tachItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // a terminal gets a mark, such as "❌", in place of the word
		{Form: "[FAIL] {path}:{line}: {message}"},
		{Form: "❌ {path}:{line}: {message}"},
		{Form: "[WARN] {path}:{line}: {message}", As: read.Warning},
		{Form: "⚠️ {path}:{line}: {message}", As: read.Warning},
		{Form: "Configuration file not found.{}", As: read.Misuse},
		{Form: "✅ {}", As: read.Skip},
		{Form: "[OK] {}", As: read.Skip},
		{Form: "If you intended to add a new dependency{}", As: read.Skip},
		{Form: "Otherwise, remove any disallowed imports{}", As: read.Skip},
		{Form: "{word} Dependencies", As: read.Skip},
	}}.Parse})
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
