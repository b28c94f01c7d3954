package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("clang-format", func(p *tool.Parser) {
	p.Is("clang-format", result.Format, 1, "clang-format 10 to 21 with --dry-run")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Other: clangFormatSays,
		Accept: func(d *read.Diagnostic) bool { return strings.HasPrefix(d.Rule, "-Wclang-format") || d.Word == "error" }}.Parse})
})

func clangFormatSays(s *read.Sink, l tool.Line) bool {
	return l.Stream == tool.Stderr && s.MisuseIf(l, "Invalid value for ", "No such file", "clang-format: ", "error: ", "Error reading ")
}
