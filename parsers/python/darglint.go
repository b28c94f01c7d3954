package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("darglint", func(p *tool.Parser) {
	p.Is("darglint", result.Lint, 1, "darglint 1.x")
	p.Exits = map[int]result.Meaning{129: result.MeansUsage}
	p.Reads(darglintTemplate.Format("darglint"))
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: darglintLine}.Parse})
	p.Reads(read.PythonTrouble("darglint"))
})

// darglintTemplate reads --message-template.
var darglintTemplate = read.Template{
	Names: map[string]string{"msg_id": "{rule}"},
	Fit:   func(f *result.Finding) bool { return strings.HasPrefix(f.Rule, "DAR") },
}

// darglintLine reads "dg.py:f:4: DAR101: - b": a path, a function and a line.
func darglintLine(s *read.Sink, l tool.Line) bool {
	head, rest, ok := strings.Cut(l.Text, ": DAR")
	rule, message, told := strings.Cut(rest, ": ")
	parts := strings.Split(head, ":")
	if n := len(parts); ok && told && n >= 3 && lex.IsDigits(parts[n-1]) {
		return s.Find(l, result.Finding{
			ID: parts[n-2], Rule: "DAR" + rule, Message: message, At: &result.Location{Path: strings.Join(parts[:n-2], ":"), Line: lex.Atoi(parts[n-1])},
		})
	}
	return notThere(s, l)
}
