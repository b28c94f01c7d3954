package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Generators of sites.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "eleventy", Kind: result.Build, Version: 1,
		About:   "eleventy 1 to 3",
		Matches: tool.Runs("eleventy"), Programs: []string{"eleventy"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"[11ty] Eleventy Fatal Error", "[11ty] Problem writing Eleventy templates:"}, Parse: func(in *tool.Input) *tool.Report {
			return read.Text{Line: (&eleventy{}).line}.Parse(in)
		}}},
	}
})

// eleventy reads an error, told from without to within and repeated at the end:
//
//	[11ty] Eleventy Fatal Error (CLI):
//	[11ty] 1. Having trouble rendering njk template ./index.njk (via TemplateContentRenderError)
//	[11ty] 2. (./index.njk) [Line 1, Column 10]
//	[11ty]   unexpected token: %} (via Template render error)
//	[11ty]
//	[11ty] Original error stack trace: Error: unexpected token: %}
type eleventy struct {
	within bool // the error is being told
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
	case strings.HasPrefix(text, "Problem writing Eleventy templates"), strings.HasPrefix(text, "Eleventy Fatal Error"), strings.HasPrefix(text, "Eleventy Error"):
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
	default: // the stack, which is of the generator
		return false
	}
	return true
}

// says takes a line of the error: the innermost is the message.
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

// end takes back what is told a second time.
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

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "vitepress", Kind: result.Build, Version: 1,
		About:   "vitepress build 1",
		Matches: tool.RunsSub("vitepress", "build"), Programs: []string{"vitepress"},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: vitepressLine}.Parse}},
	}
})

// vitepressLine reads "(!) Found dead link ./nothere in file index.md", and what the
// build says behind "build error:": "[plugin] text" and "file: path:6:7".
func vitepressLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if dead, ok := strings.CutPrefix(text, "(!) Found dead link "); ok {
		if link, path, ok := strings.Cut(dead, " in file "); ok {
			s.Find(l, result.Finding{Rule: "dead-link", Message: "dead link " + link, At: &result.Location{Path: below(s, path)}})
			s.Break()
		}
		return true
	}
	f := s.Last()
	switch where, placed := strings.CutPrefix(text, "file: "); {
	case text == "build error:":
		s.Path = text
	case placed && f != nil:
		if f.At == nil {
			f.At = place.LastColons(where)
		}
		s.Break()
	case s.Path != "" && strings.HasSuffix(text, " dead link(s) found."): // each was told
		s.Path = ""
	case s.Path != "" && text != "":
		s.Path = ""
		plugin, said := cutBracketed(text)
		_, said = cutBracketed(said)
		if plugin == "" || strings.HasPrefix(said, "Build failed with ") { // a compiler tells of it itself
			return false
		}
		found := viteOld(said)
		found.Rule = plugin
		s.Find(l, found)
	default:
		return false
	}
	return true
}

// below is a path as it is seen from where the command ran, which names the folder
// of the site.
func below(s *read.Sink, path string) string {
	for _, arg := range s.In.Command().Argv[1:] {
		if arg != "build" && arg[0] != '-' {
			return arg + "/" + path
		}
	}
	return path
}
