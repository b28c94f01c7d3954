package eslint

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The linters below, called kin, print with eslint's formatters or with copies of them, so one reader serves them
// all. Their output looks like eslint's: only the command says whose it is.

// Textlint declares textlint, a linter of prose.
func Textlint(p *tool.Parser) {
	kin(p, "textlint", append(kinForms(), tool.Format{Name: "github", Parse: read.WorkflowCommands(nil)}), "textlint 11 to 15: stylish, compact, unix, table, pretty-error, checkstyle, jslint-xml, junit, tap, github, json", "TextlintFileSearchError: ", "== No rules found", "Error: ", "Failed to load")
}

// HTMLValidate declares html-validate, a linter of HTML.
func HTMLValidate(p *tool.Parser) {
	kin(p, "html-validate", append(kinForms()[:2], declared("codeframe", nil, codeframe)), "html-validate 4 to 10: stylish, text, codeframe, checkstyle, json", "No files matching", "Unknown option ", "The file \"", "Error: ", "ConfigError: ")
}

// LintHTML declares linthtml, another linter of HTML.
func LintHTML(p *tool.Parser) {
	kin(p, "linthtml", nil, "linthtml 0.4 to 0.10: text", "Error: ", "The ")
}

// Secretlint declares secretlint, which looks for passwords and keys in files.
func Secretlint(p *tool.Parser) {
	kin(p, "secretlint", append(kinForms(), tool.Format{Name: "github", Parse: read.Fitted(read.WorkflowCommands(nil), kinPreset)}), "secretlint 5 to 11: stylish, compact, unix, table, pretty-error, checkstyle, jslint-xml, junit, tap, github, json", "Error: ", "secretlint: ")
}

// Solhint declares solhint, a linter of Solidity.
func Solhint(p *tool.Parser) {
	kin(p, "solhint", kinForms(), "solhint 3 to 6: stylish, compact, unix, table, pretty-error, checkstyle, jslint-xml, junit, tap, json", "[solhint] ", "ERROR: ", "Failed to load ", "error: ", "No files to lint")
}

// SassLint declares sass-lint, a linter of Sass style sheets.
func SassLint(p *tool.Parser) {
	kin(p, "sass-lint", kinForms()[:6], "sass-lint 1: stylish, compact, unix, visualstudio, table, html, checkstyle, jslint-xml, junit, tap, json", "Error: ", "error: ")
}

// kinForms returns the formats for programs. Callers slice the result, so the order matters.
func kinForms() []tool.Format {
	return []tool.Format{
		{Name: "json", Parse: read.JSON{Items: read.Items(kinFile, "/*")}.Parse},
		{Name: "checkstyle", Parse: read.Checkstyle(kinSource)},
		{Name: "table", Parse: read.Sheet{Fit: kinPreset}.Parse},
		{Name: "jslint-xml", Parse: read.XMLByShape("jslint", kinReason)},
		{Name: "junit", Parse: read.Fitted(read.Fitted(junit.OwnLints, junitProblem), kinPreset)},
		{Name: "tap", Parse: TAP},
		{Name: "pretty-error", Parse: parseKinPretty},
	}
}

// kinOf returns a reader of one of eslint's formats for a linter that is not eslint.
func kinOf(parse func(in *tool.Input, e *eslint) *tool.Report) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		e := newESLint(in)
		e.kin, e.named = true, true
		rep := parse(in, e)
		for i := 0; rep != nil && i < len(rep.Findings); i++ {
			kinPreset(&rep.Findings[i])
		}
		return rep
	}
}

// Pretty reads the form pretty of a linter that is not eslint.
func Pretty(in *tool.Input) *tool.Report { return kinOf(readESLintPretty)(in) }

// TAP reads the form tap of such a linter.
func TAP(in *tool.Input) *tool.Report { return kinOf(readESLintTAP)(in) }

// kinReason splits the rule from the reason in jslint's XML, "text (rule)".
func kinReason(f *result.Finding) {
	f.Message, f.Rule = read.Parens.Cut(f.Message)
	kinPreset(f)
}

// parseKinPretty reads the form pretty-error: a line with rule and message, the next with the place, then the source.
//
//	no-empty: Found an empty heading
//	/src/a.md:3:1
//	   v
//	2.
func parseKinPretty(in *tool.Input) *tool.Report {
	var said tool.Line
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		rule, message, ok := strings.Cut(strings.TrimPrefix(said.Text, "✓ "), ": ") // "✓": --fix mends it
		at := read.PlaceOf(l.Text + " ")
		from := said.Start
		if said = l; at == nil || strings.Contains(l.Text, ": ") || !ok || strings.Contains(strings.ReplaceAll(rule, " > ", ""), " ") {
			if s.Open() && l.Text != "" && (l.Text[0] == ' ' || lex.IsDigits(l.Text[:1])) {
				return s.More(l)
			}
			s.Break()
			return kinLine(s, l)
		}
		f := result.Finding{Rule: rule, Message: message, At: at}
		kinPreset(&f)
		l.Start = from
		return s.Find(l, f)
	}}.Parse(in)
}

// kin declares one of these linters. stops are beginnings of the messages with which it ends without linting.
func kin(p *tool.Parser, name string, forms []tool.Format, about string, stops ...string) {
	p.Is(name, result.Lint, 1, about)
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Formats = slices.Concat([]tool.Format{{Name: "text", Parse: kinText}}, forms, []tool.Format{{Name: "messages", Parse: jserror.Usage(stops...)}})
}

func kinText(in *tool.Input) *tool.Report {
	rep := read.Grouped{Row: read.RowForm{LastColumn: true}, Head: kinHead, Other: kinLine}.Parse(in)
	if rep == nil {
		return nil
	}
	for i := range rep.Findings {
		kinPreset(&rep.Findings[i])
	}
	return rep
}

// kinPreset removes the preset from a rule, "@x/preset > @x/rule", and then the message's name, "[ID] text". Such a
// rule may first have to be split from the end of the message.
func kinPreset(f *result.Finding) {
	if i := strings.LastIndex(f.Message, "  "); i > 0 && f.Rule == "" && strings.Contains(f.Message[i:], " > ") {
		f.Message, f.Rule = strings.TrimSpace(f.Message[:i]), strings.TrimSpace(f.Message[i:])
	}
	if message, rule, ok := lex.CutLast(f.Message, " ("); ok && f.Rule == "" && strings.HasSuffix(rule, ")") && strings.Contains(rule, " > ") {
		f.Message, f.Rule = message, strings.TrimSuffix(rule, ")")
	}
	preset, rule, ok := strings.Cut(f.Rule, " > ")
	if !ok || preset == "" {
		return
	}
	f.Rule = rule
	if name, message, named := strings.Cut(f.Message, "] "); named && strings.HasPrefix(name, "[") {
		f.Message = message
	}
}

// kinSource removes the prefix that the checkstyle format puts before a rule, "eslint.rules.", and the rule behind
// the message.
func kinSource(f *result.Finding) {
	if i := strings.Index(f.Rule, ".rules."); i > 0 {
		f.Rule = f.Rule[i+len(".rules."):]
	}
	f.Message = strings.TrimSuffix(f.Message, " ("+f.Rule+")")
	kinPreset(f)
}

// kinHead reads the path above the rows of a file: "src/a.md", "File: src/a.html".
func kinHead(text string) (path string, ok bool) {
	path, named := strings.CutPrefix(text, "File: ")
	return path, path != "" && (named || path[0] != ' ' && path[0] != '-' && strings.ContainsAny(path, `./\`) && !strings.Contains(path, ": ") && !strings.Contains(path, "  "))
}

// kinLine reads lines that are not rows of a table: problems in one line, and the count that closes either form.
//
//	/src/a.md:5:1: text [Error/rule]
//	/src/a.md: line 5, col 1, Error - text (rule)
//	/src/a.html:2:2: error [rule] text
//	✖ 3 problems (2 errors, 1 warning)
func kinLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if rest, ok := strings.CutPrefix(text, "✖ "); ok && strings.Contains(rest, " problem") {
		return s.Found(l, read.ErrorsIn(rest))
	}
	if f, ok := kinProblem(text); ok {
		return s.Find(l, f)
	}
	if f := s.Last(); f != nil && f.Rule == "" && f.RawSpan != nil && l.Start-f.RawSpan.End <= 2 && kinGoesOn(f, text) {
		return s.Reach(l)
	}
	if n, word, _ := strings.Cut(text, " "); lex.IsDigits(n) && (word == "problem" || word == "problems") {
		if len(s.Findings)+s.Dropped < lex.Atoi(n) {
			s.Doubt = "fewer problems were read than are counted"
		}
		return s.Close(l)
	}
	return false
}

// kinGoesOn takes the second line of a message, if it ends with a rule like textlint's: "text  no-todo".
func kinGoesOn(f *result.Finding, text string) bool {
	i := strings.LastIndex(text, "  ")
	if i <= 0 || !strings.ContainsAny(text[i:], "-/") || strings.ContainsAny(text[i+2:], " :.") || f.Message == "" {
		return false
	}
	f.Message, f.Rule = f.Message+" "+strings.TrimSpace(text[:i]), text[i+2:]
	return true
}

func kinProblem(text string) (f result.Finding, ok bool) {
	d, ok := read.CutDiagnostic(text)
	if !ok {
		return f, false
	}
	d.Message = strings.TrimPrefix(strings.TrimPrefix(d.Message, "col 0, "), "- ") // left over by CutDiagnostic: a column of 0, and the dash after the severity
	f = result.Finding{RawSeverity: d.Word, Severity: read.SeverityOf(d.Word), Message: d.Message, At: &d.At}
	open := strings.LastIndex(d.Message, " [")
	if inner := strings.TrimSuffix(d.Message[open+1:], "]"); open > 0 && lex.HasAnyPrefix(inner, "[Error/", "[Warning/", "[Info/") {
		f.RawSeverity, f.Rule, _ = strings.Cut(inner[1:], "/")
		f.Severity, f.Message = read.SeverityOf(f.RawSeverity), d.Message[:open]
		return f, true
	}
	if rule, message, cut := strings.Cut(d.Message, "] "); cut && rule[0] == '[' && d.Word != "" {
		f.Rule, f.Message = rule[1:], message
		return f, true
	}
	if severity, message, cut := strings.Cut(d.Message, " - "); cut && read.SeverityOf(severity) != "" {
		f.RawSeverity, f.Severity, f.Message = severity, read.SeverityOf(severity), message
	}
	if open := strings.LastIndex(f.Message, " ("); open > 0 && strings.HasSuffix(f.Message, ")") {
		f.Rule, f.Message = f.Message[open+2:len(f.Message)-1], f.Message[:open]
	} else if rule, message, cut := strings.Cut(f.Message, " : "); cut && !strings.Contains(rule, " ") { // visualstudio
		f.Rule, f.Message = rule, message
	}
	return f, f.RawSeverity != ""
}

// kinProblemJSON is a problem in the json format.
type kinProblemJSON struct {
	RuleID   string
	Message  string
	Severity any // a number, or a word
	Line     int
	Column   int
	Loc      struct{ Start struct{ Line, Column int } }
}

// kinResult is a file with its problems or, from solhint, a problem with its file; solhint's last one has only the
// total.
type kinResult struct {
	FilePath   string
	Messages   []kinProblemJSON
	Conclusion string
	kinProblemJSON
}

func kinFile(s *read.Sink, v *kinResult) {
	if v.Message != "" {
		v.Messages = append(v.Messages, v.kinProblemJSON)
	}
	for _, m := range v.Messages {
		f := result.Finding{Rule: m.RuleID, Message: m.Message, At: &result.Location{Path: v.FilePath, Line: m.Line, Column: m.Column}}
		if m.Line == 0 {
			f.At.Line, f.At.Column = m.Loc.Start.Line, m.Loc.Start.Column
		}
		switch severity := m.Severity.(type) {
		case float64:
			if severity == 1 {
				f.Severity = result.SevWarning
			}
		case string:
			f.Severity = read.SeverityOf(severity)
		}
		s.FindHere(f)
	}
}
