package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pdm", func(p *tool.Parser) {
	p.Is("pdm", result.Package, 1, "pdm 2: install, lock, sync, build, run")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{Errors: []string{"ERROR: "}, Warnings: []string{"WARNING: "}, Other: pdmLine}.Parse})
	p.Reads(started("[PdmUsageError]: Command ", result.MeansNotFound), read.PythonTrouble("pdm"))
})

// pdmLine reads "[ProjectError]: text", which begins with the class of the exception.
func pdmLine(s *read.Sink, l tool.Line) bool {
	class, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "]: ")
	if !ok || l.Text[0] != '[' || strings.Contains(class, " ") || !strings.HasSuffix(class, "Error") && !strings.HasSuffix(class, "Exception") && !strings.HasSuffix(class, "Impossible") && !strings.HasSuffix(class, "NotFound") {
		return false
	}
	s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: class, Message: message})
	if class == "PdmUsageError" || class == "ProjectError" {
		s.Meaning = result.MeansUsage
	}
	return true
}
