package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("isort", func(p *tool.Parser) {
	p.Is("isort", result.Format, 1, "isort 4.3 to 9.0: --check, --diff")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: … Imports are incorrectly sorted"}, Parse: read.Rows{Rows: []read.Row{{Form: "ERROR: {path} Imports are {message}.", Fit: func(f *result.Finding) {
		f.Rule, f.Message, f.Fixable = "unsorted", "Imports are "+f.Message, true
	}}}}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Rows{Rows: []read.Row{{Form: "ERROR: Unrecoverable exception thrown when parsing {path}!{}", Fit: func(f *result.Finding) { f.Message = "cannot parse" }}}, Other: isortBroken}.Parse})
	p.Reads(read.PythonTrouble("isort"))
})

// isortBroken reads "Broken 1 paths", isort's only message about files that do not exist.
func isortBroken(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "Broken ") && strings.HasSuffix(l.Text, " paths") && s.Misuse(l, l.Text+": no such file or directory")
}
