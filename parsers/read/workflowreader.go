package read

import (
	"cairn/parsers/tool"
	"cairn/result"
)

// WorkflowCommands reads the lines for GitHub's log that a linter prints, one for
// each finding. fit may be nil.
func WorkflowCommands(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return Text{Line: func(s *Sink, l tool.Line) bool {
		w, ok := CutWorkflow(l.Text)
		if !ok || w.At.Path == "" {
			return false
		}
		f := result.Finding{Severity: SeverityOf(w.Word), RawSeverity: w.Word, Rule: w.Rule, Message: w.Message, At: &w.At}
		if fit != nil {
			fit(&f)
		}
		s.Find(l, f)
		return true
	}}.Parse
}
