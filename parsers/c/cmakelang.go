package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// In the log lines of cmakelang's programs, the word after the severity is a place in their own source.
var _ = Room.Add("cmake-format cmake-lint | cmake-annotate", func(p *tool.Parser) {
	p.Is("cmakelang", result.Lint, 1, "cmakelang 0.6: cmake-format --check, cmake-lint")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{
		Rows: []read.Row{
			{Form: "ERROR {word}: Check failed: {path}", As: read.Error, Fit: unformattedCMake},
			{Form: "WARNING {word}: While processing {path}", As: read.InPath},
			{Form: "{path}:{line},{column}: [{rule}] {message}", As: read.Warning},
			{Form: "CRITICAL {message}:", As: read.Error, Fit: cutCMakeLogger},
			{Form: "ERROR {message}", As: read.Misuse},
		},
		Below: read.Indented,
	}.Parse)})
})

func unformattedCMake(f *result.Finding) {
	f.Rule, f.Message, f.Fixable = "unformatted", "Check failed", true
}

// cutCMakeLogger removes "__main__.py:635: " from a message.
func cutCMakeLogger(f *result.Finding) {
	if logger, message, ok := strings.Cut(f.Message, ": "); ok && strings.Contains(logger, ".py:") {
		f.Message = message
	}
}
