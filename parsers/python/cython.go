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
