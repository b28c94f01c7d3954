package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pip-licenses stops at the first package whose licence is not wanted.
var _ = Room.Add("pip-licenses", func(p *tool.Parser) {
	p.Is("pip-licenses", result.Security, 1, "pip-licenses 4 and 5: --fail-on, --allow-only")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		why, name, ok := strings.Cut(l.Text, " was found for package ")
		if !ok || !strings.Contains(why, "license ") {
			return false
		}
		name, version, _ := strings.Cut(name, ":")
		return s.Find(l, result.Finding{ID: lex.Clip(name), Rule: "license", Message: why + " was found for package " + name + " " + version})
	}}.Parse})
	p.Reads(read.PythonTrouble("pip-licenses"))
})
