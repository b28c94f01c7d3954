package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lit-analyzer", func(p *tool.Parser) {
	p.Is("lit-analyzer", result.Lint, 1, "lit-analyzer 1 and 2: what is wrong in templates")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: litLine, Closes: true}.Parse})
})

// litLine reads the path of a file and, below it, blocks of a message, its line and its rule:
//
//	./src/my-element.ts
//
//	    Missing import for <my-element>
//	    19:  await fixture(html`<my-element></my-element>`);
//	    no-missing-import
func litLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, _, numbered := strings.Cut(text, ":")
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "./"):
		s.Path = strings.Clone(text)
		s.Break()
	case strings.HasPrefix(text, "✖ ") && strings.Contains(text, " problem"):
		s.Problems(lex.LeadingNumber(text[len("✖ "):]))
		return s.Close(l)
	case !strings.HasPrefix(l.Text, "    ") || s.Path == "":
		return text == "" && s.Path != ""
	case f != nil && f.At.Line == 0 && numbered && lex.IsDigits(number):
		f.At.Line = lex.Atoi(number)
		return s.More(l)
	case f != nil && f.At.Line > 0 && f.Rule == "":
		f.Rule = strings.Clone(text)
		s.More(l)
		s.Break()
	case f != nil && f.At.Line == 0:
		f.Message += " " + text
		return s.More(l)
	default:
		return s.Find(l, result.Finding{At: &result.Location{Path: s.Path}, Message: text})
	}
	return true
}
