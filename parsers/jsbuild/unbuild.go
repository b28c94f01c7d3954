package jsbuild

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("unbuild", func(p *tool.Parser) {
	p.Is("unbuild", result.Build, 1, "unbuild 2 and 3: what rollup says, in the log of consola")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: unbuildLine}.Parse})
})

// unbuildLine reads " ERROR  Error building /src/ufo: RollupError: text". The error is repeated without the head,
// once with its stack.
func unbuildLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, ok := strings.CutPrefix(text, "ERROR  ")
	if _, framed := jserror.Frame(text); !ok {
		return framed && s.Last() != nil && s.More(l)
	}
	if rest, building := strings.CutPrefix(said, "Error building "); building {
		_, said, _ = strings.Cut(rest, ": ")
	}
	f := viteOld(said)
	if f.Rule == "RollupError" {
		f.Rule = ""
	}
	if _, from, found := strings.Cut(f.Message, " from \""); found && f.At == nil {
		f.At = &result.Location{Path: strings.TrimSuffix(from, "\"")}
	}
	if slices.ContainsFunc(s.Findings, func(told result.Finding) bool { return told.Message == f.Message }) {
		s.Cover(l)
		return true
	}
	return s.Find(l, f)
}
