package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// The tools for GDScript, Godot's language: a linter, a parser, and a formatter that prints as black does.
var (
	_ = Room.Add("gdlint gdparse", func(p *tool.Parser) { gdTool(p, "gdlint", result.Lint, "gdlint gdparse") })
	_ = Room.Add("gdformat", func(p *tool.Parser) { gdTool(p, "gdformat", result.Format, "gdformat") })
)

func gdTool(p *tool.Parser, name string, kind result.Kind, programs string) {
	p.Is(name, kind, 1, name+" of gdtoolkit 4")
	p.Programs = strings.Fields(programs)
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{line}: Error: {message} ({rule})"},
		{Form: "Cannot open file '{path}': {message}", Fit: func(f *result.Finding) { f.Rule = "io" }},
		{Form: "{path}.gd:", As: read.InPath}, // a file that cannot be parsed, above the error
		{Form: "{message} at line {line}, column {column}.", Fit: func(f *result.Finding) {
			if f.Rule = "invalid-syntax"; f.At != nil {
				f.At.Path += ".gd"
			}
		}},
		{Form: "Failure: {#problems} problem{}", As: read.Close},
	}, Below: func(s *read.Sink, l tool.Line) bool {
		return l.Text != "" && s.Last() != nil && s.Last().Rule == "invalid-syntax"
	}, Other: blackLine}.Parse})
	p.Reads(read.PythonTrouble(name))
}
