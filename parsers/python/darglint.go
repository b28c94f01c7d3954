package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("darglint", func(p *tool.Parser) {
	p.Is("darglint", result.Lint, 1, "darglint 1.x")
	p.Exits = map[int]result.Meaning{129: result.MeansUsage}
	p.Reads(darglintTemplate.Format("darglint"))
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{path}:{id}:{line}: DAR{rule}: {message}", Fit: func(f *result.Finding) { f.Rule = "DAR" + f.Rule }},
	}, Other: notThere}.Parse})
	p.Reads(read.PythonTrouble("darglint"))
})

// darglintTemplate reads --message-template.
var darglintTemplate = read.Template{
	Names: map[string]string{"msg_id": "{rule}"},
	Fit:   func(f *result.Finding) bool { return strings.HasPrefix(f.Rule, "DAR") },
}
