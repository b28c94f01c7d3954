package data

import (
	"strings"

	"cairn/parsers/read"
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
