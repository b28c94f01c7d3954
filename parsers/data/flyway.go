package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("flyway", func(p *tool.Parser) {
	p.Is("flyway", result.Pipeline, 1, "Flyway 9 to 12: migrations that fail or do not validate, connections, flags")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: flywayLine, End: flywayUsage}.Parse)})
})

// flywayLine reads an error, and the database's message about the statement:
//
//	ERROR: Script V1__a.sql failed
//	-----------------------
//	SQL State  : 42001
//	Message    : Syntax error in SQL statement "[*]creat table a"; …
//	Location   : sql/V1__a.sql (/home/dev/app/sql/V1__a.sql)
//	Line       : 1
//
//	Caused by: …
//
// The error about a script repeats the error about the migration above it.
func flywayLine(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "ERROR: ")
	warning, warned := strings.CutPrefix(l.Text, "WARNING: ")
	key, value, _ := strings.Cut(l.Text, ":")
	value = strings.TrimSpace(value)
	f := s.Last()
	switch {
	case failed && f != nil && strings.HasPrefix(f.Message, "Migration of schema ") && strings.HasPrefix(message, "Script "):
		s.More(l)
		f.Message = message
	case failed:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	case warned:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: warning})
	case l.Text == "":
		s.Break()
	case f == nil || f.Severity == result.SevWarning:
		return strings.HasPrefix(l.Text, "Caused by: ")
	default:
		s.More(l)
		flywayFact(f, strings.TrimSpace(key), value, l.Text)
	}
	return true
}

func flywayFact(f *result.Finding, key, value, line string) {
	path, _, _ := strings.Cut(value, " (")
	switch {
	case key == "SQL State":
		f.Rule = value
	case key == "Message" && value != "" && !strings.Contains(f.Message, value):
		f.Message += ": " + strings.TrimSuffix(value, "; SQL statement:")
	case key == "Location":
		f.At = &result.Location{Path: path}
	case key == "Line" && f.At != nil && lex.IsDigits(value) && len(value) < 9:
		f.At.Line = lex.Atoi(value)
	case strings.HasPrefix(line, "-> "), strings.HasPrefix(line, "Detected "), strings.HasPrefix(line, "Migration "):
		f.Message += "; " + strings.TrimPrefix(line, "-> ")
	}
}

func flywayUsage(s *read.Sink) {
	if len(s.Findings) == 1 && lex.HasAnyPrefix(s.Findings[0].Message, "Invalid flag: ", "Invalid operation: ", "Unknown configuration property: ") {
		s.Meaning = result.MeansUsage
	}
}
