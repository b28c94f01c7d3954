package php

import (
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
		strings.HasSuffix(t, " had compilation errors."):
		if n := len(s.Findings); n == 0 || s.Findings[n-1].Kind != result.BuildError {
			s.Find(l, perlDeath(t))
		}
		return true
	case s.Last() != nil && strings.HasPrefix(t, "\t"):
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
