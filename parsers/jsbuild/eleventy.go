package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("eleventy", func(p *tool.Parser) {
	p.Is("eleventy", result.Build, 1, "eleventy 1 to 3")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[11ty] Eleventy Fatal Error", "[11ty] Problem writing Eleventy templates:"}, Parse: read.Lines((*eleventy).line)})
})

// eleventy reads an error, of which the outermost message is first, and which is repeated at the end:
//
//	[11ty] Eleventy Fatal Error (CLI):
//	[11ty] 1. Having trouble rendering njk template ./index.njk (via TemplateContentRenderError)
//	[11ty] 2. (./index.njk) [Line 1, Column 10]
//	[11ty]   unexpected token: %} (via Template render error)
//	[11ty]
//	[11ty] Original error stack trace: Error: unexpected token: %}
type eleventy struct {
	within bool // inside the lines of an error
	told   map[string]bool
}

func (e *eleventy) line(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "[11ty]")
	if !ok {
		return false
	}
	text = strings.TrimSpace(text)
	f := s.Last()
	switch {
	case strings.HasPrefix(text, "Wrote ") || strings.HasPrefix(text, "Copied "):
		s.Sign(l)
		s.Break()
	case lex.HasAnyPrefix(text, "Problem writing Eleventy templates", "Eleventy Fatal Error", "Eleventy Error"):
		s.Sign(l)
		s.Break()
		e.within = true
	case e.within && strings.HasPrefix(text, "Original error stack trace: "):
		e.within = false
		e.end(s)
		s.Sign(l)
	case e.within && f == nil:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: text})
		e.says(s, text)
	case e.within:
		s.More(l)
		e.says(s, text)
	default: // eleventy's own stack
		return false
	}
	return true
}

// says takes a line of the error: the innermost message becomes the finding's.
func (e *eleventy) says(s *read.Sink, text string) {
	f := s.Last()
	if number, rest, ok := strings.Cut(text, ". "); ok && lex.IsDigits(number) {
		text = rest
	}
	message, _, _ := strings.Cut(text, " (via ")
	if i := strings.Index(message, " template "); i > 0 && f.At == nil {
		f.At = &result.Location{Path: strings.TrimPrefix(message[i+len(" template "):], "./")}
	}
	if _, where, ok := strings.Cut(message, " [Line "); ok && f.At != nil {
		line, column, _ := strings.Cut(where, ", Column ")
		f.At.Line, f.At.Column = lex.LeadingNumber(line), lex.LeadingNumber(column)
	} else if _, where, ok := strings.Cut(message, ", line:"); ok && f.At != nil {
		line, column, _ := strings.Cut(where, ", col:")
		f.At.Line, f.At.Column = lex.LeadingNumber(line), lex.LeadingNumber(column)
	}
	said := strings.TrimPrefix(message, "Error: ")
	if said == "" || said[0] == '(' || lex.IsDigits(said[:1]) || said[0] == '-' { // the place, or an excerpt of the source
		return
	}
	f.Message = strings.Clone(said)
}

// end removes an error that is reported a second time.
func (e *eleventy) end(s *read.Sink) {
	f := s.Last()
	if f == nil {
		return
	}
	if strings.HasPrefix(f.Message, "A configuration file was specified but not found") || strings.HasPrefix(f.Message, "We don") {
		s.Meaning = result.MeansUsage
	}
	key := f.Message
	if f.At != nil {
		key += "\n" + f.At.Path
	}
	if e.told[key] {
		s.Findings = s.Findings[:len(s.Findings)-1]
	}
	if e.told == nil {
		e.told = map[string]bool{}
	}
	e.told[key] = true
	s.Break()
}
