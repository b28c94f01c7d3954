package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// What follows the links of pages.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "markdown-link-check", Kind: result.Lint, Version: 1,
		About:   "markdown-link-check 3: default, --quiet",
		Matches: tool.Runs("markdown-link-check"), Programs: []string{"markdown-link-check"},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: linkCheckLine}.Parse}},
	}
})

// linkCheckLine reads "FILE: notes.md", below it a row for each link, and the dead
// ones again with their status, "[✖] url → Status: 404". With --quiet the file is
// told behind them, in "ERROR: 2 dead links found in notes.md !".
func linkCheckLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	link, dead := strings.CutPrefix(text, "[✖] ")
	url, status, told := strings.Cut(link, " → Status: ")
	path, file := strings.CutPrefix(text, "FILE: ")
	said, failed := strings.CutPrefix(text, "ERROR: ")
	switch {
	case file:
		s.Path = strings.Clone(path)
	case failed && strings.Contains(said, " dead link"):
		s.Claim(lex.LeadingNumber(said))
		s.Sign(l)
		_, path, quiet := strings.Cut(strings.TrimSuffix(said, " !"), " found in ")
		for i := range s.Findings {
			if f := &s.Findings[i]; quiet && f.At == nil {
				f.At = &result.Location{Path: strings.Clone(path)}
			}
		}
	case dead && told:
		f := result.Finding{Message: "dead link " + url + ", status " + status}
		if s.Path != "" {
			f.At = &result.Location{Path: s.Path}
		}
		s.Find(l, f)
		s.Break()
	case failed:
		cannotRun(s, l, said)
	default:
		return dead
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "linkinator", Kind: result.Lint, Version: 1,
		About:   "linkinator 4 to 7: default",
		Matches: tool.Runs("linkinator"), Programs: []string{"linkinator"},
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
		s.Close(l)
	case strings.HasPrefix(text, "The provided glob "):
		cannotRun(s, l, text)
	case row && l.Text[0] == ' ' && (status == "0" || status[0] >= '4'):
		f := result.Finding{Message: "broken link " + link + ", status " + status}
		if s.Path != "" {
			f.Message += ", in " + s.Path
		}
		s.Find(l, f)
		s.Break()
	case !row && text != "" && l.Text[0] != ' ':
		s.Path = strings.Clone(text)
		return false
	default:
		return row
	}
	return true
}
