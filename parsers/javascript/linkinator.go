package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("linkinator", func() *tool.Parser {
	return &tool.Parser{
		Tool: "linkinator", Kind: result.Lint, Version: 1,
		About:   "linkinator 4 to 7: default",
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: linkinatorLine}.Parse}},
	}
})

// linkinatorLine reads the summary: a page, and set in below it its links,
// "  [404] site/gone.html". The rows before it, at the margin, are the same links.
func linkinatorLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	status, link, row := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	row = row && text[0] == '[' && lex.IsDigits(status)
	switch {
	case strings.HasPrefix(text, "ERROR: Detected "):
		s.Claim(lex.LeadingNumber(text[len("ERROR: Detected "):]))
		return s.Close(l)
	case strings.HasPrefix(text, "The provided glob "):
		return s.Misuse(l, text)
	case row && l.Text[0] == ' ' && (status == "0" || status[0] >= '4'):
		f := result.Finding{Message: "broken link " + link + ", status " + status}
		if s.Path != "" {
			f.Message += ", in " + s.Path
		}
		s.Find(l, f)
		return s.Break()
	case !row && text != "" && l.Text[0] != ' ':
		s.Path = strings.Clone(text)
		return false
	}
	return row
}
