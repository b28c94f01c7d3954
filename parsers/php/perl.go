package php

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("perl", func(p *tool.Parser) {
	p.Is("perl", result.Generic, 1, "perl 5: what it says when it dies, and of code that it cannot compile")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "compile", Starts: []string{"syntax error at … line ", "Can't locate … in @INC ", "BEGIN failed--compilation aborted at ", "Execution of … aborted due to compilation errors.", `Global symbol "… requires explicit package name `, `Bareword "… not allowed while `},
		Parse: read.Text{Line: perlLine}.Parse})
	p.Reads(tool.Format{Name: "died", Parse: read.Text{Line: perlLine}.Parse})
})

// perlLine reads "boom: disk on fire at bin/x.pl line 3.", "syntax error at
// bin/x.pl line 4, near "= ;"", and the lines of a trace below.
func perlLine(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if file, rest, ok := strings.Cut(t, ".t .."); ok && !strings.Contains(file, " ") { // prove's progress on a terminal stands in front
		t = strings.TrimLeft(rest, ". ")
	}
	switch {
	case strings.HasPrefix(t, "BEGIN failed--compilation aborted") || strings.HasPrefix(t, "Execution of ") && strings.Contains(t, " aborted due to "),
		strings.HasSuffix(t, " had compilation errors."), strings.HasPrefix(t, "BEGIN not safe after errors"):
		if n := len(s.Findings); n == 0 || s.Findings[n-1].Kind != result.BuildError {
			s.Find(l, perlDeath(t))
		}
		return true
	case s.Last() != nil && lex.HasAnyPrefix(t, "\t", "Compilation failed in require at "):
		if _, at, _, ok := cutPerlPlace(t); ok && s.Last().At != nil && *at != *s.Last().At && len(s.Last().Frames) < 8 {
			s.Last().Frames = append(s.Last().Frames, *at)
		}
		return s.More(l)
	case strings.HasSuffix(t, " syntax OK"):
		return s.Sign(l)
	case l.Stream == tool.Stderr && strings.HasPrefix(t, "Can't open perl script "), strings.HasPrefix(t, "Unrecognized switch: "):
		return s.Misuse(l, t)
	case isPerlDeath(t), strings.HasPrefix(t, "Can't locate ") && strings.Contains(t, " in @INC "):
		return s.Find(l, perlDeath(t))
	}
	return false
}

// isPerlDeath reports whether t is a message that ends with " at PATH line 3.", or has it before ", near …" or ", <FH>
// line 2.".
func isPerlDeath(t string) bool {
	_, _, rest, ok := cutPerlPlace(t)
	return ok && (rest == "." || rest == "" || lex.HasAnyPrefix(rest, ", near ", ", <", ", at ")) && t[0] != '#' && t[0] != ' ' && t[0] != '\t'
}

// cutPerlPlace takes the last " at PATH line 3" out of a message.
func cutPerlPlace(t string) (message string, at *result.Location, rest string, ok bool) {
	for end := len(t); ; {
		i := strings.LastIndex(t[:end], " at ")
		if i <= 0 {
			return "", nil, "", false
		}
		path, line, found := strings.Cut(t[i+4:], " line ")
		if n := lex.LeadingNumber(line); found && n > 0 && !strings.Contains(path, " ") {
			return t[:i], &result.Location{Path: path, Line: n}, strings.TrimLeft(line, "0123456789"), true
		}
		end = i
	}
}

func perlDeath(t string) result.Finding {
	message, at, rest, ok := cutPerlPlace(t)
	if !ok { // a module on the command line has no place
		message = t
	}
	if near, ok := strings.CutPrefix(rest, ", near "); ok {
		message += ", near " + near
	}
	if before, _, ok := strings.Cut(message, " (@INC "); ok {
		message = before
	}
	f := result.Finding{Kind: result.BuildError, Message: message, At: at}
	if isPerlWarning(message) {
		f.Severity = result.SevWarning
	}
	return f
}

// isPerlWarning reports whether message is one of the warnings of "use warnings", after which perl goes on.
func isPerlWarning(message string) bool {
	return lex.HasAnyPrefix(message, "Use of uninitialized value", "Useless use of ", "Argument \"", "Odd number of elements", "Name \"", "Subroutine ", "Scalar value ", "Possible ", "Deep recursion ", "Unquoted string ") || strings.Contains(message, " redeclared") || strings.Contains(message, " masks earlier declaration")
}

var _ = Room.Add("perlcritic", func(p *tool.Parser) {
	p.Is("perlcritic", result.Lint, 1, "Perl::Critic 1: --verbose 2 to 11; most of them do not name the file")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal}
	p.Reads(perlcriticTemplate.Format("perlcritic"))
	p.Reads(tool.Format{Name: "text", Starts: []string{"Code before strictures are enabled at line "}, Named: true, Parse: read.Text{Line: perlcriticLine}.Parse})
	p.Reads(tool.Format{Name: "explained", Parse: read.Lines((*perlcriticPair).line)})
	p.Reads(tool.Format{Name: "short", Parse: perlcriticShort.Parse})
})

// perlcriticTemplate reads --verbose with a format string given by the user.
var perlcriticTemplate = read.Template{
	Letters: true,
	Names:   map[string]string{"f": "{path}", "F": "{path}", "l": "{line}", "c": "{column}", "m": "{message}", "p": "{rule}", "P": "{rule}", "s": "{word}"},
	Fit: func(f *result.Finding) bool {
		f.Rule = strings.TrimPrefix(f.Rule, "Perl::Critic::Policy::")
		if f.Severity = result.SevWarning; f.RawSeverity >= "5" {
			f.Severity = result.SevError
		}
		return true
	},
}

// perlcriticLine reads the formats of one line, with and without the rule or the path:
//
//	Code before strictures are enabled at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
//	[TestingAndDebugging::RequireUseStrict] Code before … at line 2, column 1.  (Severity: 5)
//	lib/L.pm: Code before … at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
func perlcriticLine(s *read.Sink, l tool.Line) bool {
	text, end, ok := strings.Cut(l.Text, "(Severity: ")
	severity := lex.LeadingNumber(end)
	if !ok || severity == 0 {
		return strings.HasSuffix(l.Text, " source OK") && s.Sign(l)
	}
	f := result.Finding{RawSeverity: string(rune('0' + severity%10)), At: &result.Location{}}
	perlcriticTemplate.Fit(&f)
	if rule, rest, has := strings.Cut(text, "] "); has && strings.HasPrefix(text, "[") {
		f.Rule, text = rule[1:], rest
	} else if path, rest, has := strings.Cut(text, ": "); has && !strings.Contains(path, " ") && strings.Contains(path, ".") {
		f.At.Path, text = path, rest
	}
	message, where, ok := strings.Cut(text, " at line ")
	if !ok {
		return false
	}
	f.Message, f.At.Line = message, lex.LeadingNumber(where)
	if _, column, has := strings.Cut(where, "column "); has {
		f.At.Column = lex.LeadingNumber(column)
	}
	f.At.Path = cmp.Or(f.At.Path, read.OnlyFile(s.In, ".pm", ".pl", ".t"))
	if f.At.Path == "" { // the file is not known
		f.At, f.Message = nil, strings.TrimRight(message+" at line "+strings.SplitN(where, ".  ", 2)[0], " .")
	}
	return s.Find(l, f)
}

// perlcriticPair reads --verbose 10 and 11: the problem, the policy below it, and then the policy's explanation.
//
//	Code is not tidy at line 1, column 1.
//	  CodeLayout::RequireTidyCode (Severity: 1)
type perlcriticPair struct{ above tool.Line }

func (p *perlcriticPair) line(s *read.Sink, l tool.Line) bool {
	policy, severity, ok := strings.Cut(strings.TrimPrefix(l.Text, "  "), " (Severity: ")
	if !ok || !strings.HasPrefix(l.Text, "  ") || strings.Contains(policy, " ") || !strings.Contains(p.above.Text, " at line ") {
		p.above = l
		p.above.Text = strings.Clone(l.Text)
		s.Break()
		return strings.HasPrefix(l.Text, "    ") || l.Text == "" || strings.Contains(l.Text, " at line ")
	}
	above := p.above
	above.Text += "(Severity: " + severity
	if !perlcriticLine(s, above) {
		return false
	}
	if f := s.Last(); f != nil {
		f.Rule = policy
		s.More(l)
	}
	return true
}

// perlcriticShort reads --verbose 2 and 3, which print no severity.
var perlcriticShort = read.Rows{Rows: []read.Row{
	{Form: "{path}: ({line}:{column}) {message}", As: read.Warning},
	{Form: "{message} at {path} line {line}", As: read.Warning},
}}
