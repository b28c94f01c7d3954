package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vite", func(p *tool.Parser) {
	p.Is("vite", result.Build, 1, "vite build 4 to 8")
	p.ColumnUnit = "char"
	p.Matches = func(argv []string) bool { return argv[0] == "vite" && (len(argv) == 1 || argv[1] != "preview") }
	p.Reads(tool.Format{Name: "text", Starts: []string{"error during build:", "✓ built in ", "✗ Build failed in "}, Parse: read.Lines((*vite).line)})
	p.Reads(tool.Format{Name: "text", Parse: viteRemains})
})

// fewestFrames is the minimum number of frames in a stack at the end of a failed build.
const fewestFrames = 3

// viteRemains reads what "| tail" leaves of a failed build: the end of the excerpt and the stack, without the line
// that has the message. Vite prints a stack of its own only there, as the last thing.
func viteRemains(in *tool.Input) *tool.Report {
	if !in.Headless {
		return nil
	}
	var last tool.Line
	frames, source, told := 0, "", false
	return read.Text{
		Line: func(s *read.Sink, l tool.Line) bool {
			text := strings.TrimSpace(l.Text)
			_, framed := jserror.Frame(text)
			switch {
			case text == "error during build:":
				told = true
			case framed:
				frames, last = frames+1, l
			case text == "", frames >= fewestFrames && strings.HasSuffix(last.Text, " {"): // fields of the error, printed as an object
			case jserror.IsExcerpt(text):
				if !strings.HasSuffix(text, "^") {
					source = strings.Clone(text)
				}
				frames = 0
			default:
				frames = 0
			}
			return framed
		},
		End: func(s *read.Sink) {
			if told || frames < fewestFrames {
				return
			}
			s.Doubt = "what was wrong is not in this output"
			message := "the build ended in an error that is not in this output: " + strings.TrimSpace(last.Text)
			s.Find(last, result.Finding{Kind: result.BuildError, Message: message, Detail: source})
		},
	}.Parse(in)
}

// vite reads rolldown's diagnostics, "[CODE] text" and below it "╭─[ path:1:19 ]", and older versions' errors below
// "error during build:".
type vite struct {
	failed, waits bool
	stream        tool.Stream // the stream with the failure
	fields        bool        // inside the fields of an error, which follow its stack
}

func (v *vite) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	code, message, coded := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	_, framed := jserror.Frame(text)
	f := s.Last()
	switch {
	case text == "error during build:" || strings.HasPrefix(text, "✗ Build failed in ") || strings.HasPrefix(text, "x Build failed in "):
		v.failed, v.waits, v.stream = true, text[0] == 'e', l.Stream
		if s.Break(); v.waits {
			return s.Sign(l)
		}
		s.Cover(l) // the program that runs vite may report the failure itself
	case strings.HasPrefix(text, "✓ built in "):
		s.Close(l)
	case strings.HasPrefix(text, "failed to load config from "):
		s.Meaning = result.MeansUsage
	case strings.Contains(text, "Build failed with ") && strings.HasSuffix(text, ":") && v.failed:
		v.waits = false
		s.Claim(lex.LeadingNumber(text[strings.Index(text, "Build failed with ")+len("Build failed with "):]))
	case v.failed && strings.HasPrefix(text, "[plugin "):
		v.waits = false
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: text, At: place.LastColons(message)})
	case f != nil && strings.HasPrefix(f.Message, "[plugin ") && text != "":
		thrown(f, text)
		s.More(l)
	case coded && text[0] == '[' && isCode(code):
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: v.severity(), Rule: code, Message: message})
	case v.failed && l.Stream != v.stream:
		return false
	case text != "" && !framed && (v.waits || f == nil && v.failed && cutsPlugin(text)):
		v.waits = false
		s.Find(l, viteOld(text))
	case framed && (f != nil || v.failed), v.fields:
		v.fields = strings.HasSuffix(text, " {") || v.fields && l.Text != "}"
		s.Cover(l)
		s.Break()
	case f == nil:
		return false
	default:
		viteMore(f, text)
		s.More(l)
	}
	return true
}

// thrown takes an exception of a plugin, below "[plugin name] path:10:5": a class, and a message that may repeat the
// place.
func thrown(f *result.Finding, text string) {
	said := viteOld(text)
	f.Rule, f.Message = said.Rule, said.Message
	if where, rest, ok := strings.Cut(f.Message, " "); ok && f.At != nil && place.LastColons(where) != nil {
		f.Message = rest
	}
}

func (v *vite) severity() result.Severity {
	if v.failed {
		return result.SevError
	}
	return result.SevWarning
}

// cutsPlugin reports whether a line is an error that the program that runs vite prints itself:
// "[commonjs--resolver] text".
func cutsPlugin(text string) bool {
	plugin, _ := cutBracketed(text)
	return plugin != "" && !strings.Contains(plugin, " ")
}

func isCode(s string) bool { return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" }

// viteMore looks for the place of a diagnostic, or svelte's rule, in a line below it.
func viteMore(f *result.Finding, text string) {
	if rule, ok := strings.CutPrefix(text, "https://svelte.dev/e/"); ok && f.Rule == "" {
		f.Rule, f.RuleURL = strings.Clone(rule), strings.Clone(text)
	}
	if f.At != nil && f.At.Line > 0 {
		return
	}
	if at := place.InCorner(text); at != nil {
		f.At = at
	} else if rest, ok := strings.CutPrefix(text, "file: "); ok {
		rest, _, _ = strings.Cut(rest, " (") // vite prints the whole path in parentheses
		if f.At = place.LastColons(rest); f.At == nil {
			f.At = &result.Location{Path: rest}
		}
	} else if f.At == nil && importer(text) != nil {
		f.At, f.Message = importer(text), f.Message+": "+text
	}
}
