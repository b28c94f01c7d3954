package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gdc dmd ldc2 dub | gdc-12 gdc-13 gdc-14 ldmd2 rdmd", func(p *tool.Parser) {
	p.Is("dlang", result.Build, 1, "gdc 10 to 15, dmd and ldc 2.9x to 2.11x, dub: diagnostics, unit tests, exceptions")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"core.exception.", "1/… modules FAILED unittests", "object.Exception@"}, Named: true, Parse: read.Text{Line: dLine}.Parse})
})

// dLine reads "a.d:2:57: error: text" of gdc, "a.d(2,57): Error: text" of the other compilers,
// "r.d(3): [unittest] rates" and uncaught exceptions:
//
//	core.exception.ArrayIndexError@rt.d(1): index [3] is out of bounds
func dLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if class, spot, ok := strings.Cut(t, "@"); ok && lex.IsIdentifier(lex.LastPart(class)) && !strings.Contains(class, " ") {
		if at, message, placed := place.Cut(spot); placed {
			return s.Find(l, result.Finding{Kind: result.Panic, Rule: class, Message: message, At: &at})
		}
	}
	at, rest, placed := place.Cut(t)
	if name, ok := strings.CutPrefix(rest, "[unittest] "); ok && placed {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: name, At: &at, ID: at.Path + "(" + lex.LastPart(name) + ")"})
		s.Last().ID, s.Tested = strings.TrimSuffix(at.Path, ".d")+" unittest", true
		return s.Break()
	}
	d, ok := read.CutDiagnostic(t)
	_, symbol, unresolved := strings.Cut(t, ": undefined reference to ")
	switch {
	case unresolved: // each symbol is reported once
		f := result.Finding{Kind: result.BuildError, Message: "undefined reference to " + symbol}
		return slices.ContainsFunc(s.Findings, func(o result.Finding) bool { return o.Message == f.Message }) || s.Find(l, f)
	case s.Failures() > 0 && lex.HasAnyPrefix(t, "/usr/bin/ld: ", "collect2: error: ", "Error: /usr/bin/cc failed with status: "): // repeats the linker's error
		return s.Close(l)
	case ok && (d.Word == "error" || d.Word == "warning" || d.Word == "deprecation") && strings.HasSuffix(d.At.Path, ".d"):
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: d.Message, At: &d.At}
		return s.Find(l, f)
	case lex.HasAnyPrefix(t, "d21: error: ", "Error: ", "gdc: error: ", "gdc: fatal error: "):
		_, message := read.CutSeverity(strings.TrimPrefix(strings.TrimPrefix(t, "d21: "), "gdc: "))
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case strings.HasSuffix(t, " modules FAILED unittests"):
		_, total, _ := strings.Cut(t, "/")
		return s.Sum(l, lex.LeadingNumber(total), lex.LeadingNumber(t), 0, 0)
	case s.Last() != nil && t != "":
		return s.More(l)
	}
	return false
}

var _ = Room.Add("fpc | ppcx64 ppc386 lazbuild", func(p *tool.Parser) {
	p.Is("fpc", result.Build, 1, "Free Pascal 3.0 and 3.2")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Other: fpcSays,
		Accept: func(d *read.Diagnostic) bool { return d.Word != "" && !strings.HasSuffix(d.Message, fpcCounts) }}.Parse})
})

// fpcCounts ends the line that counts a module's errors. The line has a place, the end of the file, but is no error.
const fpcCounts = " errors compiling module, stopping"

func fpcSays(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "Free Pascal Compiler version "):
		return s.Sign(l)
	case strings.HasSuffix(l.Text, fpcCounts),
		strings.HasPrefix(message, "Compilation aborted"), strings.HasSuffix(message, " returned an error exitcode"):
		return true
	case word == "error", word == "fatal":
		return s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: word, Message: message})
	}
	return false
}

var _ = Room.Add("guile | guild", func(p *tool.Parser) {
	p.Is("guile", result.Generic, 1, "GNU Guile 2.2 and 3.0: errors that nothing caught, and what the compiler warns of")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: guileLine}.Parse)})
})

// guileLine reads "ERROR: In procedure x:" with the message below it, "In procedure x: message" behind a place in
// Guile's own files ("ice-9/…"), and messages behind a place in the program.
func guileLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	at, message, ok := place.Cut(strings.TrimPrefix(l.Text, ";;; "))
	_, why, in := strings.Cut(message, "In procedure ")
	procedure, reason, told := strings.Cut(why, ": ")
	switch {
	case strings.HasPrefix(l.Text, "ERROR: "):
		return s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text[7:]})
	case ok && in && told && strings.HasPrefix(at.Path, "ice-9/"):
		return s.Find(l, result.Finding{Kind: result.Panic, Message: procedure + ": " + reason})
	case ok && in && why == "raise-exception:" && strings.HasPrefix(at.Path, "ice-9/"): // the program is on stdin
		return s.Find(l, result.Finding{Kind: result.Panic, Message: message})
	case ok && strings.HasPrefix(at.Path, "ice-9/"):
		return true
	case ok && message != "" && l.Stream == tool.Stderr && !strings.HasPrefix(l.Text, " "):
		word, rest := read.CutSeverity(message)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: rest, At: &at})
	case f != nil && l.Text != "":
		if strings.HasPrefix(f.Message, "In procedure ") && strings.HasSuffix(f.Message, ":") {
			f.Message = strings.TrimPrefix(l.Text, "In procedure ")
		}
		return s.More(l)
	}
	return false
}

var _ = Room.Add("gforth gforth-fast gforth-itc", func(p *tool.Parser) {
	p.Is("gforth", result.Generic, 1, "Gforth 0.7, which exits 0 whatever is wrong with a program on stdin")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*forth).line))})
})

// forth reads an error: the reason, and below it the source line with the faulty word between arrows. An error in a
// program on stdin has no path.
//
//	a.fs:2: Undefined word
//	: f >>>nosuch<<< ;
//	Backtrace:
//	$7FC0A5466A68 throw
type forth struct{ above tool.Line } // the line before

func (c *forth) line(s *read.Sink, l tool.Line) bool {
	above := c.above
	c.above = l
	_, marked, opens := strings.Cut(l.Text, ">>>")
	word, _, closes := strings.Cut(marked, "<<<")
	path, rest, placed := strings.Cut(above.Text, ":")
	number, reason, told := strings.Cut(rest, ": ")
	switch {
	case opens && closes && placed && told && lex.IsDigits(number):
		f := result.Finding{Kind: result.BuildError, Message: reason + ": " + word}
		if path != "" && path[0] != '*' {
			f.At = &result.Location{Path: path, Line: lex.Atoi(number)}
		}
		return s.Find(tool.Line{Start: above.Start, End: l.End, Stream: l.Stream}, f)
	case s.Last() != nil && (strings.HasPrefix(l.Text, "Backtrace:") || strings.HasPrefix(l.Text, "$")):
		return s.More(l)
	}
	s.Break()
	return false
}

var _ = Room.Add("poly polyc", func(p *tool.Parser) {
	p.Is("polyml", result.Generic, 1, "Poly/ML 5.7, which reads a program from stdin and exits 0 whatever is wrong with it")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.BuildError, Below: polyBelow, Rows: []read.Row{
		{Form: "poly: : {severity}: {message}"}, {Form: ": {severity}: {message}"}, {Form: "poly: {path}:{line}: {severity}: {message}"}, {Form: "{path}:{line}: {severity}: {message}"}, {Form: "Static Errors", As: read.Close},
	}}.Parse)})
})

// polyBelow adds the reason of a type error to its message.
func polyBelow(s *read.Sink, l tool.Line) bool {
	if f := s.Last(); f != nil && strings.HasPrefix(l.Text, "      Can't unify ") {
		f.Message += " " + strings.TrimSpace(l.Text)
	}
	return strings.HasPrefix(l.Text, "Found near ") || strings.HasPrefix(l.Text, " ")
}

var _ = Room.Add("z3 cvc5 yices-smt2 | cvc4", func(p *tool.Parser) {
	p.Is("smtlib", result.Build, 1, "solvers that read SMT-LIB: Z3 4.8 and later; cvc5 answers in the same form")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: smtLine}.Parse)})
})

// smtLine reads `(error "line 2 column 13: unknown constant y")`. Solvers do not print the file, so it is taken from
// the command line.
func smtLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, `(error "`)
	text, ends := strings.CutSuffix(text, `")`)
	if !ok || !ends {
		return false
	}
	f := result.Finding{Message: text}
	where, message, placed := strings.Cut(text, ": ")
	if words := strings.Fields(where); placed && len(words) == 4 && words[0] == "line" && words[2] == "column" {
		f.Message = message
		f.At = &result.Location{Path: read.OnlyFile(s.In, ".smt2", ".smt"), Line: lex.LeadingNumber(words[1]), Column: lex.LeadingNumber(words[3])}
	}
	return s.Find(l, f)
}
