package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// Cython shows the source above each error, and then the error in one line.
var _ = Room.Add("cython cythonize | cython3", func(p *tool.Parser) {
	p.Is("cython", result.Build, 1, "cython and cythonize 0.29 to 3")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error compiling Cython file:"}, Named: true, Parse: parseCython})
	p.Reads(read.PythonTrouble("cython", "cythonize"))
})

func parseCython(in *tool.Input) *tool.Report {
	return read.Linter{Accept: func(d *read.Diagnostic) bool {
		return strings.HasSuffix(d.At.Path, ".pyx") || strings.HasSuffix(d.At.Path, ".pxd") || strings.HasSuffix(d.At.Path, ".pxi") || strings.HasSuffix(d.At.Path, ".py")
	}, Other: func(s *read.Sink, l tool.Line) bool {
		if where, ok := strings.CutPrefix(l.Text, "warning: "); ok {
			if d, placed := read.CutDiagnostic(where); placed {
				return s.Find(l, result.Finding{Severity: result.SevWarning, Message: d.Message, At: &d.At})
			}
		}
		if prog, why, ok := strings.Cut(l.Text, ": "); ok && (prog == "cython" || strings.HasSuffix(prog, "/cython")) {
			return s.Misuse(l, why)
		}
		return l.Text == "Error compiling Cython file:" && s.Sign(l)
	}}.Parse(in)
}

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
