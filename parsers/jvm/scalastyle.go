package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("scalastyle | scalastyle-batch", func(p *tool.Parser) {
	p.Is("scalastyle", result.Lint, 1, "scalastyle 1: text")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"error file=", "warning file=", "info file="}, Named: true, Parse: parseScalastyle})
})

// parseScalastyle reads "warning file=/src/A.scala message=Object name … line=6
// column=7", which "Found 1 errors" and "Finished in 358 ms" close.
func parseScalastyle(in *tool.Input) *tool.Report {
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		if count, ok := strings.CutPrefix(l.Text, "Found "); ok {
			if number, ok := strings.CutSuffix(count, " errors"); ok && lex.IsDigits(number) {
				s.Claim(lex.Atoi(number))
			}
			return true
		}
		if strings.HasPrefix(l.Text, "Finished in ") && strings.HasSuffix(l.Text, " ms") && s.Claimed >= 0 {
			return s.Close(l)
		}
		level, rest, ok := strings.Cut(l.Text, " file=")
		path, message, found := strings.Cut(rest, " message=")
		if !ok || !found || read.SeverityOf(level) == "" {
			return false
		}
		f := result.Finding{RawSeverity: level, Severity: read.SeverityOf(level), At: &result.Location{Path: path}}
		message, f.At.Column = cutScalaNumber(message, " column=")
		f.Message, f.At.Line = cutScalaNumber(message, " line=")
		return s.Find(l, f)
	}}.Parse(in)
}

// cutScalaNumber takes "line=6" off the end of a text.
func cutScalaNumber(text, name string) (rest string, n int) {
	if i := strings.LastIndex(text, name); i >= 0 && lex.IsDigits(text[i+len(name):]) {
		return text[:i], lex.Atoi(text[i+len(name):])
	}
	return text, 0
}
