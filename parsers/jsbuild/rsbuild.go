package jsbuild

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rsbuild rslib", func(p *tool.Parser) {
	p.Is("rsbuild", result.Build, 1, "rsbuild and rslib 1 and 2: errors and warnings of a build")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Starts: []string{"error   Build error", "warn    Build warning"}, Parse: parseRsbuild})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: rsbuildTrouble}.Parse})
})

// parseRsbuild reads a file with its place, and the reason below it:
//
//	error   Build errors:
//	File: ./src/main.js:1:1-34
//	  × Module not found: Can't resolve './nothere' in '/src'
func parseRsbuild(in *tool.Input) *tool.Report {
	severity, waits := result.SevError, false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimSpace(l.Text)
		where, file := strings.CutPrefix(text, "File: ")
		said := strings.TrimLeft(text, "×╰├─▶│ ")
		f := s.Last()
		switch {
		case strings.HasPrefix(text, "error   Build error"):
			severity = result.SevError
			s.Sign(l)
		case strings.HasPrefix(text, "warn    Build warning"):
			severity = result.SevWarning
			s.Sign(l)
		case isRsbuild(text):
			s.Break()
			s.Cover(l)
		case file:
			at := read.PlaceOf(where)
			at = cmp.Or(at, &result.Location{Path: where})
			s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Message: "?", At: at})
			waits = true
		case f == nil:
			return false
		case waits && said != "":
			f.Message, waits = strings.Clone(said), false
		case strings.HasSuffix(f.Message, ":") && strings.Contains(text, "× ") && said != "":
			f.Message += " " + said
		default:
			s.More(l)
		}
		return true
	}}.Parse(in)
}

// isRsbuild reports whether a line is rsbuild's own: it begins with a label.
func isRsbuild(text string) bool {
	return lex.HasAnyPrefix(text, "error   ", "info    ", "ready   ", "start   ", "warn    ")
}

// rsbuildTrouble reads "error   Cannot find config file: /src/nope.mjs", and errors of the compiler that writes
// declarations: "error   [tsc] src/lib.ts:2:33 - TS2345: text", with the source below.
func rsbuildTrouble(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "error   ")
	if spot, said, typed := strings.Cut(strings.TrimPrefix(message, "[tsc] "), " - TS"); ok && typed {
		code, text, _ := strings.Cut(said, ": ")
		return s.Find(l, result.Finding{Rule: "TS" + code, Message: text, At: read.PlaceOf(spot)})
	} else if f := s.Last(); f != nil && f.At != nil && !isRsbuild(l.Text) {
		return s.More(l)
	}
	if !ok || len(s.Findings) > 0 || strings.HasPrefix(message, "Build error") || strings.HasPrefix(message, "build failed") {
		return s.Last() != nil && strings.HasPrefix(l.Text, "    at ")
	}
	class, message := jserror.CutClass(message)
	switch {
	case strings.HasPrefix(message, "Failed to "), strings.HasSuffix(message, ":"): // the reason follows
	case class == "CACError", strings.HasPrefix(message, "Cannot find config file"):
		s.Misuse(l, message)
	default:
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	}
	return true
}
