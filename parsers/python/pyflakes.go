package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// pyflakes does not name rules, so its findings have a message only.
var _ = Room.Add("pyflakes", func(p *tool.Parser) {
	p.Is("pyflakes", result.Lint, 1, "pyflakes 2.2 to 3.4")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pyflakesLine}.Parse})
	p.Reads(read.PythonTrouble("pyflakes"))
})

// pyflakesLine reads "a.py:3:1: 'os' imported but unused", a syntax error with its
// source and caret below it, and "a.py: No such file or directory".
func pyflakesLine(s *read.Sink, l tool.Line) bool {
	at, source := "<stdin>", l.Text
	if rest, ok := strings.CutPrefix(l.Text, at); ok {
		source = "stdin" + rest
	}
	if d, ok := read.CutDiagnostic(source); ok && (s.Last() == nil || l.Stream != tool.Stderr || !strings.HasPrefix(l.Text, " ")) {
		if source != l.Text {
			d.At.Path = at
		}
		return s.Find(l, result.Finding{Message: d.Message, At: &d.At})
	}
	if path, ok := strings.CutSuffix(l.Text, ": No such file or directory"); ok && l.Stream == tool.Stderr {
		return s.Find(l, result.Finding{Message: "No such file or directory", At: &result.Location{Path: path}})
	}
	return s.Last() != nil && l.Stream == tool.Stderr && s.More(l)
}
