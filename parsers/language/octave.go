package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("octave octave-cli", func(p *tool.Parser) {
	p.Is("octave", result.Generic, 1, "GNU Octave 4 to 10: errors, where they were raised, errors of syntax; the blocks of %! tests that failed")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: parseOctave})
})

// octave reads an error and the calls below it, innermost first:
//
//	error: operator *: nonconformant arguments (op1 is 2x3, op2 is 2x3)
//	error: called from
//	    dim at line 1 column 3
type octave struct {
	script string // the script that was run; its frame has its name without ".m"
	calls  bool
	octaveTests
}

func parseOctave(in *tool.Input) *tool.Report {
	o := &octave{}
	for _, a := range in.Command().Argv {
		if strings.HasSuffix(a, ".m") {
			o.script = a
		}
	}
	return read.Text{Line: o.line}.Parse(in)
}

func (o *octave) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	f := s.Last()
	switch {
	case o.test(s, l, t):
	case t == "error: called from" && f != nil:
		o.calls = true
		return s.More(l)
	case o.calls && f != nil && strings.HasPrefix(t, "    "):
		o.frame(f, strings.TrimSpace(t))
		return s.More(l)
	case strings.HasPrefix(t, "error: "):
		o.calls = false
		return s.Find(l, o.raised(strings.TrimPrefix(t, "error: ")))
	case strings.HasPrefix(t, "warning: "):
		o.calls = false
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(t, "warning: ")})
	case strings.HasPrefix(t, "parse error"):
		return s.Find(l, o.raised(t))
	case f != nil && f.Kind == result.BuildError && strings.HasPrefix(t, "  ") && f.Message == "parse error":
		f.Message = strings.TrimSpace(t)
		return s.More(l)
	case f != nil:
		return s.More(l)
	}
	return false
}

// raised reads "parse error near line 2 of file /src/a.m" and "'x' undefined near line 2, column 7", and takes the
// place out of the message.
func (o *octave) raised(message string) result.Finding {
	if rest, ok := strings.CutPrefix(message, "parse error"); ok {
		f := result.Finding{Kind: result.BuildError, Rule: "parse-error", Message: "parse error"}
		if near, path, ok := strings.Cut(rest, " of file "); ok {
			_, n, _ := strings.Cut(near, " line ")
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(n)}
		}
		return f
	}
	f := result.Finding{Kind: result.Panic, Message: message}
	if what, near, ok := strings.Cut(message, " near line "); ok {
		line, column, _ := strings.Cut(near, ", column ")
		if f.Message = what; o.script != "" {
			f.At = &result.Location{Path: o.script, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
		}
	}
	return f
}

// frame reads "dim at line 1 column 3". The first frame of the script is the finding's place: the files of other
// functions are not printed.
func (o *octave) frame(f *result.Finding, t string) {
	name, at, ok := strings.Cut(t, " at line ")
	line, column, _ := strings.Cut(at, " column ")
	base := o.script[strings.LastIndexByte(o.script, '/')+1:]
	if !ok || f.At != nil || base == "" || name != strings.TrimSuffix(base, ".m") {
		return
	}
	f.At = &result.Location{Path: o.script, Line: lex.LeadingNumber(line), Column: lex.LeadingNumber(column)}
}
