package data

import (
	"regexp"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("liquibase", func(p *tool.Parser) {
	p.Is("liquibase", result.Pipeline, 1, "Liquibase 4 and 5: changesets that fail or do not validate, change logs, connections, flags")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Unexpected error running Liquibase: "}, Parse: parseLiquibase})
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseLiquibase)})
})

// liquibase reads the error at the end. The lines above it, "ERROR: Exception …", have the class of the
// error, and the message in other words:
//
//	ERROR: Exception Primary Class:  ValidationFailedException
//
//	Unexpected error running Liquibase: Validation Failed:
//	     1 changesets check sum
//	          db/1.sql::9::ann was: 9:ea00… but is now: 9:44df…
type liquibase struct {
	class string
	what  string // the problem of the items that are listed below, as "changesets check sum"
	open  bool   // the lines below the error are being read
}

func parseLiquibase(in *tool.Input) *tool.Report {
	return read.Text{Line: new(liquibase).line, Usage: []string{"Error parsing command line: ", "Unexpected argument(s): "}}.Parse(in)
}

func (q *liquibase) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, failed := strings.CutPrefix(l.Text, "Unexpected error running Liquibase: ")
	class, named := strings.CutPrefix(l.Text, "ERROR: Exception Primary Class:  ")
	switch {
	case named:
		q.class = class
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "ERROR: Exception "):
		return s.Sign(l)
	case failed:
		q.open, q.what = true, ""
		return s.Find(l, q.finding(message))
	case text == "":
		q.open = false
		return s.Break()
	case q.open && s.Last() != nil:
		q.more(s, l, text)
		return true
	}
	return false
}

// finding returns the finding of a message, with the place of the change log or changeset in it.
func (q *liquibase) finding(message string) result.Finding {
	f := result.Finding{Kind: result.GenericFinding, Rule: q.class, Message: strings.TrimSuffix(message, ":")}
	if m := inChangeLog().FindStringSubmatch(message); m != nil {
		f.At, f.Message = &result.Location{Path: m[3], Line: lex.Atoi(m[1]), Column: lex.Atoi(m[2])}, m[4]
	} else if m := changeset().FindStringSubmatch(message); m != nil {
		f.At = &result.Location{Path: m[1]}
	}
	return f
}

// more takes a line below the error: an item of a list, the reason, a place in YAML.
func (q *liquibase) more(s *read.Sink, l tool.Line, text string) {
	f := s.Last()
	n, what, _ := strings.Cut(text, " ")
	reason, reasons := strings.CutPrefix(text, "Reason:")
	switch {
	case f.Message == "Validation Failed" && lex.IsDigits(n):
		q.what = what
		s.More(l)
	case q.what != "" && strings.HasPrefix(f.Message, "Validation Failed"):
		*f = q.item(f, text)
		s.More(l)
		f.Detail = ""
	case q.what != "" && lex.IsDigits(n):
		q.what = what
		s.More(l)
	case q.what != "":
		s.Find(l, q.item(f, text))
	case reasons:
		s.More(l)
		if _, why, ok := strings.Cut(reason, "Exception: "); ok {
			reason = why
		}
		f.Message = strings.TrimSuffix(f.Message+": "+strings.TrimSpace(reason), ": ")
	case strings.HasPrefix(text, "- "), strings.HasPrefix(text, "More locations "):
		s.More(l)
	default:
		s.More(l)
		q.prose(f, text)
	}
}

// item returns the finding of a changeset in a list.
func (q *liquibase) item(of *result.Finding, text string) result.Finding {
	f := q.finding(text)
	f.Message, f.Severity, f.RawSpan = q.what+": "+text, of.Severity, of.RawSpan
	return f
}

func (q *liquibase) prose(f *result.Finding, text string) {
	if m := inReader().FindStringSubmatch(text); m != nil {
		if f.At != nil {
			f.At.Line, f.At.Column = lex.Atoi(m[1]), lex.Atoi(m[2])
		}
		return
	}
	if f.At == nil || changeset().MatchString(f.Message) || strings.HasPrefix(text, "expected ") || strings.HasPrefix(text, "found ") {
		f.Message = strings.Replace(f.Message+"; "+text, " statement:; ", " statement: ", 1)
	}
}

var (
	inChangeLog = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:Error parsing|Syntax error in file)(?: line (\d+) column (\d+) of)? (\S+?) ?: (?:Error parsing \S+: )?(.+)$`)
	})
	changeset = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([^\s:]+\.\w+)::[^\s:]+::[^\s:,]+`) })
	inReader  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^in '[^']*', line (\d+), column (\d+):$`) })
)
