package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kotlinc | kotlinc-jvm kotlinc-js kotlinc-native konanc", func(p *tool.Parser) {
	p.Is("kotlinc", result.Build, 1, "kotlinc 1.3 to 2.4: the command line compiler")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Accept: isKotlinc, Below: read.Indented, Other: kotlincSays}.Parse})
})

// isKotlinc accepts a diagnostic of a Kotlin file. With an option, the compiler prints the rule in brackets before the
// message, which isKotlinc splits.
func isKotlinc(d *read.Diagnostic) bool {
	d.Message, d.Rule = leadingRule(d.Message)
	return d.Word != "" && (strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts"))
}

// kotlincSays reads errors without a place: "error: source file or directory not found: x.kt".
func kotlincSays(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	switch word {
	case "error", "warning":
		if strings.HasPrefix(message, "invalid argument") || strings.HasPrefix(message, "no source files") && len(s.Findings) == 0 {
			s.Meaning = result.MeansUsage
		}
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Message: message})
		return s.Break()
	case "info":
		return true
	}
	return s.Last() != nil && s.Last().At == nil
}
