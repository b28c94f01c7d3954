package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// duckdb prints the kind of an error and the message, and below them the statement with a mark:
//
//	Catalog Error: Table with name nope does not exist!
//	Did you mean "pg_enum"?
//
//	LINE 1: select * from nope
//	                      ^
var _ = Room.Add("duckdb", func(p *tool.Parser) {
	p.Is("duckdb", result.Generic, 1, "duckdb 0.9 to 1: statements, scripts and options")
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: duckdbLine}.Parse})
})

const duckdbKinds = "Binder Catalog Conversion Constraint Parser IO Invalid-Input Out-of-Range Not-implemented Syntax INTERNAL Permission Dependency Serialization TransactionContext HTTP Mismatch-Type Out-of-Memory Invalid-Type Invalid Sequence Settings Missing-Extension Interrupt Fatal Connection Cannot-open"

func duckdbLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimPrefix(l.Text, "Error: ")
	kind, message, ok := strings.Cut(text, " Error: ")
	kind = kind[strings.LastIndexByte(kind, ':')+1:] // "Error: near line 3: Parser"
	name := strings.TrimSpace(kind)
	switch {
	case l.Stream != tool.Stderr && s.Last() == nil && !ok:
		return false
	case ok && name == "Unknown Option":
		return s.Misuse(l, message)
	case ok && lex.IsOneOf(strings.ReplaceAll(name, " ", "-"), duckdbKinds):
		return s.Find(l, result.Finding{Rule: name + " Error", Message: message})
	case s.Last() != nil && (text == "" || lex.HasAnyPrefix(text, "LINE ", "Did you mean ", "Candidate") || strings.TrimSpace(text) == "^"):
		return s.More(l)
	}
	s.Break()
	return false
}
