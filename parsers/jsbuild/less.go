package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lessc", func(p *tool.Parser) {
	p.Is("less", result.Build, 1, "less 2 to 4")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: lessLine}.Parse})
})

// lessLine reads "NameError: variable @nope is undefined in /src/b.less on line 1,
// column 13:" and an excerpt.
func lessLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "lessc: "); ok {
		return s.Misuse(l, message)
	}
	class, message := jserror.CutClass(l.Text)
	i := strings.LastIndex(message, " on line ")
	if j := strings.LastIndex(message[:max(i, 0)], " in "); class != "" && j > 0 {
		line, column, _ := strings.Cut(message[i+len(" on line "):], ", column ")
		at := &result.Location{Path: message[j+len(" in ") : i], Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message[:j], At: at})
	}
	return s.Last() != nil && s.More(l)
}
