package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pyright's JSON counts lines and columns from 0. basedpyright, below, is a fork of
// pyright and prints the same, so one reader serves both.
var _ = Room.Add("pyright", func(p *tool.Parser) {
	p.Is("pyright", result.Typecheck, 1, "pyright 1.1: text, --outputjson, --stats, --verbose")
	asPyright(p, "pyright", tool.Format{Name: "text", Starts: []string{"/… - error: ", "/… - warning: "}, Named: true, Sniff: isPyrightRow, Parse: pyrightText.Parse})
})

var _ = Room.Add("basedpyright", func(p *tool.Parser) {
	p.Is("basedpyright", result.Typecheck, 1, "basedpyright 1.1 to 1.39: as pyright, and --gitlabcodequality")
	asPyright(p, "basedpyright", tool.Format{Name: "gitlab", Parse: read.CodeQuality(nil)}, tool.Format{Name: "text", Parse: pyrightText.Parse})
})

func asPyright(p *tool.Parser, name string, formats ...tool.Format) {
	p.ColumnUnit = "utf16"
	p.RuleURL = tool.RulesAt(pyrightRules)
	p.Exits = map[int]result.Meaning{2: result.MeansInternal, 3: result.MeansUsage, 4: result.MeansUsage}
	for _, format := range append([]tool.Format{pyrightJSON()}, append(formats, read.PythonTrouble(name))...) {
		p.Reads(format)
	}
}

const pyrightRules = "https://github.com/microsoft/pyright/blob/main/docs/configuration.md#"

func pyrightJSON() tool.Format {
	return tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/generalDiagnostics/*": read.Item(pyrightItem),
		"/summary":              read.Item(pyrightSummary),
		"/version":              read.Item(func(s *read.Sink, v *string) { s.Version = *v }),
	}}.Parse}
}

var pyrightText = read.Text{Line: pyrightLine}

type pyrightPosition struct{ Line, Character int }

func pyrightItem(s *read.Sink, v *struct {
	File, Severity, Message, Rule string
	Range                         *struct{ Start, End pyrightPosition }
}) {
	f := result.Finding{RawSeverity: v.Severity, Severity: read.SeverityOf(v.Severity), Rule: v.Rule, At: &result.Location{Path: v.File}}
	f.Message, f.Detail, _ = strings.Cut(v.Message, "\n")
	if v.Range != nil {
		f.At.Line, f.At.Column = v.Range.Start.Line+1, v.Range.Start.Character+1
		f.At.EndLine, f.At.EndColumn = v.Range.End.Line+1, v.Range.End.Character+1
	}
	s.FindHere(f)
}

func pyrightSummary(s *read.Sink, v *struct{ ErrorCount, WarningCount, InformationCount int }) {
	pyrightCounts(s, v.ErrorCount, v.WarningCount, v.InformationCount)
}

func pyrightCounts(s *read.Sink, errors, warnings, informations int) {
	s.Claim(errors)
	s.Count("error", errors)
	s.Count("warning", warnings)
	s.Count("info", informations)
}

// pyrightLine reads a diagnostic and the lines below it, the last of which ends with the rule:
//
//	/src/a.py:36:16 - error: Type "str" is not assignable to return type "int"
//	  "str" is not assignable to "int" (reportReturnType)
func pyrightLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if d, ok := cutPyrightRow(text); ok {
		f := result.Finding{RawSeverity: d.Word, Severity: read.SeverityOf(d.Word), At: &d.At}
		f.Message, f.Rule = cutPyrightRule(d.Message)
		return s.Find(l, f)
	}
	switch counts := read.Counts(text); {
	case lex.HasAnyPrefix(text, "::error", "::warning", "::notice"): // in GitHub's CI, pyright repeats each diagnostic in this form
		s.Break()
	case s.Last() != nil && lex.HasAnyPrefix(text, "  ", "\u00a0"):
		var rule string
		if l.Text, rule = cutPyrightRule(strings.TrimPrefix(text, "  ")); rule != "" {
			s.Last().Rule = rule
		}
		s.More(l)
	case strings.Contains(text, " error") && (strings.HasSuffix(text, " informations") || strings.HasSuffix(text, " notes") || strings.HasSuffix(text, " information") || strings.HasSuffix(text, " note")):
		pyrightCounts(s, counts["error"]+counts["errors"], counts["warning"]+counts["warnings"], counts["information"]+counts["informations"]+counts["note"]+counts["notes"])
		s.Close(l)
	case isPyrightUsage(text):
		s.Misuse(l, text)
		s.Break()
	default:
		s.Break()
		return result.IsAbsolute(text) && strings.HasSuffix(text, ".py") && !strings.Contains(text, ": ")
	}
	return true
}

func isPyrightRow(line string) bool {
	return strings.HasPrefix(line, "  ") && (strings.Contains(line, " - error: ") || strings.Contains(line, " - warning: ") || strings.Contains(line, " - information: "))
}

// cutPyrightRow reads the first line of a diagnostic, which GitHub's CI does not indent, and "/src/a.py: error: text",
// a diagnostic of a whole file, which has no dash.
func cutPyrightRow(line string) (d read.Diagnostic, ok bool) {
	row := strings.TrimPrefix(line, "  ")
	if d, ok = read.CutDiagnostic(row); ok && isPyrightRow("  "+row) {
		return d, true
	}
	path, rest, _ := strings.Cut(row, ".py: ")
	d.Word, d.Message, ok = strings.Cut(rest, ": ")
	d.At = result.Location{Path: path + ".py"}
	return d, ok && result.IsAbsolute(path) && lex.IsOneOf(d.Word, "error warning information")
}

func isPyrightUsage(text string) bool {
	return strings.HasPrefix(text, "Unexpected option ") || strings.HasPrefix(text, "File or directory ") && strings.HasSuffix(text, " does not exist") ||
		strings.HasPrefix(text, "Config file ") || text == "No source files found." || strings.HasPrefix(text, "Pyproject file parse attempt")
}

// cutPyrightRule splits "(reportReturnType)" from the end of a text.
func cutPyrightRule(text string) (rest, rule string) {
	if rest, rule = read.Parens.Cut(text); strings.HasPrefix(rule, "report") {
		return rest, rule
	}
	return text, ""
}
