package security

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ast-grep", func(p *tool.Parser) {
	p.Is("ast-grep", result.Lint, 1, "ast-grep scan 0.2x to 0.5x: rich, medium and short, json, sarif; github is anyone's")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Beside(read.Objects{
		At: []string{"/*", ""}, Path: "file", Line: "range.start.line", Column: "range.start.column", Rule: "ruleId", Severity: "severity", Message: "message",
		Fit: func(f *result.Finding) { f.At.Line, f.At.Column = f.At.Line+1, f.At.Column+1 }, // the JSON counts from 0
	}.Parse, read.Text{Line: astGrepEnd})})
	p.Reads(tool.Format{Name: "sarif", Parse: read.Beside(read.SARIF(nil), read.Text{Line: astGrepEnd})})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(a *astGrep) read.Text { return read.Text{Line: a.line, Usage: []string{"error: "}} })})
})

// astGrepEnd reads "Error: 2 error(s) found in code.", and the advice below it.
func astGrepEnd(s *read.Sink, l tool.Line) bool {
	number, ok := strings.CutSuffix(strings.TrimPrefix(l.Text, "Error: "), " error(s) found in code.")
	if !ok || !lex.IsDigits(number) {
		return strings.HasPrefix(l.Text, "Help: Scan succeeded and found error level diagnostics")
	}
	s.Claim(lex.Atoi(number))
	return s.Close(l)
}

// astGrep reads three forms: a message above a frame, a message below a path and above the change that would fix
// it, and a message with its place in one line:
//
//	warning[no-var]: No var
//	  ┌─ src/x.js:1:1
//
//	src/x.js
//	error[no-console]: No console
//	@@ -0,5 +0,5 @@
//	2  │-console.log(a);
//
//	src/x.js:2:1: error[no-console]: No console
type astGrep struct {
	framed read.Framed
	path   string // the file of a change; "" if the previous line was not a path
	open   bool   // the line number of the change is still to come
}

func (a *astGrep) line(s *read.Sink, l tool.Line) bool {
	if at, rest, ok := place.Cut(l.Text); ok {
		word, message, has := strings.Cut(rest, "]: ")
		word, rule, ruled := strings.Cut(word, "[")
		return has && ruled && s.Find(l, astGrepFinding(word, rule, message, &at))
	}
	if word, message, ok := strings.Cut(l.Text, "]: "); ok && a.path != "" {
		if _, rule, ruled := strings.Cut(word, "["); ruled && !strings.Contains(word, " ") {
			word, _, _ = strings.Cut(word, "[")
			f := astGrepFinding(word, rule, message, &result.Location{Path: a.path})
			f.Fixable = true
			a.path, a.open = "", true
			return s.Find(l, f)
		}
	}
	if number, source, row := strings.Cut(l.Text, "│-"); row && a.open && s.Last() != nil && source != "" {
		a.open, s.Last().At.Line = false, lex.LeadingNumber(strings.TrimSpace(number))
		return s.More(l)
	}
	if a.framed.Line(s, l) || astGrepEnd(s, l) {
		return true
	}
	if a.path = ""; place.IsFile(l.Text) && !strings.ContainsAny(l.Text, " :") {
		s.Break()
		a.path = strings.Clone(l.Text)
	}
	return s.Open() && l.Text != "" && s.More(l)
}

func astGrepFinding(word, rule, message string, at *result.Location) result.Finding {
	return result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: at}
}
