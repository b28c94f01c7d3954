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

// parseJavadoc reads javadoc's errors, which have javac's form. The exit code is the same for an unknown
// option and for an error in a comment, so the findings decide the meaning.
func parseJavadoc(in *tool.Input) *tool.Report {
	return read.Text{Line: (&javac{}).line, End: func(s *read.Sink) {
		if len(s.Findings) == 1 && s.Findings[0].At == nil && strings.HasPrefix(s.Findings[0].Message, "invalid flag: ") {
			s.Meaning = result.MeansUsage
		} else if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.At != nil }) {
			s.Meaning = result.MeansFindings // whatever the exit code, javadoc read the sources
		}
	}}.Parse(in)
}
