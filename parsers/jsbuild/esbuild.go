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
		s.Claim(n)
		return s.Close(l)
	}
	if at, rest, ok := place.Cut(l.Text); ok && strings.HasPrefix(rest, "ERROR: ") {
		at.Column++
		message, _, _ := strings.Cut(rest[len("ERROR: "):], " [plugin ")
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.Message == message && f.At != nil && *f.At == at }) {
			s.Cover(l)
			return true
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
			s.Cover(l)
			return true
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
