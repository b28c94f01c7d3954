package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mysql mariadb | mysqldump mariadb-dump mysqladmin mariadb-admin mysqlimport mariadb-import", func(p *tool.Parser) {
	p.Is("mysql", result.Generic, 1, "the clients of MySQL 5.7 to 9 and MariaDB 10 to 12: mysql, mariadb, their dump and admin")
	p.Exits = map[int]result.Meaning{7: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR 1…(", "ERROR 2…(HY000)"}, Parse: mysqlText.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(mysqlText.Parse)})
})

var mysqlText = read.Said{
	Errors: []string{"mysqldump: ", "mariadb-dump: ", "mysqladmin: ", "mariadb-admin: "}, Usage: []string{"mysql: unknown ", "mariadb: unknown "}, Other: mysqlLine,
}

// mysqlLine reads "ERROR 1048 (23000) at line 2: Column 'n' cannot be null". The
// line counts from the beginning of the script; its name is not told.
func mysqlLine(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "ERROR ")
	code, rest, state := strings.Cut(rest, " (")
	where, message, told := strings.Cut(rest, ": ")
	if !ok || !state || !told || !lex.IsDigits(code) {
		return false
	}
	if _, at, has := strings.Cut(where, ") at "); has {
		message = at + ": " + message
	}
	return s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: code, Message: message})
}
