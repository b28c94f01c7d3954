package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// psql exits with 0 if a script went on after errors, 1 after a fatal error of its own, 2 if the
// connection was bad, and 3 if the script was to stop at the first error.
var _ = Room.Add("psql", func(p *tool.Parser) {
	p.Is("psql", result.Generic, 1, "psql of PostgreSQL 9.6 to 18: errors of statements, scripts and connections, any verbosity")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"psql:…: ERROR:  ", "psql: error: "}, Parse: read.Text{Line: psqlLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: psqlLine}.Parse})
})

var psqlLevels = []string{"ERROR:  ", "FATAL:  ", "PANIC:  "}

// psqlLine reads an error and the lines below it:
//
//	psql:pg.sql:3: ERROR:  42601: syntax error at or near "SELEC"
//	LINE 1: SELEC 1;
//	        ^
func psqlLine(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr && !strings.HasPrefix(l.Text, "psql:") && s.Last() == nil && !startsLevel(l.Text) {
		return false
	}
	text, at := cutScript(l.Text)
	for _, level := range psqlLevels {
		if message, ok := strings.CutPrefix(text, level); ok {
			f := result.Finding{RawSeverity: strings.TrimRight(strings.ToLower(level), ": "), Message: message, At: at}
			if code, rest, ok := strings.Cut(message, ": "); ok && len(code) == 5 && strings.ToUpper(code) == code && !strings.Contains(code, " ") {
				f.Rule, f.Message = code, rest
			}
			return s.Find(l, f)
		}
	}
	if why, ok := strings.CutPrefix(text, "psql: error: "); ok {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why}) // no such server, database or script
	}
	if i := strings.Index(text, "psql: "); i >= 0 && (strings.Contains(text, "unrecognized option") || strings.Contains(text, "invalid option")) {
		return s.Misuse(l, text[i+len("psql: "):])
	}
	if lex.HasAnyPrefix(text, "NOTICE:  ", "WARNING:  ", "INFO:  ") {
		return s.Break()
	}
	if s.Last() == nil || l.Stream != tool.Stderr && !isPsqlMore(l.Text) {
		s.Break()
		return false
	}
	if detail, ok := strings.CutPrefix(l.Text, "DETAIL:  "); ok { // the row, which the message does not have
		s.Last().Related = append(s.Last().Related, result.Related{Message: result.CausedBy + strings.TrimSuffix(detail, ".")})
	} else if hint, ok := strings.CutPrefix(l.Text, "HINT:  "); ok {
		s.Last().Suggestions = append(s.Last().Suggestions, hint)
	}
	return s.More(l)
}

func startsLevel(text string) bool { return lex.HasAnyPrefix(text, psqlLevels...) }

// isPsqlMore reports whether a line on stdout belongs to an error: a terminal mixes both streams.
func isPsqlMore(text string) bool {
	word, _, ok := strings.Cut(text, ":")
	return strings.TrimSpace(text) == "^" || ok && (strings.HasPrefix(word, "LINE ") || lex.IsOneOf(word, "DETAIL HINT CONTEXT QUERY LOCATION"))
}

// cutScript splits "psql:pg.sql:3: ", a place in a script, from a line; at is nil without a place.
func cutScript(text string) (rest string, at *result.Location) {
	script, ok := strings.CutPrefix(text, "psql:")
	path, script, has := strings.Cut(script, ":")
	number, rest, more := strings.Cut(script, ": ")
	if !ok || !has || !more || !lex.IsDigits(number) || len(number) > 8 {
		return text, nil
	}
	return rest, &result.Location{Path: path, Line: lex.Atoi(number)}
}
