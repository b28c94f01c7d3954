package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pyproject-build | build", func(p *tool.Parser) {
	p.Is("build", result.Build, 3, "build 0.7 to 1.6, python -m build")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR Backend subprocess ", "ERROR Source "}, Named: true, Parse: func(in *tool.Input) *tool.Report {
		b := &backend{files: place.NewFiles(in.Workspace)}
		return read.Said{Kind: result.BuildError, Errors: []string{"ERROR "}, Warnings: []string{"WARNING "}, Other: b.line, End: b.end}.Parse(in)
	}})
	p.Reads(read.PythonTrouble("pyproject-build", "build"))
})

// backend reads the output of the build backend, a program of its own. build itself only reports
// that the backend failed.
type backend struct {
	files *place.Files
	trace read.Traceback
	f     result.Finding // the reason why the backend failed
}

func (b *backend) line(s *read.Sink, l tool.Line) bool {
	switch {
	case b.trace.Line(l.Text):
		if s.Cover(l); b.trace.Whole() {
			b.f = b.trace.Finding(b.files)
		}
		return true
	case strings.HasPrefix(l.Text, "configuration error: ") && b.f.Message != "":
		b.f.Message += " " + l.Text // the second line of the message of setuptools' exception
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "error: "):
		b.f = result.Finding{Message: strings.TrimPrefix(l.Text, "error: ")}
		return s.Sign(l)
	}
	return strings.HasPrefix(l.Text, "TIP ")
}

// end adds the backend's reason to the step that failed.
func (b *backend) end(s *read.Sink) {
	for i := range s.Findings {
		if f := &s.Findings[i]; b.f.Message != "" && strings.HasPrefix(f.Message, "Backend subprocess exited ") {
			f.Rule, f.At, f.Message = b.f.Rule, b.f.At, f.Message+": "+lex.Clip(b.f.Message)
		}
	}
}
