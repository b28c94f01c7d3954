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
	p.Reads(tool.Format{Name: "tap", Parse: parseStylelintTAP})
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
	s.Claim(counts["errors"] + counts["error"])
	return s.Close(l)
}

// stylelintTAP reads -f tap: a test for each file, and below it the problems, grouped
// by rule:
//
//	not ok 1 - /src/a.css
//	  ---
//	  property-no-unknown:
//	    - message: "Unknown property \"colr\" (property-no-unknown)"
//	      severity: error
//	      line: 1
//	      column: 5
type stylelintTAP struct {
	path  string // path of the current file
	files int    // number of files that are "not ok"
}

func parseStylelintTAP(in *tool.Input) *tool.Report {
	r := &stylelintTAP{}
	rep := read.Text{Line: r.line}.Parse(in)
	if rep != nil && r.files > 0 {
		rep.Claimed = max(rep.Claimed, r.files)
	}
	return rep
}

func (r *stylelintTAP) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	indent := len(l.Text) - len(strings.TrimLeft(l.Text, " "))
	key, value, keyed := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	switch {
	case indent == 0 && strings.HasPrefix(text, "not ok "):
		_, r.path, _ = strings.Cut(text, " - ")
		r.path = strings.Clone(r.path)
		r.files++
		s.Break()
	case indent == 0 && (strings.HasPrefix(text, "ok ") || strings.HasPrefix(text, "1..")):
		s.Close(l)
		s.Break()
	case indent == 0 && strings.HasPrefix(text, "TAP version "):
		s.Sign(l)
	case r.path == "" || indent == 0:
		return false
	case indent == 2 && text == "---", indent == 2 && text == "...":
		s.Break()
	case indent == 2 && keyed && value == "": // the rule, which every message below repeats
		s.Break()
	case key == "- message":
		message := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`), `\"`, `"`)
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &result.Location{Path: r.path}})
	default:
		r.part(s.Last(), key, value)
		s.More(l)
	}
	return s.Cover(l)
}

// part sets one property of a problem. Properties follow the message.
func (r *stylelintTAP) part(f *result.Finding, key, value string) {
	if f == nil {
		return
	}
	switch key {
	case "severity":
		f.Severity, f.RawSeverity = read.SeverityOf(value), strings.Clone(value)
	case "line":
		f.At.Line = lex.Atoi(value)
	case "column":
		f.At.Column = lex.Atoi(value)
	case "endLine":
		f.At.EndLine = lex.Atoi(value)
	case "endColumn":
		f.At.EndColumn = lex.Atoi(value)
	}
}
