package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sqlite3", func(p *tool.Parser) {
	p.Is("sqlite3", result.Generic, 2, "the shell of SQLite 3.27 to 3.50")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Parse error near line ", "Runtime error near line "}, Named: true, Parse: read.Text{Line: sqliteLine}.Parse})
})

// sqliteLine reads the errors of statements, and those of the shell itself:
//
//	Parse error near line 3: near "SELEC": syntax error
//	Error: near line 3: near "SELEC": syntax error          before 3.38
//	Error: in prepare, no such table: missing
//	sqlite3: Error: unknown option: -nope
func sqliteLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.Text, "sqlite3: "), ": ")
	kind, number, near := strings.Cut(head, " near line ")
	if rest, old := strings.CutPrefix(message, "near line "); old && kind == "Error" {
		number, message, near = "", rest, true
		number, message, _ = strings.Cut(rest, ": ")
	}
	if !ok || !lex.IsOneOf(strings.TrimSuffix(strings.TrimPrefix(kind, "Parse "), "\r"), "Error error") && kind != "Runtime error" && kind != "Parse error" {
		if s.Last() != nil && strings.HasPrefix(l.Text, "  ") {
			return s.More(l)
		}
		s.Break()
		return false
	}
	f := result.Finding{Message: message}
	if i := strings.LastIndex(message, " ("); i > 0 && lex.IsDigits(strings.TrimSuffix(message[i+2:], ")")) {
		f.Message, f.Rule = message[:i], "SQLITE_"+strings.TrimSuffix(message[i+2:], ")")
	}
	if f.At = scriptLine(s.In, number, "sqlite3"); near && f.At == nil {
		f.Message = "near line " + number + ": " + f.Message
	}
	if strings.HasPrefix(l.Text, "sqlite3: ") || lex.HasAnyPrefix(message, "unknown option", "unable to open", "cannot open", "unknown command") {
		f.Kind = result.GenericFinding
		s.Meaning = result.MeansUsage
	}
	return s.Find(l, f)
}
