package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// annotations returns a reader of GitHub's workflow commands whose titles are rules. fix, unless nil, may change each
// finding.
func annotations(fix func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		w, ok := read.CutWorkflow(l.Text)
		if !ok || strings.TrimSpace(w.Message) == "" {
			return false
		}
		message, _, _ := strings.Cut(w.Message, "\n")
		f := result.Finding{Severity: read.SeverityOf(w.Word), RawSeverity: w.Level, Rule: w.Title, Message: message,
			At: &result.Location{Path: w.At.Path, Line: w.At.Line, Column: w.At.Column}}
		if fix != nil {
			fix(&f)
		}
		return s.Find(l, f)
	}}.Parse
}
