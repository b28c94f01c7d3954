package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("groovyc | org.codehaus.groovy.tools.FileSystemCompiler", func(p *tool.Parser) {
	p.Is("groovyc", result.Build, 1, "groovyc 2.4 to 5.0")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:"}, Named: true, Parse: read.Text{Line: groovycLine}.Parse})
})

// groovycLine reads a message, and below it the place and the source:
//
//	Cart.groovy: 6: [Static type checking] - The variable [extra] is undeclared.
//	 @ line 6, column 31.
//	     int total() { cents.sum() + extra }
func groovycLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	path, rest, _ := strings.Cut(t, ": ")
	line, message, ok := strings.Cut(rest, ": ")
	f := s.Last()
	switch {
	case ok && lex.IsDigits(line) && strings.HasSuffix(path, ".groovy"):
		f := result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: path, Line: lex.Atoi(line)}}
		if rule, text, has := strings.Cut(message, "] - "); has && strings.HasPrefix(rule, "[") {
			f.Rule, f.Message = rule[1:], text
		}
		if before, _, has := strings.Cut(f.Message, " @ line "); has { // a short message and its place share a line
			f.At.Column = groovyColumn(f.Message)
			f.Message = before
		}
		return s.Find(l, f)
	case f != nil && strings.Contains(t, "@ line ") && f.At != nil && f.At.Column == 0:
		if before, _, _ := strings.Cut(t, "@ line "); strings.TrimSpace(before) != "" {
			f.Message += " " + strings.TrimSpace(before)
		}
		f.At.Column = groovyColumn(t)
		return s.More(l)
	case strings.HasPrefix(t, "General error during "), strings.HasPrefix(t, "error: "):
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(t, "error: ")})
	case strings.Contains(t, "MultipleCompilationErrorsException"):
		return s.Sign(l)
	case len(s.Findings) > 0 && strings.HasSuffix(t, " error") || strings.HasSuffix(t, " errors"):
		n := read.Counts(t)
		s.Claim(n["error"] + n["errors"])
		return s.Close(l)
	case f != nil:
		return s.More(l)
	}
	return false
}

func groovyColumn(t string) int {
	_, column, _ := strings.Cut(t, ", column ")
	return lex.LeadingNumber(column)
}
