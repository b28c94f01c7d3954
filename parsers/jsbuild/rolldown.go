package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
