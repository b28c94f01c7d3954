package language

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.AnyProgram, func(p *tool.Parser) {
	p.Is("gfortran", result.Build, 1, "gfortran 8 to 16: diagnostics, errors at run time")
	p.ColumnUnit = "char"
	p.Matches = isFortran
	p.Programs = []string{"gfortran", "f95", "f77", "mpif90", "mpifort"}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Fortran runtime error: ", "ERROR STOP ", "f951: "}, Named: true, Parse: read.Lines((*fortran).line)})
})

func isFortran(argv []string) bool {
	name, _, _ := strings.Cut(argv[0], "fortran")
	return strings.Contains(argv[0], "gfortran") && (name == "g" || strings.HasSuffix(name, "-g")) || lex.IsOneOf(argv[0], "f95 f77 mpif90 mpif77 mpifort")
}

// fortran reads the compiler's diagnostics: a place on a line of its own, the source with marks, and the message:
//
//	a.f90:6:16:
//
//	    6 |   call nope(1, 2
//	      |                1
//	Error: Syntax error in argument list at (1)
//
// It also reads errors that end a program: "At line 5 of file rt.f90" stands above the error.
type fortran struct {
	at *result.Location
}

func (c *fortran) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	word, message := read.CutSeverity(t)
	switch {
	case c.runtime(s, l, t):
	case strings.HasSuffix(t, ":") && !strings.Contains(t, " ") && read.PlaceOf(t) != nil:
		c.at = read.PlaceOf(t)
		s.Break()
	case (word == "error" || word == "fatal error" || word == "warning") && (c.at != nil || strings.HasPrefix(t, "f951: ")):
		c.find(s, l, word, message)
	case strings.HasPrefix(t, "f951: "), strings.HasPrefix(t, "gfortran: "):
		_, rest, _ := strings.Cut(t, ": ")
		if word, message = read.CutSeverity(rest); read.SeverityOf(word) == "" {
			return true
		}
		if strings.HasPrefix(message, "some warnings being treated as errors") || strings.HasPrefix(message, "all warnings") {
			return true
		}
		c.find(s, l, word, message)
		if strings.HasPrefix(t, "gfortran: ") {
			s.Meaning = result.MeansUsage
		}
	case c.plain(s, l, t), c.linker(s, l, t):
	case s.Last() != nil && t != "":
		s.More(l)
	default:
		return c.at != nil
	}
	return true
}

// find adds a diagnostic. It removes " at (1)" from the message, a reference to a mark in the source above, and
// makes the flag in brackets the rule.
func (c *fortran) find(s *read.Sink, l tool.Line, word, message string) {
	message, rule := read.Brackets.Cut(message)
	rule = read.WarningFlag(rule)
	f := result.Finding{Kind: read.KindOf(read.SeverityOf(word)), Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: strings.ReplaceAll(message, " at (1)", ""), At: c.at}
	s.Find(l, f)
	s.Break()
	c.at = nil
}

// plain reads -fdiagnostics-plain-output: "a.f90:6:3: Error: text".
func (c *fortran) plain(s *read.Sink, l tool.Line, t string) bool {
	d, ok := read.CutDiagnostic(t)
	if !ok || d.Word != "error" && d.Word != "fatal error" && d.Word != "warning" {
		return false
	}
	c.at = &d.At
	c.find(s, l, d.Word, d.Message)
	return true
}

// linker reads "undefined reference to `nope_'" and the linker's closing line.
func (c *fortran) linker(s *read.Sink, l tool.Line, t string) bool {
	if _, name, ok := strings.Cut(t, "undefined reference to `"); ok {
		f := result.Finding{Kind: result.BuildError, Message: "undefined reference to `" + name}
		if path, _, ok := strings.Cut(t, ":(."); ok { // "l.f90:(.text+0x19): undefined …"
			f.At = &result.Location{Path: strings.TrimPrefix(path[strings.LastIndex(path, ": ")+1:], " ")}
		} else if at := read.PlaceOf(t); at != nil {
			f.At = at
		}
		return s.Find(l, f)
	}
	return lex.HasAnyPrefix(t, "collect2: error: ", "compilation terminated.") || strings.Contains(t, ": in function `")
}

// runtime reads errors of libgfortran, and the frames whose source belongs to the program.
func (c *fortran) runtime(s *read.Sink, l tool.Line, t string) bool {
	if rest, ok := strings.CutPrefix(t, "At line "); ok {
		if line, path, ok := strings.Cut(rest, " of file "); ok {
			path, _, _ = strings.Cut(path, " (unit")
			c.at = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
			return true
		}
	}
	message, failed := strings.CutPrefix(t, "Fortran runtime error: ")
	switch {
	case failed:
		s.Find(l, result.Finding{Kind: result.Panic, Rule: "runtime-error", Message: message, At: c.at})
		c.at = nil
	case strings.HasPrefix(t, "ERROR STOP"):
		s.Find(l, result.Finding{Kind: result.Panic, Rule: "ERROR STOP", Message: t})
	case strings.HasPrefix(t, "\tat ") || strings.HasPrefix(t, "        at "):
		f := s.Last()
		if at := read.PlaceOf(strings.TrimSpace(t)[3:]); at == nil || f == nil || strings.HasPrefix(at.Path, "..") {
		} else if f.At == nil {
			f.At = at
		} else if f.At.Line != at.Line {
			f.Related = append(f.Related, result.Related{At: at})
		}
		s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("tclsh expect | tclsh8.6 tclsh9.0 wish", func(p *tool.Parser) {
	p.Is("tcl", result.Generic, 1, "Tcl 8.5 to 9: errors that nothing caught")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*tclTrace).line)})
})

// tclTrace reads a message and the commands below it, innermost first; the file is named last:
//
//	can't read "nope": no such variable
//	    while executing
//	"expr {$x + $nope}"
//	    (procedure "f" line 1)
//	    (file "a.tcl" line 3)
//
// A line that the script itself writes to stderr looks like a message. A line is taken for a message only if
// "while executing" follows. For a program on stdin, Tcl prints the message alone and runs the next command.
type tclTrace struct{ above tool.Line } // the line before

func (c *tclTrace) line(s *read.Sink, l tool.Line) bool {
	f, t := s.Last(), strings.TrimSpace(l.Text)
	if l.Stream != tool.Stderr || t == "" {
		return f != nil
	}
	if rest, ok := strings.CutPrefix(t, `couldn't read file "`); ok {
		path, why, _ := strings.Cut(rest, `": `)
		return s.Find(l, result.Finding{Kind: result.Panic, Message: why, At: &result.Location{Path: path}})
	}
	if f == nil && t == "while executing" && c.above.Text != "" {
		s.Find(c.above, result.Finding{Kind: result.Panic, Message: strings.TrimSpace(c.above.Text)})
		f = s.Last()
	}
	c.above = l
	if len(s.In.Command().Argv) == 1 && lex.HasAnyPrefix(t, tclSays...) {
		s.Find(l, result.Finding{Kind: result.Panic, Message: t})
		return s.Break()
	}
	if f == nil {
		return false
	}
	if rest, ok := strings.CutPrefix(t, `(file "`); ok && f.At == nil {
		path, line, _ := strings.Cut(rest, `" line `)
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		s.More(l)
		return s.Break()
	}
	return s.More(l)
}

// tclSays lists how the messages of Tcl's own commands begin.
var tclSays = []string{
	"can't read \"", "can't set \"", "can't unset \"", "invalid command name \"", "wrong # args: ", "divide by zero", "expected integer but got ",
	"expected floating-point number but got ", "invalid bareword \"", "missing close-", "missing \"", "extra characters after close-", "couldn't open \"",
	"can't find package ", "unknown or ambiguous subcommand ", "bad option \"", "can not find channel named ", "list element in ", "missing operand",
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("tcltest", result.Test, 1, "tcltest 2: the tests that failed and the counts of each file")
	p.Reads(tool.Format{Name: "text", Starts: []string{"==== Contents of test case:"}, Parse: read.Fresh(func(c *tclTest) read.Text { return read.Text{Line: c.line, Closes: true} })})
})

// tclTest reads failed tests, each from its head to the line that repeats the head:
//
//	==== a-1 adds FAILED
//	---- Result was:
//	2
//	---- Result should have been (exact matching):
//	3
//	==== a-1 FAILED
type tclTest struct {
	name  string
	above string
}

func (c *tclTest) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	title, failed := strings.CutSuffix(strings.TrimPrefix(t, "==== "), " FAILED")
	f := s.Last()
	switch {
	case failed && strings.HasPrefix(t, "==== ") && title == c.name:
		c.name = ""
		s.Break()
	case failed && strings.HasPrefix(t, "==== "):
		var about string
		c.name, about, _ = strings.Cut(title, " ")
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: c.name, Name: c.name, Message: about})
		s.Tested = true
	case strings.Contains(t, ":\tTotal\t"):
		s.Scores(read.Counts(strings.Join(swapPairs(strings.Fields(t)), " ")), "passed: passed; failed: failed; skipped: skipped")
		s.Ended(l)
	case c.name == "" || f == nil:
		return false
	default:
		switch {
		case strings.HasPrefix(c.above, "---- Result was"):
			f.Actual = t
		case strings.HasPrefix(c.above, "---- Result should have been"):
			f.Expected = t
		case strings.HasPrefix(t, "---- errorInfo: "):
			f.Message += ": " + t[len("---- errorInfo: "):]
		}
		s.More(l)
	}
	c.above = t
	return true
}

// swapPairs makes "4 Total, 1 Passed," of "a.tcl: Total 4 Passed 1".
func swapPairs(words []string) (out []string) {
	for i := 1; i+1 < len(words); i += 2 {
		out = append(out, words[i+1], words[i]+",")
	}
	return out
}

var _ = Room.Add("gprbuild gnatmake | gnat gnatbind gprclean", func(p *tool.Parser) {
	p.Is("gnat", result.Build, 1, "GNAT 8 to 15, Ada: gnatmake, gprbuild")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"gprbuild: *** ", "gnatmake: "}, Named: true, Parse: read.Linter{
		Kind: result.BuildError, Rule: read.Brackets, Accept: func(d *read.Diagnostic) bool { return lex.IsOneOf(path.Ext(d.At.Path), ".adb .ads .gpr .ada") }, Closes: true, Joins: true, Other: gnatSays,
	}.Parse})
})

// gnatSays reads what the tools say themselves: "gprbuild: *** compilation phase failed", "   compilation of main.adb failed".
func gnatSays(s *read.Sink, l tool.Line) bool {
	program, message, ok := strings.Cut(l.Text, ": ")
	switch {
	case !ok || !lex.IsOneOf(program, "gprbuild gnatmake gnatbind gnatlink"):
		return strings.HasPrefix(l.Text, "   compilation of ")
	case len(s.Findings) == 0:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	}
	return s.Close(l)
}
