package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkstyle | checkstyle.jar com.puppycrawl.tools.checkstyle.Main", func(p *tool.Parser) {
	p.Is("checkstyle", result.Lint, 1, "checkstyle 8 to 12: plain; the exit code is the number of errors")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "xml", Parse: read.Checkstyle(checkstyleRule)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(checkstyleRule)})
	p.Reads(tool.Format{Name: "plain", Starts: []string{"Starting audit..."}, Parse: read.Text{Line: checkstyleLine}.Parse})
})

// checkstyleRule makes the name that plain text has of a check's class.
func checkstyleRule(f *result.Finding) {
	f.Rule = strings.TrimSuffix(f.Rule[strings.LastIndexByte(f.Rule, '.')+1:], "Check")
}

// checkstyleLine reads "[ERROR] /src/W.java:1:17: Avoid … [AvoidStarImport]".
func checkstyleLine(s *read.Sink, l tool.Line) bool {
	switch {
	case l.Text == "Starting audit...", l.Text == "Audit done.":
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Checkstyle ends with "):
		s.Claim(lex.LeadingNumber(l.Text[len("Checkstyle ends with "):]))
		return s.Close(l)
	case strings.HasPrefix(l.Text, "com.puppycrawl.tools.checkstyle.api.CheckstyleException: "), strings.HasPrefix(l.Text, "Caused by: com.puppycrawl."):
		_, message, _ := strings.Cut(strings.TrimPrefix(l.Text, "Caused by: "), ": ")
		return s.Misuse(l, message)
	}
	level, rest, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "] ")
	at, message, placed := place.Cut(rest)
	if !ok || !placed || read.SeverityOf(level) == "" {
		return false
	}
	message, rule := read.Brackets.Cut(message)
	return s.Find(l, result.Finding{Severity: read.SeverityOf(level), RawSeverity: strings.ToLower(level), Rule: rule, Message: message, At: &at})
}
