package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jshint", func(p *tool.Parser) {
	p.Is("jshint", result.Lint, 1, "jshint 2: default, unix, checkstyle")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: jshintRule, Plain: true, Other: jshintOther}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) { f.Rule = f.Rule[strings.LastIndexByte(f.Rule, '.')+1:] })})
})

// jshintRule splits the code from "Missing semicolon. (W033)". Only --verbose prints codes.
func jshintRule(d *read.Diagnostic) bool {
	if message, rule := read.Parens.Cut(d.Message); len(rule) == 4 && lex.IsDigits(rule[1:]) {
		d.Message, d.Rule = message, rule
		if rule[0] != 'E' {
			d.Word = "warning"
		}
	}
	return true
}

// jshintOther reads "5 errors", and "ERROR: Can't open nothere.js", which is a usage error.
func jshintOther(s *read.Sink, l tool.Line) bool {
	n, word, _ := strings.Cut(l.Text, " ")
	if message, ok := strings.CutPrefix(l.Text, "ERROR: "); ok {
		s.Misuse(l, message)
	} else if lex.IsDigits(n) && (word == "errors" || word == "error") {
		s.Close(l)
	} else {
		return false
	}
	return true
}
