package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

const pgClients = "pg_restore pg_dump pg_dumpall pg_basebackup pgbench vacuumdb reindexdb clusterdb createdb dropdb createuser dropuser"

// PostgreSQL's clients, except psql, print their errors in the same form.
var _ = Room.Add("pg_restore | pg_dump pg_dumpall pg_basebackup pgbench vacuumdb reindexdb clusterdb createdb dropdb createuser dropuser", func(p *tool.Parser) {
	p.Is("pg_restore", result.Generic, 1, "clients of PostgreSQL 12 to 18: pg_restore, pg_dump, pgbench, vacuumdb, createdb and their like")
	p.Reads(tool.Format{Name: "text", Starts: []string{"pg_restore: error: ", "pg_dump: error: ", "pg_restore: while PROCESSING TOC:"}, Named: true, Parse: func(in *tool.Input) *tool.Report {
		return read.IfFound(read.Lines((*pgRun).line))(in)
	}})
})

// pgRun keeps the entry of the dump that pg_restore prints above an error.
type pgRun struct{ entry string }

// line reads an error, and the lines below it up to the next line that begins with a program's name:
//
//	pg_restore: from TOC entry 869; 1247 16388 DOMAIN year postgres
//	pg_restore: error: could not execute query: ERROR:  type "year" already exists
//	Command was: CREATE DOMAIN public.year AS integer
func (r *pgRun) line(s *read.Sink, l tool.Line) bool {
	program, rest, ok := strings.Cut(l.Text, ": ")
	if !ok || !lex.IsOneOf(program, pgClients) {
		return s.Open() && s.More(l)
	}
	level, message, _ := strings.Cut(rest, ": ")
	switch level {
	case "error", "fatal":
		if _, reason, ok := strings.Cut(message, ": ERROR:  "); ok {
			message = reason
		}
		f := result.Finding{Kind: result.GenericFinding, ID: r.entry, Message: message}
		if at, why, ok := place.Cut(message); ok && at.Line > 0 { // a place in pgbench's script
			f.At, f.Message = &at, why
		}
		s.Find(l, f)
		r.entry = ""
	case "warning":
		if n, ok := strings.CutPrefix(message, "errors ignored on restore: "); ok && lex.IsDigits(n) && len(n) < 9 {
			s.Claim(lex.Atoi(n))
			return s.Close(l)
		}
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: message})
	case "hint", "detail":
		s.MoreText(l, message)
	default:
		if _, entry, ok := strings.Cut(rest, "from TOC entry "); ok {
			_, entry, _ = strings.Cut(entry, "; ")
			r.entry = strings.TrimLeft(entry, "0123456789 ")
		}
		s.Break()
		s.Cover(l)
	}
	return true
}
