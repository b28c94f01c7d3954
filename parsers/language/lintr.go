package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("Rscript", func(p *tool.Parser) {
	p.Is("lintr", result.Lint, 1, "lintr 2 and 3, R: what lint, lint_dir and lint_package print")
	p.Matches = isLintr
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: func(d *read.Diagnostic) bool {
			if rule, rest, ok := strings.Cut(d.Message, "] "); ok && rule[0] == '[' { // since version 3
				d.Rule, d.Message = rule[1:], rest
			}
			return d.At.Column > 0
		},
		Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" },
		Other: rLine,
	}.Parse})
})

func isLintr(argv []string) bool {
	return argv[0] == "Rscript" && slices.ContainsFunc(argv[1:], func(a string) bool { return strings.Contains(a, "lintr::") })
}
