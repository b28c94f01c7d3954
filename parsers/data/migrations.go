package data

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("alembic", func(p *tool.Parser) {
	p.Is("alembic", result.Pipeline, 1, "alembic 1.x, flask db: upgrade, downgrade, check, current, revision")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO  [alembic.", "ERROR [alembic.", "ERROR [flask_migrate] "}, Named: true, Parse: read.IfFound(alembicText)})
	p.Reads(read.PythonUsage("alembic"))
})

// alembicText reads alembic's log and its last line. The error is in both, "ERROR [alembic.…] text" and
// "FAILED: text", and is reported once.
func alembicText(in *tool.Input) *tool.Report {
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		why, ok := strings.CutPrefix(l.Text, "FAILED: ")
		if _, logged, found := strings.Cut(l.Text, "] "); !ok && lex.HasAnyPrefix(l.Text, "ERROR [alembic.", "ERROR [flask_migrate] ") && found {
			why, ok = strings.TrimPrefix(logged, "Error: "), true
		}
		switch {
		case ok && len(s.Findings) > 0 && s.Findings[len(s.Findings)-1].Message == lex.Clip(why):
			return s.Sign(l)
		case ok:
			if s.Find(l, result.Finding{Kind: result.GenericFinding, Message: lex.Clip(why)}); strings.HasPrefix(why, "No 'script_location' key") || strings.HasPrefix(why, "No config file ") {
				s.Meaning = result.MeansUsage
			}
			return s.Break()
		case strings.HasPrefix(l.Text, "INFO  [alembic."):
			return s.Sign(l)
		}
		return false
	}}.Parse(in)
}

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

var _ = Room.Add("knex", func(p *tool.Parser) {
	p.Is("knex", result.Pipeline, 1, "knex 1 to 3: migrations and seeds that fail, its knexfile, its flags")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*knex).line))})
})

// knex keeps the name of the failed migration, which the error that is thrown does not have.
type knex struct {
	thrown
	migration string
}

func (k *knex) line(s *read.Sink, l tool.Line) bool {
	if s.MisuseIf(l, "error: unknown command ", "error: unknown option ", "error: missing required argument ") {
		return true
	}
	name, failed := strings.CutPrefix(l.Text, "migration file \"")
	switch {
	case failed && strings.HasSuffix(name, "\" failed"):
		k.migration = strings.TrimSuffix(name, "\" failed")
	case lex.HasAnyPrefix(l.Text, "migration failed with error: ", "Acquire connection error: "): // repeated below, as the error that is thrown
	case l.Text == "Failed to read config from knexfile":
		s.Meaning = result.MeansUsage
	case k.thrown.line(s, l):
		if f := s.Last(); f != nil && k.migration != "" && !strings.HasPrefix(f.Message, k.migration) {
			f.Message = k.migration + ": " + f.Message
		}
		return true
	default:
		return false
	}
	s.Sign(l)
	return s.Break()
}

var _ = Room.Add("drizzle-kit", func(p *tool.Parser) {
	p.Is("drizzle-kit", result.Pipeline, 1, "drizzle-kit 0.2x and 0.3x: its configuration, its schema; what a database refuses it does not print")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Fresh(func(r *drizzle) read.Text {
		return read.Text{Line: r.line, Usage: []string{"Unknown command: ", "Unrecognized options for command "}}
	}))})
})

type drizzle struct {
	thrown
	zod bool // inside the list of configuration problems, which is JSON
}

// line reads "Error  text", whose message continues on the lines below, and problems of the configuration:
//
//	_ZodError: [
//	    "message": "Invalid enum value. Expected 'postgresql' | …"
//	]
//
//	Error  Please provide required params:
//	    [x] schema: undefined
func (d *drizzle) line(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "Error  ")
	invalid, told := strings.CutPrefix(strings.TrimSpace(l.Text), `"message": "`)
	missing, lacks := strings.CutPrefix(strings.TrimSpace(l.Text), "[x] ")
	at, wrong, placed := place.Cut(l.Text)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "_ZodError: [") || strings.HasPrefix(l.Text, "ZodError: ["):
		d.zod = true
	case d.zod && l.Text == "]":
		d.zod = false
	case d.zod && told:
		s.Misuse(l, strings.TrimSuffix(strings.TrimSuffix(invalid, ","), `"`))
	case d.zod:
	case failed && f != nil:
		s.More(l)
	case failed:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	case lacks && f != nil:
		s.More(l)
		name, _, _ := strings.Cut(missing, ":")
		f.Message += " " + name
	case strings.HasSuffix(l.Text, " file does not exist"):
		s.Misuse(l, l.Text)
	case placed && strings.HasPrefix(wrong, "ERROR: "):
		s.Find(l, result.Finding{At: &at, Message: strings.TrimPrefix(wrong, "ERROR: ")})
	case lex.HasAnyPrefix(l.Text, "Expected ", "Unexpected ") && strings.Contains(l.Text, " JSON "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	default:
		return d.thrown.line(s, l)
	}
	return true
}

var _ = Room.Add("prisma", func(p *tool.Parser) {
	p.Is("prisma", result.Pipeline, 2, "Prisma 4 to 7: validate, format, generate, migrate, db")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error: Prisma schema validation"}, Named: true, Parse: read.IfFound(read.Fresh(func(r *prisma) read.Text {
		return read.Text{Line: r.line, Usage: []string{"! Unknown command ", "! unknown or unexpected option: "}}
	}))})
})

// prisma keeps the code that is printed above the errors of a schema.
type prisma struct{ code string }

// line reads an error with its code and its place:
//
//	Error code: P1012
//	error: Type "B" is neither a built-in type, nor refers to another model.
//	  -->  schema.prisma:6
//
//	Error: P1001: Can't reach database server at `localhost:5432`
func (p *prisma) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, ok := strings.CutPrefix(text, "error: ")
	if !ok {
		if message, ok = strings.CutPrefix(text, "Error: "); ok && strings.HasPrefix(message, "Prisma schema validation") {
			return s.Sign(l)
		}
	}
	at, placed := strings.CutPrefix(text, "-->")
	switch f := s.Last(); {
	case ok:
		f := result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: p.code, Message: message}
		if code, rest, has := strings.Cut(message, ": "); has && len(code) == 5 && code[0] == 'P' && lex.IsDigits(code[1:]) {
			f.Rule, f.Message = code, rest
		}
		return s.Find(l, f)
	case strings.HasPrefix(text, "warning: "):
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(text, "warning: ")})
	case placed && f != nil && f.At == nil:
		at = strings.TrimSpace(at)
		f.At = cmp.Or(read.PlaceOf(at), &result.Location{Path: at})
		return s.More(l)
	case strings.HasPrefix(text, "! There are unformatted files"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "! ")})
	case lex.HasAnyPrefix(text, "Prisma schema loaded from ", "Error code: P", "Validation Error Count: "):
		if code, ok := strings.CutPrefix(text, "Error code: "); ok {
			p.code = code
		}
		s.Sign(l)
		return s.Break()
	case f != nil && strings.Contains(text, "|"):
		return s.More(l)
	}
	return false
}
