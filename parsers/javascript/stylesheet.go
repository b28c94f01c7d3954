package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Compilers of style sheets.

var _ = Room.Add("sass", func() *tool.Parser {
	return &tool.Parser{
		Tool: "sass", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About: "dart-sass 1.x",

		Exits:   map[int]result.Meaning{64: result.MeansUsage, 66: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: sassLine}.Parse}},
	}
})

// sassLine reads "Error: Undefined variable.", an excerpt, and the place with what
// was being done there: "  src/a.scss 1:13  root stylesheet".
func sassLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, bad := strings.CutPrefix(l.Text, "Error: ")
	switch {
	case bad:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case lex.HasAnyPrefix(l.Text, "Error reading ", "Could not find an option", "Positional arguments"):
		s.Misuse(l, l.Text)
		s.Break()
	case lex.HasAnyPrefix(l.Text, "WARNING: ", "DEPRECATION WARNING"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: l.Text})
	case s.Last() == nil:
		return s.Meaning == result.MeansUsage
	default:
		path, rest, _ := strings.Cut(text, " ")
		where, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if at := place.LastColons(path + ":" + where); at != nil && at.Column > 0 && s.Last().At == nil {
			s.Last().At = at
		}
		s.More(l)
	}
	return true
}

var _ = Room.Add("lessc", func() *tool.Parser {
	return &tool.Parser{
		Tool: "less", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About: "less 2 to 4",

		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: lessLine}.Parse}},
	}
})

// lessLine reads "NameError: variable @nope is undefined in /src/b.less on line 1,
// column 13:" and an excerpt.
func lessLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "lessc: "); ok {
		s.Misuse(l, message)
		return true
	}
	class, message := jserror.CutClass(l.Text)
	i := strings.LastIndex(message, " on line ")
	if j := strings.LastIndex(message[:max(i, 0)], " in "); class != "" && j > 0 {
		line, column, _ := strings.Cut(message[i+len(" on line "):], ", column ")
		at := &result.Location{Path: message[j+len(" in ") : i], Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message[:j], At: at})
		return true
	}
	if s.Last() != nil {
		s.More(l)
	}
	return s.Last() != nil
}
