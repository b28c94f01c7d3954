package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mysql mariadb | mysqldump mariadb-dump mysqladmin mariadb-admin mysqlimport mariadb-import", func(p *tool.Parser) {
	p.Is("mysql", result.Generic, 2, "the clients of MySQL 5.7 to 9 and MariaDB 10 to 12: mysql, mariadb, their dump and admin")
	p.Exits = map[int]result.Meaning{7: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR 1…(", "ERROR 2…(HY000)"}, Parse: parseMysql})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseMysql)})
})

func parseMysql(in *tool.Input) *tool.Report {
	return read.Said{
		Errors: []string{"mysqldump: ", "mariadb-dump: ", "mysqladmin: ", "mariadb-admin: "}, Usage: []string{"mysql: unknown ", "mariadb: unknown "}, Other: new(mysqlRun).line,
	}.Parse(in)
}

// mysqlRun reads a client's output.
type mysqlRun struct{ quotes bool } // quotes is set inside a statement between two rules

// line reads "ERROR 1048 (23000) at line 2: Column 'n' cannot be null". The line is one of the script, whose name is
// taken from the command line. With --force, the statement is printed above the error, between two rules.
func (r *mysqlRun) line(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "ERROR ")
	code, rest, state := strings.Cut(rest, " (")
	where, message, told := strings.Cut(rest, ": ")
	if !ok || !state || !told || !lex.IsDigits(code) {
		rule := l.Text == "--------------"
		if took := r.quotes || rule; took {
			r.quotes = r.quotes != rule
			s.Cover(l)
			return s.Break()
		}
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Rule: code, Message: message}
	if _, at, has := strings.Cut(where, ") at line "); has {
		f.At = scriptLine(s.In, at, "mysql", "mariadb")
		if f.At == nil {
			f.Message = "line " + at + ": " + message
		}
	}
	return s.Find(l, f)
}

// scriptLine returns the place of a line in the script that the command redirects to the standard input of one of
// the programs. It is nil if the script or the line is not known.
func scriptLine(in *tool.Input, number string, programs ...string) *result.Location {
	script := in.StdinOf(programs...)
	if script == "" || !lex.IsDigits(number) || len(number) > 8 {
		return nil
	}
	return &result.Location{Path: script, Line: lex.Atoi(number)}
}

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
	if why, ok := strings.CutPrefix(strings.TrimPrefix(text, "psql: "), "error: "); ok && strings.HasPrefix(l.Text, "psql:") {
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why, At: at}) // no such server, database, script or command
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
			return s.Found(l, lex.Atoi(n))
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
