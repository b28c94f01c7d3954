package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("esbuild", func(p *tool.Parser) {
	p.Is("esbuild", result.Build, 1, "esbuild 0.8 to 0.25, and what is built on it (tsup, vite's dependency scan)")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Starts: []string{"✘ [ERROR] ", "✗ [ERROR] ", "▲ [WARNING] "}, Parse: read.Text{Line: esbuildLine}.Parse})
})

// esbuildLine reads "✘ [ERROR] text [rule]" and the place below it, "    src/a.js:1:18:", with a 0-based column. A
// plugin's message with a code of tsc or of Angular's compiler is left to their parser.
func esbuildLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(strings.TrimPrefix(l.Text, " WARN "))
	for mark, severity := range map[string]result.Severity{"✘ [ERROR] ": result.SevError, "✗ [ERROR] ": result.SevError, "▲ [WARNING] ": result.SevWarning} {
		if message, ok := strings.CutPrefix(text, mark); ok {
			if isCompilerCode(message) {
				s.Break()
				return false
			}
			if strings.HasPrefix(message, "Build failed with ") { // by a plugin, whose errors follow
				s.Break()
				return s.Sign(l)
			}
			message, rule := read.Brackets.Cut(message)
			return s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Rule: rule, Message: message})
		}
	}
	if n, rest, ok := lex.CutCount(text, "error"); ok && rest == "" && l.Text == text {
		return s.Found(l, n)
	}
	if at, rest, ok := place.Cut(l.Text); ok && strings.HasPrefix(rest, "ERROR: ") {
		at.Column++
		message, _, _ := strings.Cut(rest[len("ERROR: "):], " [plugin ")
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.Message == message && f.At != nil && *f.At == at }) {
			return s.Cover(l)
		}
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
	}
	if at, framed := jserror.Frame(text); len(s.Findings) > 0 && (framed && at.External || strings.HasPrefix(l.Text, "Error: Build failed with ")) {
		s.Cover(l) // the stack of the exception that esbuild throws
		return s.Break()
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if at := place.LastColons(strings.TrimSuffix(text, ":")); at != nil && strings.HasSuffix(text, ":") {
		if at.Column++; f.At == nil {
			f.At = at
			return s.Cover(l)
		}
		if len(f.Locations) < result.MaxFrames { // of a note: "… was originally declared here"
			f.Locations = append(f.Locations, *at)
		}
	}
	if l.Text != "" && l.Text[0] != ' ' {
		s.Break()
		return false
	}
	return s.More(l)
}

// isCompilerCode reports whether a message begins with a compiler's code: "TS2322: text", "TS-998001: text",
// "NG8001: text".
func isCompilerCode(message string) bool {
	code, _, ok := strings.Cut(message, ": ")
	if !ok || !strings.HasPrefix(code, "TS") && !strings.HasPrefix(code, "NG") {
		return false
	}
	return lex.IsDigits(strings.TrimPrefix(code[2:], "-"))
}

// rolldown and the bundlers that are built on it print the same framed diagnostics, so one reader serves them all.

var _ = Room.Add("rolldown", func(p *tool.Parser) { rolled(p, "rolldown", "rolldown 1") })
var _ = Room.Add("tsdown", func(p *tool.Parser) { rolled(p, "tsdown", "tsdown 0.10 to 0.20") })
var _ = Room.Add("nuxt nuxi", func(p *tool.Parser) { rolled(p, "nuxt", "nuxt 4: build") })
var _ = Room.Add("astro", func(p *tool.Parser) { rolled(p, "astro", "astro 4 to 7: build") })

func rolled(p *tool.Parser, name, about string) {
	p.Is(name, result.Build, 1, about)
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*rolling).line)})
}

// rolling reads rolldown's diagnostics, "[CODE] text" with an arrow to the place below, and astro's errors:
// "20:08:58 [ERROR] text", with the place below "Location:".
type rolling struct {
	read.Framed
	failed bool // astro reported an error that has no finding yet
	where  bool // the next line is the place of the last finding
}

func (r *rolling) line(s *read.Sink, l tool.Line) bool {
	if r.Line(s, l) {
		r.failed = false
		if f := s.Last(); f != nil {
			f.Kind = result.BuildError
		}
		return true
	}
	text := strings.TrimSpace(l.Text)
	said, bad := cutAstro(text)
	config, usage := strings.CutPrefix(text, "[config] ")
	class, message := cutBracketed(text)
	f := s.Last()
	nuxt, broken := lex.CutAnyPrefix(text, "■  Nuxt build error: ", "ERROR  Nuxt Build Error: ", "ERROR  Nuxt build error: ")
	switch entry, missing := strings.CutPrefix(text, "ERROR  Error: Cannot find entry: "); {
	case missing:
		s.Misuse(l, "Cannot find entry: "+entry)
		s.Break()
	case broken && !strings.Contains(nuxt, "Build failed with "): // rolldown's own diagnostics follow
		s.Find(l, viteOld(nuxt))
	case strings.HasPrefix(text, "ERROR  ✗ Build failed in "):
		s.Cover(l)
	case f != nil && strings.HasPrefix(text, "│  file: "):
		f.At = nil
		viteMore(f, strings.TrimPrefix(text, "│  "))
		s.More(l)
	case usage && strings.HasPrefix(config, "Astro found issue"):
		s.Meaning, r.failed = result.MeansUsage, true
		s.Sign(l)
	case r.failed && s.Meaning == result.MeansUsage && strings.HasPrefix(text, "! "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text[2:]})
	case bad && strings.Contains(said, "Build failed in "):
		r.failed = true
		s.Sign(l)
	case bad && strings.Contains(said, "Caught error rendering "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: said[strings.Index(said, "Caught"):]})
		s.Break()
	case r.failed && strings.HasSuffix(class, "Error") && message != "":
		r.failed = false
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case isCode(class) && strings.HasPrefix(message, "Error: "):
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: strings.TrimPrefix(message, "Error: ")})
	case f != nil && text == "Location:":
		r.where = true
		s.More(l)
	case r.where && f != nil:
		if r.where = false; f.At == nil {
			f.At = place.LastColons(text)
		}
		s.More(l)
	case f != nil && l.Text != "" && l.Text[0] == ' ':
		s.More(l)
	default:
		s.Break()
		return false
	}
	return true
}

// cutAstro removes the time and "[ERROR] " from a line.
func cutAstro(text string) (said string, ok bool) {
	if i := strings.LastIndex(text, "[ERROR] "); i >= 9 && lex.IsDigits(text[i-3:i-1]) && text[i-4] == ':' {
		return text[i+len("[ERROR] "):], true
	}
	return text, false
}

var _ = Room.Add("rollup", func(p *tool.Parser) {
	p.Is("rollup", result.Build, 1, "rollup 2 to 4")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"[!] RollupError: ", "[!] (plugin "}, Parse: read.Text{Line: rollupLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: rollupLine}.Parse})
})

// maxListed is the length, in bytes, from which no more modules are added to the message of a warning.
const maxListed = 300

// rollupLine reads "[!] RollupError: src/a.js (1:10): text" and "(!) text"; a place that the line does not have may
// follow.
func rollupLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(text, "[!] "); ok {
		return s.Find(l, viteOld(message))
	}
	if message, ok := strings.CutPrefix(text, "(!) "); ok {
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: message})
	}
	f := s.Last()
	if f == nil || strings.HasPrefix(text, "created ") {
		s.Break()
		return false
	}
	if f.Severity == result.SevWarning && (strings.Contains(text, " (imported by ") || strings.Contains(text, " -> ")) && len(f.Message) < maxListed {
		f.Message += ": " + text
	}
	if unknown, _, ok := strings.Cut(text, ". Allowed options: "); ok {
		f.Message += ": " + unknown
	}
	if at, _, ok := cutRollup(text + ": "); ok && f.At == nil {
		f.At = at
	} else if f.At == nil && jserror.IsScript(text) && !strings.Contains(text, " ") && !strings.Contains(text, "://") {
		f.At = &result.Location{Path: text}
	}
	return s.More(l)
}

// viteOld reads an error of rollup's: "src/a.js (1:10): text", before which plugins may be named, or "[vite]: text".
func viteOld(text string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Severity: result.SevError}
	if f.Rule, text = jserror.CutClass(text); f.Rule == "RollupError" || f.Rule == "RolldownError" {
		f.Rule = ""
	}
	said, plugin := text, "-"
	for plugin != "" {
		plugin, said = cutBracketed(said)
	}
	if at, rest, ok := cutRollup(said); ok {
		f.At, text = at, rest
		if where, said, ok := strings.Cut(rest, " "); ok && strings.HasPrefix(where, at.Path+":") && place.LastColons(where) != nil {
			f.At, text = place.LastColons(where), said // the message repeats the place
		}
	} else {
		f.At = importer(text)
	}
	f.Message = text
	return f
}

// importer returns the importing file that a message names: "imported by a.js".
func importer(text string) *result.Location {
	_, by, _ := strings.Cut(text, "imported by ")
	for _, word := range strings.FieldsFunc(by, func(r rune) bool { return strings.ContainsRune(` '"()`, r) }) {
		if jserror.IsScript(word) {
			return &result.Location{Path: word}
		}
	}
	return nil
}

// cutRollup reads "src/a.js (1:10): text".
func cutRollup(text string) (at *result.Location, rest string, ok bool) {
	head, rest, ok := strings.Cut(text, "): ")
	path, where, has := strings.Cut(head, " (")
	line, column, two := strings.Cut(where, ":")
	if !ok || !has || !two || !lex.IsDigits(line) || !lex.IsDigits(column) || strings.Contains(path, " ") {
		return nil, text, false
	}
	path, _, _ = strings.Cut(path, "?") // a plugin adds "?…" to the path for a part of the file
	return &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, rest, true
}
