package exchange

import (
	"cmp"
	"strings"

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
			Parse:  read.Text{Line: annotation}.Parse,
		}},
	}
})

func annotation(s *read.Sink, l tool.Line) bool {
	w, ok := read.CutWorkflow(l.Text)
	if !ok {
		return strings.HasPrefix(l.Text, "::group::") || l.Text == "::endgroup::"
	}
	s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), RawSeverity: w.Word, Rule: cmp.Or(w.Rule, w.Title), Message: w.Message, At: &w.At})
	return s.Break()
}
