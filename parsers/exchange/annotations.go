package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func() *tool.Parser {
	return &tool.Parser{
		Tool: "annotations", Kind: result.Lint, Version: 1,
		About: "workflow commands of GitHub's log that name a file: ::error file=a.py,line=3::text",
		Formats: []tool.Format{{
			Name: "workflow commands", Evidence: tool.Shape,
			Starts: []string{"::error file=", "::warning file=", "::notice file=", "::error …file=", "::warning …file=", "::notice …file="},
			Parse:  read.WorkflowCommands(ruled),
		}},
	}
})

// ruled takes the rule from the text, where the title names none.
func ruled(f *result.Finding) bool {
	if f.Rule == "" {
		f.Message, f.Rule = read.AnyRule(f.Message)
	}
	return true
}
