package language

import (
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
	rule = strings.Replace(rule, "-Werror=", "-W", 1)
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
	return strings.HasPrefix(t, "collect2: error: ") || strings.Contains(t, ": in function `")
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
