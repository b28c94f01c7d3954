package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("coffeelint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "coffeelint", Kind: result.Lint, Version: 1,
		About: "coffeelint 2 to 5: default",
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"✗ Lint! » "}, Parse: read.Text{Line: coffeelintLine}.Parse},
		},
	}
})

// coffeelintLine reads "  ✗ a.coffee", below it "     ✗ #2-2: Text. (rule) more".
func coffeelintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if strings.Contains(text, " Lint! » ") || strings.Contains(text, " Ok! » ") {
		s.Claim(lex.LeadingNumber(text[strings.Index(text, "» ")+len("» "):]))
		return s.Close(l)
	}
	mark, rest, _ := strings.Cut(text, " ")
	severity := map[string]result.Severity{"✗": result.SevError, "⚡": result.SevWarning, "✓": result.SevInfo}[mark]
	where, message, row := strings.Cut(strings.TrimPrefix(rest, "#"), ": ")
	switch {
	case severity == "" || !strings.HasPrefix(l.Text, "  "):
		return false
	case row && rest[0] == '#' && s.Path != "":
		f := result.Finding{Severity: severity, Message: message, At: &result.Location{Path: s.Path, Line: lex.LeadingNumber(where)}}
		if said, behind, ok := strings.Cut(message, ". ("); ok {
			f.Rule, message, _ = strings.Cut(behind, ")")
			f.Message = strings.TrimSpace(said + ". " + strings.TrimSpace(message))
		}
		s.Find(l, f)
		s.Break()
	default:
		s.Path = strings.Clone(rest)
		s.Cover(l)
	}
	return true
}
