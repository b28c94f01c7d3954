package security

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gosec", func(p *tool.Parser) {
	p.Is("gosec", result.Security, 2, "gosec 2.x: text, json, yaml, golint, sonarqube, sarif, csv, html, with what could not be compiled")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "json", Starts: []string{`"Golang errors": {`, `{"Golang errors":`}, Parse: read.JSON{Clean: true, Items: gosecItems()}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Golang errors in file: [", "Gosec  : "}, Parse: read.Fresh(func(g *gosecText) read.Text { return read.Text{Line: g.line, Closes: true} })})
	p.Reads(tool.Format{Name: "golint", Parse: read.Linter{Accept: gosecLint}.Parse})
	p.Reads(tool.Format{Name: "sonarqube", Parse: read.Objects{
		At: []string{"/issues/*"}, Path: "primaryLocation.filePath", Line: "primaryLocation.textRange.startLine", Rule: "ruleId", Message: "primaryLocation.message",
	}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "yaml", Parse: read.YAMLByShape(gosecShaped)})
	p.Reads(tool.Format{Name: "csv", Parse: read.Table(gosecShaped, "file", "line", "message", "severity", "confidence", "code", "cwe")})
	p.Reads(tool.Format{Name: "html", Parse: read.JSON{Clean: true, Behind: "var data = ", Items: gosecItems()}.Parse})
})

// gosecItems returns the readers of the values in gosec's JSON, which its HTML page contains, too.
func gosecItems() map[string]func(*read.Sink, []byte) error {
	return map[string]func(*read.Sink, []byte) error{
		"/Issues/*":      read.Item(gosecIssue),
		"/Golang errors": read.Item(gosecErrors),
		"/Stats":         read.Item(func(s *read.Sink, v *struct{ Found int }) { s.EndHere() }),
	}
}

// gosecFinding returns the finding of an issue. It is an error, since gosec fails for an issue of any severity.
func gosecFinding(rule, severity, text string, at result.Location) result.Finding {
	return result.Finding{Rule: rule, Severity: result.SevError, RawSeverity: strings.ToLower(severity), Message: text, At: &at}
}

func gosecIssue(s *read.Sink, v *struct {
	Severity, Details, File, Line, Column string
	RuleID                                string `json:"rule_id"`
}) {
	first, last, _ := strings.Cut(v.Line, "-") // "3-5"
	s.FindHere(gosecFinding(v.RuleID, v.Severity, v.Details, result.Location{Path: v.File, Line: lex.Atoi(first), EndLine: lex.Atoi(last), Column: lex.Atoi(v.Column)}))
}

// gosecErrors reads the errors that kept files from being scanned, by file. Errors of the go command about a package
// have the file "", and places in their text.
func gosecErrors(s *read.Sink, files *map[string][]struct {
	Line, Column int
	Error        string
}) {
	for _, path := range slices.Sorted(maps.Keys(*files)) {
		for _, e := range (*files)[path] {
			for line := range strings.SplitSeq(e.Error, "\n") {
				at, message, placed := place.Cut(line)
				switch {
				case path != "":
					at, message = result.Location{Path: path, Line: e.Line, Column: e.Column}, line
				case !placed:
					continue
				}
				s.FindHere(result.Finding{Kind: result.BuildError, Message: message, At: &at})
			}
		}
	}
}

// gosecText reads errors, issues and their number:
//
//	Golang errors in file: [/src/b.go]:
//	  > [line 2 : column 23] - undefined: x
//	[/src/a.go:3] - G401 (CWE-328): text (Confidence: HIGH, Severity: MEDIUM)
//	  Issues : 3
type gosecText struct{ file string }

func (g *gosecText) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if file, ok := strings.CutPrefix(t, "Golang errors in file: ["); ok {
		g.file = strings.TrimSuffix(file, "]:")
		return s.Sign(l)
	}
	if where, message, ok := strings.Cut(strings.TrimPrefix(t, "  > [line "), "] - "); ok && strings.HasPrefix(t, "  > [line ") {
		line, column, _ := strings.Cut(where, " : column ")
		at := result.Location{Path: g.file, Line: lex.Atoi(line), Column: lex.Atoi(column)}
		f := result.Finding{Kind: result.BuildError, Message: message, At: &at}
		if g.file == "" { // the place is on the next line
			f.At = nil
		}
		return s.Find(l, f)
	}
	if last := s.Last(); last != nil && last.At == nil {
		if at, message, ok := place.Cut(t); ok && at.Line > 0 {
			last.At, last.Message = &at, message
			s.More(l)
			last.Detail = ""
			return true
		}
	}
	if where, rest, ok := strings.Cut(t, "] - "); ok && strings.HasPrefix(where, "[") {
		path, line, placed := place.CutLineNumber(where[1:])
		rule, text, named := strings.Cut(rest, ": ")
		rule, _, _ = strings.Cut(rule, " (")
		if i := strings.LastIndex(text, " (Confidence: "); placed && named && i > 0 {
			_, severity, _ := strings.Cut(text[i:], "Severity: ")
			return s.Find(l, gosecFinding(rule, strings.TrimSuffix(severity, ")"), text[:i], result.Location{Path: path, Line: line}))
		}
	}
	if n, ok := strings.CutPrefix(strings.TrimSpace(t), "Issues : "); ok && lex.IsDigits(n) {
		s.Problems(lex.Atoi(n))
		return s.Close(l)
	}
	return s.Open() && strings.HasPrefix(t, "  ")
}

// gosecLint takes rule and message from "[CWE-328] text (Rule:G401, Severity:MEDIUM, …)".
func gosecLint(d *read.Diagnostic) bool {
	text, about, ok := strings.Cut(d.Message, " (Rule:")
	if !ok {
		return false
	}
	d.Rule, _, _ = strings.Cut(about, ",")
	if cwe, rest, has := strings.Cut(text, "] "); has && strings.HasPrefix(cwe, "[CWE-") {
		text = rest
	}
	d.Message = text
	return true
}

// gosecShaped makes a finding an error, since gosec fails for an issue of any severity.
func gosecShaped(f *result.Finding) { f.Severity = result.SevError }
