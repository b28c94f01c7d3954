package golang

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("golangci-lint", func(p *tool.Parser) {
	p.Is("golangci-lint", result.Lint, 2, "golangci-lint 1.50 to 2.15: text (colored-line-number, line-number), tab, json, checkstyle, sarif, code-climate, junit, teamcity, html; fmt --diff")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{
		2: result.MeansInternal, 3: result.MeansUsage, 4: result.MeansInterrupted, 5: result.MeansUsage, 6: result.MeansUsage, 7: result.MeansInternal,
	}
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--output.junit-xml.path")}}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"Issues":[{"FromLinter":`}, Parse: golangciIssues.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"* typecheck: ", "* errcheck: ", "* staticcheck: ", "* govet: ", "* unused: ", "* revive: "}, Parse: read.Lines((*golangci).line)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(golangciCompiled)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(golangciCompiled)})
	p.Reads(tool.Format{Name: "code-climate", Parse: read.CodeQuality(func(f *result.Finding) {
		f.Message = strings.TrimPrefix(f.Message, f.Rule+": ")
		golangciCompiled(f)
	})})
	p.Reads(tool.Format{Name: "junit", Parse: read.Fitted(junit.Lints, golangciCompiled)})
	p.Reads(tool.Format{Name: "teamcity", Parse: read.Fitted(teamcity.Parse, golangciCompiled)})
	p.Reads(tool.Format{Name: "html", Parse: read.JSON{Clean: true, Behind: "const data = ", Items: read.Items(func(s *read.Sink, v *struct{ Title, Pos, Linter string }) {
		f := result.Finding{Rule: v.Linter, Message: v.Title, At: read.PlaceOf(v.Pos + ": ")}
		golangciCompiled(&f)
		s.FindHere(f)
	}, "/Issues/*")}.Parse})
	p.Reads(tool.Format{Name: "named", Parse: read.Lines((*golangci).line)})
}, tool.WritesFiles)

// golangci reads the text formats: "path:3:7: text (linter)" with the source line and a caret below, or
// "path:3:7   linter   text". The compile errors of a package are one issue of several lines, the last of which
// names the linter.
type golangci struct{ compiling bool }

func (g *golangci) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if strings.HasPrefix(t, "diff ") || s.Last() != nil && strings.HasPrefix(s.Last().Detail, "--- ") { // the diff of golangci-lint fmt --diff
		return gofmtLine(s, l)
	}
	at, message, ok := place.Cut(t)
	if ok && strings.HasPrefix(message, ": # ") { // the header of a package's compile errors
		g.compiling = true
		return true
	}
	if ok && message != "" {
		text, linter := read.Parens.Cut(message)
		if word, rest, cut := strings.Cut(message, "  "); linter == "" && cut && isLinter(word) {
			text, linter = strings.TrimLeft(rest, " "), word
		}
		if strings.HasPrefix(text, ": # ") { // in --output.tab
			g.compiling = true
			return true
		}
		if linter == "" && g.compiling {
			linter = "typecheck"
		} else if g.compiling = false; !isLinter(linter) {
			s.Break()
			return false
		}
		f := result.Finding{Rule: linter, Message: text, At: &at}
		golangciCompiled(&f)
		return s.Find(l, f)
	}
	return golangciOther(s, l)
}

// golangciCompiled makes a compile error a finding of its own kind, not a lint finding.
func golangciCompiled(f *result.Finding) {
	if f.Rule == "typecheck" {
		f.Kind = result.BuildError
	}
}

// isLinter says whether a word can be a linter's name, such as "errcheck" or "go-critic".
func isLinter(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func golangciOther(s *read.Sink, l tool.Line) bool {
	t := l.Text
	switch {
	case t == "0 issues." || strings.HasSuffix(t, " issues:") || t == "1 issues:":
		if n := lex.LeadingNumber(t[strings.LastIndexByte(t, '>')+1:]); s.Report.Problems == 0 { // the counts may follow a report in another format
			s.Problems(n)
		}
		s.Close(l)
	case s.Closed() && strings.HasPrefix(t, "* "):
	case s.Last() != nil && (strings.HasPrefix(t, "\t") || strings.HasPrefix(t, " ") || !strings.Contains(s.Last().Detail, "\n") && t != "" && l.Stream == tool.Stdout):
		s.More(l)
	case strings.HasPrefix(t, "level=error ") || strings.HasPrefix(t, "ERRO "), strings.HasPrefix(t, "Error: ") && l.Stream == tool.Stderr:
		_, message, _ := strings.Cut(t, "msg=")
		_, other, _ := strings.Cut(t, " ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: cmp.Or(strings.Trim(message, `"`), other)})
		s.Break()
	case strings.HasPrefix(t, "The command is terminated due to an error: "), strings.HasPrefix(t, "level="):
	default:
		return false
	}
	return true
}

// golangciIssues: an issue has a severity only if the configuration sets one. The text format shows none.
var golangciIssues = read.Objects{At: []string{"/Issues/*"}, Clean: true, Path: "Pos.Filename", Line: "Pos.Line", Column: "Pos.Column",
	Rule: "FromLinter", Severity: "Severity", Message: "Text", Fit: func(f *result.Finding) {
		f.Severity = result.SevError
		golangciCompiled(f)
	}}

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
			return strings.HasPrefix(l.Text, "flag provided but not defined: ") && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
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
