package exchange

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("annotations", result.Lint, 1, "commands for a log that name a file: GitHub's ::error file=a.py,line=3::text, Azure's ##vso[task.logissue …]")
	p.Reads(tool.Format{
		Name: "workflow commands", Evidence: tool.Shape,
		Starts: []string{"::error file=", "::warning file=", "::notice file=", "::error …file=", "::warning …file=", "::notice …file="},
		Parse:  read.WorkflowCommands(ruled),
	})
	p.Reads(tool.Format{
		Name: "workflow commands", Evidence: tool.Shape,
		Starts: []string{azureMark},
		Parse:  read.Text{Line: azureLine}.Parse,
	})
})

const azureMark = "##vso[task.logissue "

// azureLine reads "##vso[task.logissue type=error;sourcepath=a.py;linenumber=3;columnnumber=7;code=C0116;]text".
func azureLine(s *read.Sink, l tool.Line) bool {
	list, is := strings.CutPrefix(l.Text, azureMark)
	list, message, ok := strings.Cut(list, "]")
	f := result.Finding{Message: strings.TrimSpace(message), At: &result.Location{}}
	for p := range strings.SplitSeq(list, ";") {
		switch key, value, _ := strings.Cut(p, "="); key {
		case "type":
			f.Severity, f.RawSeverity = read.SeverityOf(value), value
		case "sourcepath":
			f.At.Path = value
		case "linenumber":
			f.At.Line = lex.Atoi(value)
		case "columnnumber":
			f.At.Column = lex.Atoi(value)
		case "code":
			f.Rule = value
		}
	}
	return is && ok && f.At.Path != "" && f.Severity != "" && s.Find(l, f)
}

// ruled takes the rule from a message if the title has no rule: "text [rule]" or, behind a position, "3:7 [rule] text".
func ruled(f *result.Finding) bool {
	where, text, _ := strings.Cut(f.Message, " [")
	rule, message, ok := strings.Cut(text, "] ")
	if line, column, at := strings.Cut(where, ":"); at && ok && f.Rule == "" && lex.IsDigits(line) && lex.IsDigits(column) && !strings.Contains(rule, " ") {
		f.Rule, f.Message = rule, message
	}
	if f.Rule == "" {
		f.Message, f.Rule = read.AnyRule(f.Message)
	}
	return true
}
