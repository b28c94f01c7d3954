package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
