package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// These programs rewrite files in place, and exit with 1 if they rewrote any, so that a
// hook before a commit stops. They print the same lines, so one reader serves them all.

var (
	_ = Room.Add("pyupgrade", func(p *tool.Parser) { rewriter(p, "pyupgrade") })
	_ = Room.Add("add-trailing-comma", func(p *tool.Parser) { rewriter(p, "add-trailing-comma") })
	_ = Room.Add("reorder-python-imports", func(p *tool.Parser) { rewriter(p, "reorder-python-imports") })
)

func rewriter(p *tool.Parser, name string) {
	p.Is(name, result.Format, 1, name+": the files that were rewritten")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: rewroteLine}.Parse})
	p.Reads(read.PythonTrouble(name))
}

func rewroteLine(s *read.Sink, l tool.Line) bool {
	for _, says := range [...]string{"Rewriting", "Reordering imports in"} {
		if path, ok := strings.CutPrefix(l.Text, says+" "); ok && path != "" {
			return s.Find(l, result.Finding{Message: strings.TrimSuffix(says, " in"), At: &result.Location{Path: path}})
		}
	}
	return false
}
