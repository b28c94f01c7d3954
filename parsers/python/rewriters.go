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
	_ = Room.Add("pyupgrade", func() *tool.Parser { return rewriter("pyupgrade") })
	_ = Room.Add("add-trailing-comma", func() *tool.Parser { return rewriter("add-trailing-comma") })
	_ = Room.Add("reorder-python-imports", func() *tool.Parser { return rewriter("reorder-python-imports") })
)

func rewriter(name string) *tool.Parser {
	return &tool.Parser{
		Tool: name, Kind: result.Format, Version: 1,
		About:   name + ": the files that were rewritten",
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: rewroteLine}.Parse}, read.PythonTrouble(name)},
	}
}

func rewroteLine(s *read.Sink, l tool.Line) bool {
	for _, says := range [...]string{"Rewriting", "Reordering imports in"} {
		if path, ok := strings.CutPrefix(l.Text, says+" "); ok && path != "" {
			return s.Find(l, result.Finding{Message: strings.TrimSuffix(says, " in"), At: &result.Location{Path: path}})
		}
	}
	return false
}
