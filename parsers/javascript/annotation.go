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
	return read.WorkflowCommands(func(f *result.Finding) bool {
		if f.Message, _, _ = strings.Cut(f.Message, "\n"); fix != nil {
			fix(f)
		}
		return f.Message != ""
	})
}

// apiTable reads rows in which the rule precedes the message. In spectral's rows, the place in the document follows:
//
//	/src/api.yaml
//	  7:9  error  path-params  Operation must define "{id}".  paths./a/{id}.get
func apiTable(other func(s *read.Sink, l tool.Line) bool) func(in *tool.Input) *tool.Report {
	rows := read.Grouped{Other: other, Head: func(text string) (string, bool) {
		path := strings.TrimSuffix(text, ":")
		return path, path != "" && path[0] != ' ' && strings.ContainsAny(path, `./\`) && !strings.Contains(path, " ")
	}}
	return func(in *tool.Input) *tool.Report {
		rep := read.IfFound(rows.Parse)(in)
		if rep == nil {
			return nil
		}
		for i := range rep.Findings {
			if f := &rep.Findings[i]; f.Rule == "" {
				rule, message, _ := strings.Cut(f.Message, " ")
				message, _, _ = strings.Cut(strings.TrimLeft(message, " "), "  ")
				f.Rule, f.Message = rule, strings.TrimSpace(message)
			}
		}
		return rep
	}
}

// apiCount reads "✖ 17 problems (6 errors, 11 warnings, 0 infos, 0 hints)", "❌
// Validation failed with 10 errors and 6 warnings.", and spectral's text form:
// `/src/api.yaml:1:1 warning rule "message"`.
func apiCount(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if strings.HasPrefix(text, "✖ ") && strings.Contains(text, " problem") || strings.Contains(text, "Validation failed with ") {
		return s.Found(l, read.ErrorsIn(text))
	}
	d, ok := read.CutDiagnostic(l.Text)
	rule, message, quoted := strings.Cut(d.Message, " \"")
	if !ok || !quoted || d.Word == "" || strings.Contains(rule, " ") {
		return false
	}
	return s.Find(l, result.Finding{Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Rule: rule, Message: strings.TrimSuffix(message, "\""), At: &d.At})
}
