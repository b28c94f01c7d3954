package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autoflake", func(p *tool.Parser) {
	p.Is("autoflake", result.Lint, 1, "autoflake 1.x and 2.x: --check, --check-diff, --stdout")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Patch{Says: unusedNames, Other: autoflakeLine}.Parse})
	p.Reads(read.PythonTrouble("autoflake"))
})

var unusedNames = result.Finding{Rule: "unused", Message: "Unused imports/variables detected", Fixable: true}

// autoflakeLine reads "src/a.py: Unused imports/variables detected". With --check-diff, the file
// already has a finding from its difference, so the line adds nothing.
func autoflakeLine(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutSuffix(l.Text, ": "+unusedNames.Message); ok {
		if n := len(s.Findings); n > 0 && s.Findings[n-1].At != nil && s.Findings[n-1].At.Path == path {
			return true
		}
		f := unusedNames
		f.At = &result.Location{Path: path}
		return s.Find(l, f)
	}
	if strings.HasSuffix(l.Text, ": No issues detected!") {
		return s.Sign(l)
	}
	return notThere(s, l)
}
