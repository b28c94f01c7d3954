package javascript

import (
	"strings"

	"cairn/parsers/javascript/eslint"
	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("stylelint", func(p *tool.Parser) {
	p.Is("stylelint", result.Lint, 1, "stylelint 14 to 17: string, verbose, pretty, compact, unix, json, tap, github")
	p.ColumnUnit = "utf16"
	p.RuleURL = stylelintURL
	p.Exits = map[int]result.Meaning{64: result.MeansUsage, 78: result.MeansUsage}
	p.Files = []tool.Files{{Flags: tool.OutputFlags("stylelint", "-o", "--output-file")}}
	p.Reads(tool.Format{Name: "json", Starts: []string{`[{"source":"`}, Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "source", In: "warnings parseErrors", Line: "line", Column: "column", EndLine: "endLine", EndColumn: "endColumn",
		Rule: "rule stylelintType", Severity: "severity", Message: "text", Fit: func(f *result.Finding) { f.Message, _ = read.Parens.Cut(f.Message) },
	}.Parse})
	p.Reads(tool.Format{Name: "pretty", Parse: eslint.Pretty})
	p.Reads(tool.Format{Name: "string", Parse: read.Grouped{Other: stylelintTail, Row: read.RowForm{LastColumn: true,
		Marks: map[string]result.Severity{"✖": result.SevError, "×": result.SevError, "⚠": result.SevWarning, "‼": result.SevWarning, "ℹ": result.SevInfo}}}.Parse})
	p.Reads(tool.Format{Name: "compact", Parse: read.Linter{Rule: read.Parens, Accept: stylelintRow, Other: stylelintTail}.Parse})
	p.Reads(tool.Format{Name: "tap", Parse: read.Fitted(eslint.TAP, func(f *result.Finding) { f.Message, f.Rule = read.Parens.Cut(f.Message) })})
	p.Reads(tool.Format{Name: "github", Parse: read.WorkflowCommands(func(f *result.Finding) bool {
		text, _, _ := strings.Cut(f.Message, " - https://")
		f.Message, f.Rule = read.Parens.Cut(strings.TrimSuffix(text, " [maybe fixable]"))
		return true
	})})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Invalid option ", "Error: ", "NoFilesFoundError: ", "AllFilesIgnoredError: ", "ConfigurationError: ", "TypeError: ")})
}, tool.WritesFiles)

func stylelintURL(rule string) string {
	if rule == "CssSyntaxError" || rule == "parseError" || strings.Contains(rule, "/") {
		return ""
	}
	return "https://stylelint.io/user-guide/rules/" + rule
}

// stylelintRow reads what follows the place: "error - text (rule)" of compact and
// "text (rule) [error]" of unix.
func stylelintRow(d *read.Diagnostic) bool {
	if text, word, ok := strings.Cut(d.Message, " ["); ok && d.Rule == "" && strings.HasSuffix(word, "]") {
		d.Word = strings.TrimSuffix(word, "]")
		d.Message, d.Rule = read.Parens.Cut(text)
	}
	d.Message = strings.TrimPrefix(d.Message, "- ")
	return d.Rule != "" && d.Word != ""
}

// stylelintTail takes "✖ 8 problems (8 errors, 0 warnings)", and messages about stylelint's own configuration and
// limits: "Invalid Option: …", "Max warnings exceeded: …".
func stylelintTail(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "Invalid Option: "); ok || strings.HasPrefix(l.Text, "Max warnings exceeded: ") {
		s.Find(l, result.Finding{Message: strings.TrimSpace(message)})
		return s.Break()
	}
	text := strings.TrimLeft(l.Text, "✖×⚠ℹ ")
	n, rest, ok := lex.CutCount(text, "problem")
	if !ok || n == 0 || len(text) == len(l.Text) && !strings.HasPrefix(rest, "") {
		return false
	}
	counts := read.Counts(rest)
	if _, has := counts["errors"]; !has {
		if _, has = counts["error"]; !has {
			return false
		}
	}
	return s.Found(l, counts["errors"]+counts["error"])
}
