package jsbuild

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("storybook | sb build-storybook", func(p *tool.Parser) {
	p.Is("storybook", result.Build, 1, "storybook build 8 to 10")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{storybookFails, storybookIndex}, Named: true, Parse: read.Lines((*storybook).line)})
})

const (
	storybookFails = "=> Failed to build the preview"
	storybookIndex = "🚨 Unable to index "
)

// storybook reads storybook's own message about a file of stories that it cannot index. Below
// "=> Failed to build the preview" it repeats what vite prints below "error during build:".
type storybook struct {
	vite
	index bool   // the reason why the last file was not indexed follows
	addon string // the last line about an addon that could not be resolved; it is printed several times
}

func (b *storybook) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, indexed := strings.CutPrefix(text, storybookIndex)
	switch {
	case text == storybookFails:
		b.failed, b.waits, b.stream = true, true, l.Stream
		s.Break()
		return s.Sign(l)
	case indexed:
		b.index, b.failed, b.stream = true, true, l.Stream
		s.Sign(l)
		return s.Find(l, result.Finding{Kind: result.BuildError, At: &result.Location{Path: strings.TrimSuffix(path, ":")}, Message: text})
	case b.index && s.Last() != nil:
		b.index = false
		f := s.Last()
		f.Message = "Unable to index: " + strings.TrimPrefix(text, "Error: ")
		if _, where, ok := strings.Cut(text, " (line "); ok {
			f.At.Line = lex.LeadingNumber(where)
		}
		return s.More(l)
	case strings.HasPrefix(text, "Could not resolve addon ") && text == b.addon:
		return s.Cover(l)
	case strings.HasPrefix(text, "Could not resolve addon "):
		b.addon = strings.Clone(text)
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: text}) && s.Break()
	case strings.HasPrefix(text, "Error: Unable to index "): // the same error again, with its stack
		s.Break()
		return s.Cover(l)
	}
	return b.vite.line(s, l)
}

var _ = Room.Add("vitepress", func(p *tool.Parser) {
	p.Is("vitepress", result.Build, 1, "vitepress build 1")
	p.Matches = tool.RunsSub("vitepress", "build")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: vitepressLine}.Parse})
})

// vitepressLine reads "(!) Found dead link ./nothere in file index.md", and the error below "build error:":
// "[plugin] text" and "file: path:6:7".
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
		f.At = cmp.Or(f.At, place.LastColons(where))
		s.Break()
	case s.Path != "" && strings.HasSuffix(text, " dead link(s) found."): // each has a finding
		s.Path = ""
	case s.Path != "" && text != "":
		s.Path = ""
		plugin, said := cutBracketed(text)
		_, said = cutBracketed(said)
		if plugin == "" || strings.HasPrefix(said, "Build failed with ") { // a compiler reports this error itself
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

// below returns a path of the site as it is seen from the command's directory: the command names the site's folder.
func below(s *read.Sink, path string) string {
	for _, arg := range s.In.Command().Argv[1:] {
		if arg != "build" && arg[0] != '-' {
			return arg + "/" + path
		}
	}
	return path
}

// Metro bundles for expo and react-native. It prints one error, with an excerpt or a stack:
//
//	Error: Unable to resolve module ../theme from /src/app/index.js:
//	> 3 | import { theme } from "../theme";
//	SyntaxError: /src/app/index.js: Unexpected token (7:4)
var _ = Room.Add("expo metro react-native", func(p *tool.Parser) {
	p.Is("expo", result.Build, 1, "expo 49 to 56 and Metro: export, config")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{expoResolve}, Named: true, Parse: read.Fresh(func(e *expo) read.Text {
		return read.Blocks{
			Head: func(text string) (string, bool) {
				return text, lex.HasAnyPrefix(text, expoResolve, "SyntaxError: ", "PluginError: ", "CommandError: ", "ConfigError: ", "TransformError ")
			},
			Ends: func(text string) bool {
				return strings.Contains(text, "Bundling failed ") || text == "Starting Metro Bundler"
			},
			Take: e.failed,
			Other: func(s *read.Sink, l tool.Line) bool {
				return strings.Contains(l.Text, "Bundling failed ") && s.Sign(l)
			},
		}.Text()
	})})
})

const expoResolve = "Error: Unable to resolve module "

type expo struct {
	told string // the last error: one in the configuration is printed twice, with its stack and without
}

func (e *expo) failed(s *read.Sink, b *read.Block) {
	title := strings.TrimSpace(b.Title)
	if title == e.told {
		s.Break()
		return
	}
	e.told = title
	f := result.Finding{Kind: result.BuildError, Message: title}
	if module, from, ok := strings.Cut(title, " from "); ok && strings.HasPrefix(title, expoResolve) {
		title, f.At = module, &result.Location{Path: strings.TrimSuffix(from, ":")}
	}
	jserror.Explain(&f, append([]string{title}, b.Body...))
	s.FindBlock(b, f)
}

var _ = Room.Add("electron-builder", func(p *tool.Parser) {
	p.Is("electron-builder", result.Build, 1, "electron-builder 24 to 26: what ended a build")
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*electronBuilder).line)})
})

// electronBuilder reads "  ⨯ text  failedTask=build stackTrace=…", and a list of mistakes in the configuration,
// " - configuration has an unknown property 'file'". The stack repeats the list.
type electronBuilder struct{ stack bool }

func (e *electronBuilder) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, ok := strings.CutPrefix(text, "⨯ ")
	before, _, stack := strings.Cut(text, "failedTask=")
	e.stack = (e.stack || stack) && !strings.HasPrefix(text, "• ")
	f := s.Last()
	switch {
	case ok:
		if stack {
			said = strings.TrimPrefix(before, "⨯ ")
		}
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(said)})
	case strings.HasPrefix(text, "• "), f == nil:
		s.Break()
		return false
	case !e.stack && strings.HasPrefix(text, "- "):
		f.Message += "; " + strings.TrimSuffix(text[2:], ":")
	}
	return s.More(l)
}

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
	lex.Put(&e.told, key, true)
	s.Break()
}
