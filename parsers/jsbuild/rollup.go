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
