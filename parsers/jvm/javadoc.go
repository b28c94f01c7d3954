package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("javadoc", func(p *tool.Parser) {
	p.Is("javadoc", result.Build, 1, "javadoc 11 to 25: text, with -Xdoclint and -Werror")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal, 4: result.MeansCrashed}
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseJavadoc)})
})

// parseJavadoc reads what javadoc says in javac's form. An option that it does not
// know has the exit status of an error in a comment.
func parseJavadoc(in *tool.Input) *tool.Report {
	return read.Text{Line: (&javac{}).line, End: func(s *read.Sink) {
		if len(s.Findings) == 1 && s.Findings[0].At == nil && strings.HasPrefix(s.Findings[0].Message, "invalid flag: ") {
			s.Meaning = result.MeansUsage
		} else if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.At != nil }) {
			s.Meaning = result.MeansFindings // whatever the exit status, it read the sources
		}
	}}.Parse(in)
}
