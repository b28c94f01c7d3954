package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("markdown-link-check", func(p *tool.Parser) {
	p.Is("markdown-link-check", result.Lint, 1, "markdown-link-check 3: default, --quiet")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: linkCheckLine}.Parse})
})

// linkCheckLine reads "FILE: notes.md", a row for each link, and each dead link again with its status:
// "[✖] url → Status: 404". With --quiet the file is named last, in "ERROR: 2 dead links found in notes.md !".
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
		s.Misuse(l, said)
	default:
		return dead
	}
	return true
}
