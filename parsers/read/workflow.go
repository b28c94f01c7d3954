package read

import (
	"cmp"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Workflow is a command that a linter prints for GitHub's log:
//
//	::error file=a.py,line=3,col=7,title=C0116::text
type Workflow struct {
	Diagnostic
	Level string // as written: notice, for which Word is info
	Title string
}

var workflowData = strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")

// CutWorkflow reads such a line; ok is false for a line without a file.
func CutWorkflow(line string) (w Workflow, ok bool) {
	rest, ok := strings.CutPrefix(line, "::")
	head, message, has := strings.Cut(rest, "::")
	word, list, props := strings.Cut(head, " ")
	if w.Word, w.Level = word, word; word == "notice" {
		w.Word = "info"
	}
	if !ok || !has || !props || SeverityOf(w.Word) == "" {
		return w, false
	}
	w.Message = workflowData.Replace(message)
	for p := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(p, "=")
		switch value = workflowData.Replace(value); strings.ToLower(key) {
		case "file":
			w.At.Path = value
		case "line":
			w.At.Line = lex.Atoi(value)
		case "col", "column":
			w.At.Column = lex.Atoi(value)
		case "endline":
			w.At.EndLine = lex.Atoi(value)
		case "endcolumn":
			w.At.EndColumn = lex.Atoi(value)
		case "title":
			w.Title = value
		}
	}
	w.Message = cutPosition(w.Message)
	if _, rule, ok := lex.CutLast(w.Title, " ["); ok && strings.HasSuffix(rule, "]") { // "TextLint [no-todo]"
		w.Rule = strings.TrimSuffix(rule, "]")
	}
	return w, w.At.Path != ""
}

// cutPosition removes a repeated position from the end of a message: "text | 3:7".
func cutPosition(message string) string {
	text, position, _ := lex.CutLast(message, " | ")
	if line, column, ok := strings.Cut(position, ":"); ok && lex.IsDigits(line) && lex.IsDigits(column) {
		return text
	}
	return message
}

// Finding returns the command as a finding; its rule is the title, unless the linter gives another.
func (w *Workflow) Finding() result.Finding {
	return result.Finding{Severity: SeverityOf(w.Word), RawSeverity: w.Word, Rule: cmp.Or(w.Rule, w.Title), Message: w.Message, At: &w.At}
}

// WorkflowCommands reads the commands for GitHub's log that a linter prints, one per finding. fit changes a
// finding, and reports whether it is the linter's; it may be nil.
func WorkflowCommands(fit func(f *result.Finding) bool) func(in *tool.Input) *tool.Report {
	return Text{Line: func(s *Sink, l tool.Line) bool {
		w, ok := CutWorkflow(l.Text)
		if !ok {
			return strings.HasPrefix(l.Text, "::group::") || l.Text == "::endgroup::"
		}
		f := w.Finding()
		return (fit == nil || fit(&f)) && s.Find(l, f)
	}}.Parse
}
