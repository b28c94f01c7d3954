package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("staticcheck", func(p *tool.Parser) {
	p.Is("staticcheck", result.Lint, 1, "staticcheck 2022 to 2026: text, stylish, json")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: staticcheckIssues.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(staticcheckCompile)})
	p.Reads(tool.Format{Name: "stylish", Parse: read.Text{Line: staticcheckRow}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: parseStaticcheck})
})

// parseStaticcheck reads "path:3:7: text (SA4006)". The compile errors of a package follow the line "-: # pkg", and the
// last of them ends with "(compile)".
func parseStaticcheck(in *tool.Input) *tool.Report {
	compiling := false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if rest, ok := strings.CutPrefix(l.Text, "-: "); ok {
			if compiling = strings.HasPrefix(rest, "# "); !compiling {
				message, rule := read.Parens.Cut(rest)
				s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: rule, Message: message})
			}
			return true
		}
		at, message, ok := place.Cut(l.Text)
		if !ok || message == "" {
			return staticcheckUsage(s, l)
		}
		message, rule := read.Parens.Cut(message)
		f := result.Finding{Rule: rule, Message: message, At: &at}
		if compiling = compiling && rule == ""; compiling || rule == "compile" {
			f.Kind, f.Rule = result.BuildError, "compile"
		} else if !isCheck(rule) {
			return false
		} else {
			f.RuleURL = "https://staticcheck.dev/docs/checks#" + rule
		}
		return s.Find(l, f)
	}}.Parse(in)
}

// isCheck says whether a rule is a check's name: "SA4006", "ST1005", "U1000".
func isCheck(rule string) bool {
	digits := strings.TrimLeft(rule, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return digits != rule && lex.IsDigits(digits)
}

func staticcheckUsage(s *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "flag provided but not defined: ") && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
}

// staticcheckCompile: code that does not compile was not checked. The exit code does not show it with -f sarif.
func staticcheckCompile(f *result.Finding) {
	if f.Rule == "compile" {
		f.Kind, f.Severity, f.RuleURL = result.BuildError, result.SevError, ""
	}
}

// staticcheckRow reads a path, and below it "  (11, 12)  ST1005  text". Compile errors follow the path "-" and the row
// "  (0, 0)  compile  # pkg".
func staticcheckRow(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if strings.HasPrefix(t, " ✖ ") || strings.HasPrefix(t, "✖ ") {
		return s.Close(l)
	}
	if at, message, placed := place.Cut(t); placed && s.Path == "-" {
		f := result.Finding{Rule: "compile", Message: message, At: &at}
		staticcheckCompile(&f)
		return s.Find(l, f)
	}
	row, ok := strings.CutPrefix(t, "  (")
	where, rest, found := strings.Cut(row, ")")
	line, column, _ := strings.Cut(where, ", ")
	rule, message, has := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if !ok || !found || !has || s.Path == "" || !lex.IsDigits(line) {
		if strings.HasSuffix(t, ".go") && t[0] != ' ' || t == "-" {
			s.Path = strings.Clone(t)
		}
		return false
	}
	if s.Path == "-" {
		f := result.Finding{Rule: rule, Message: strings.TrimLeft(message, " ")}
		staticcheckCompile(&f)
		return strings.HasPrefix(f.Message, "# ") || s.Find(l, f)
	}
	url := "https://staticcheck.dev/docs/checks#" + rule
	if name, ok := strings.CutPrefix(rule, reviveRules); ok { // revive prints rows in the same format
		rule, url = name, rule
	}
	return s.Find(l, result.Finding{
		Rule: rule, RuleURL: url, Message: strings.TrimLeft(message, " "),
		At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)},
	})
}

var staticcheckIssues = read.Objects{At: []string{""}, Path: "location.file", Line: "location.line", Column: "location.column", Rule: "code", Severity: "severity", Message: "message",
	Accept: func(f *result.Finding) bool { return f.Rule != "" && f.Message != "" },
	Fit: func(f *result.Finding) {
		f.RuleURL = "https://staticcheck.dev/docs/checks#" + f.Rule
		staticcheckCompile(f)
	}}
