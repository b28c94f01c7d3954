package golang

import (
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
	p.Reads(tool.Format{Name: "code-climate", Parse: read.CodeQuality(golangciQuality)})
	p.Reads(tool.Format{Name: "junit", Parse: read.Fitted(junit.Lints, golangciCompiled)})
	p.Reads(tool.Format{Name: "teamcity", Parse: read.Fitted(teamcity.Parse, golangciCompiled)})
	p.Reads(tool.Format{Name: "html", Parse: read.JSON{Clean: true, Behind: "const data = ", Items: read.Items(golangciRow, "/Issues/*")}.Parse})
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
		return s.Find(l, golangciFinding(at, linter, text))
	}
	return golangciOther(s, l)
}

func golangciFinding(at result.Location, linter, text string) result.Finding {
	f := result.Finding{Rule: linter, Message: text, At: &at}
	golangciCompiled(&f)
	return f
}

// golangciQuality cuts the linter's name off the message.
func golangciQuality(f *result.Finding) {
	f.Message = strings.TrimPrefix(f.Message, f.Rule+": ")
	golangciCompiled(f)
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
	case strings.HasPrefix(t, "level=error ") || strings.HasPrefix(t, "ERRO "):
		_, message, _ := strings.Cut(t, "msg=")
		if message = strings.Trim(message, `"`); message == "" {
			message = strings.TrimPrefix(t, "ERRO ")
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Break()
	case strings.HasPrefix(t, "Error: ") && l.Stream == tool.Stderr:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(t, "Error: ")})
		s.Break()
	case strings.HasPrefix(t, "The command is terminated due to an error: "), strings.HasPrefix(t, "level="):
	default:
		return false
	}
	return true
}

// golangciRow is an issue in the data of the HTML page.
func golangciRow(s *read.Sink, v *struct{ Title, Pos, Linter string }) {
	at, _, _ := place.Cut(v.Pos + ": ")
	s.FindHere(golangciFinding(at, v.Linter, v.Title))
}

// golangciIssues: an issue has a severity only if the configuration sets one. The text format shows none.
var golangciIssues = read.Objects{At: []string{"/Issues/*"}, Clean: true, Path: "Pos.Filename", Line: "Pos.Line", Column: "Pos.Column",
	Rule: "FromLinter", Severity: "Severity", Message: "Text", Fit: func(f *result.Finding) {
		f.Severity = result.SevError
		golangciCompiled(f)
	}}
