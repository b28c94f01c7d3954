package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bibtex | bibtex8 bibtexu", func(p *tool.Parser) {
	p.Is("bibtex", result.Build, 1, "BibTeX 0.99: databases that do not parse, entries that are missing")
	p.Reads(tool.Format{Name: "text", Starts: []string{"This is BibTeX, Version "}, Parse: read.Lines((*bibtex).line)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*bibtex).line)})
})

// bibtex reads warnings, and error messages with the place on the same line or on the next:
//
//	I was expecting a `,' or a `}'---line 2 of file b.bib
//	Warning--I didn't find a database entry for "missing"
//	(There were 2 error messages)
type bibtex struct{ above tool.Line }

func (b *bibtex) line(s *read.Sink, l tool.Line) bool {
	above := b.above
	b.above = l
	message, where, ok := strings.Cut(l.Text, "---line ")
	line, file, placed := strings.Cut(where, " of file ")
	if ok && placed && lex.IsDigits(line) {
		head := l
		if message == "" {
			head, message = above, above.Text
		}
		s.Find(head, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: file, Line: lex.Atoi(line)}})
		if head.Text != l.Text {
			s.More(l)
		}
		return true
	}
	if text, file, ok := strings.Cut(l.Text, "---while reading file "); ok {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: text, At: &result.Location{Path: file}})
	}
	if text, ok := strings.CutPrefix(l.Text, "Warning--"); ok {
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: text})
	}
	switch rest, counted := strings.CutPrefix(l.Text, "(There w"); {
	case strings.HasPrefix(l.Text, "--line ") && s.Last() != nil: // "--line 7 of file b.bib", below a warning
		line, file, _ := strings.Cut(l.Text[7:], " of file ")
		s.Last().At = &result.Location{Path: file, Line: lex.Atoi(line)}
		return true
	case counted:
		if _, n, _ := strings.Cut(rest, " "); strings.Contains(n, "error") {
			s.Claim(max(lex.LeadingNumber(n), 1))
		}
		return s.Close(l)
	case strings.HasPrefix(l.Text, "This is BibTeX, Version "):
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "I couldn't open file name `"):
		return s.Misuse(l, l.Text)
	}
	return false
}
