package language

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nim | nimble testament", func(p *tool.Parser) {
	p.Is("nim", result.Build, 1, "nim 1.4 to 2.2: errors, warnings, and exceptions of what it runs")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: nimLine}.Parse})
})

const nimException = "Error: unhandled exception: "

// nimLine reads "a.nim(2, 14) Error: type mismatch … [Rule]", and skips hints.
func nimLine(s *read.Sink, l tool.Line) bool {
	at, rest, ok := place.Cut(l.Text)
	if ok && at.Path != "command line" {
		at.Path = nimPath(s.In.Command().Argv, at.Path)
	}
	said := l.Text
	if ok && strings.HasPrefix(rest, nimException) { // an exception while compiling
		s.Path, said = l.Text, rest
	}
	switch {
	case strings.HasPrefix(said, nimException):
		message, rule := read.Brackets.Cut(said[len(nimException):])
		return nimUncaught(s, l, message, rule)
	case ok && strings.HasPrefix(rest, "Error: "), ok && strings.HasPrefix(rest, "Warning: "):
		word, message := read.CutSeverity(rest)
		message, rule := read.Brackets.Cut(message)
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: &at}
		if at.Path == "command line" {
			f.At, s.Meaning = nil, result.MeansUsage
		}
		return s.Find(l, f)
	case ok && strings.HasSuffix(at.Path, ".nim") && strings.Contains(l.Text, "): "): // a check of unittest outside of a test
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: strings.TrimSuffix(rest, "."), At: &at})
	case ok && strings.HasSuffix(at.Path, ".nim") && !strings.HasPrefix(rest, "Hint"):
		s.Path = l.Text
		return true // a frame of a trace, whose innermost frame is the last
	case strings.HasPrefix(l.Text, "Error: execution of an external program failed"):
		return true
	case strings.HasPrefix(l.Text, "Error: "):
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text[7:]})
	case strings.HasPrefix(l.Text, "Hint: "):
		return s.Sign(l)
	}
	return false
}

// nimUncaught adds an uncaught exception. The message of an assertion begins with the assertion's place; the trace
// would end in the library that raised it.
func nimUncaught(s *read.Sink, l tool.Line, message, rule string) bool {
	f := result.Finding{Kind: result.Panic, Rule: rule, Message: message}
	for _, line := range [...]string{message, s.Path} {
		if at, rest, ok := place.Cut(line); ok && strings.HasSuffix(at.Path, ".nim") {
			if f.At = &at; line == message {
				f.Message = rest
			}
			break
		}
	}
	if f.At != nil {
		f.At.Path = nimPath(s.In.Command().Argv, f.At.Path)
	}
	return s.Find(l, f)
}

// nimPath returns file below the directory of the compiled .nim file in argv, from which Nim prints relative paths.
func nimPath(argv []string, file string) string {
	for _, a := range argv {
		if strings.HasSuffix(a, ".nim") && !path.IsAbs(file) {
			return path.Join(path.Dir(a), file)
		}
	}
	return file
}

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("nim-unittest", result.Test, 1, "unittest of Nim 1.4 to 2.2")
	p.Matches = func([]string) bool { return false } // a test is a program of any name
	p.Reads(tool.Format{Name: "text", Starts: []string{"[Suite] "}, Parse: read.Fresh(func(n *nimTests) read.Text { return read.Text{Line: n.line, End: n.end} })})
})

// nimTests reads the failed checks of a test, and the test's row below them:
//
//	[Suite] berth
//	    /src/u.nim(4, 16): Check failed: 1 + 1 == 3
//	    1 + 1 was 2
//	  [FAILED] adds
//	/src/u.nim(8) u
//
//	    Unhandled exception: bad [ValueError]
//	  [FAILED] raises
//	  [OK] takes
type nimTests struct {
	suite string
	open  bool // a failed check was read, and the test's row is still to come
	frame *result.Location
}

func (n *nimTests) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if name, ok := strings.CutPrefix(text, "[Suite] "); ok {
		n.end(s)
		n.suite = strings.Clone(name)
		return s.Sign(l)
	}
	if mark, name, ok := strings.Cut(strings.TrimPrefix(text, "["), "] "); ok && text[0] == '[' && lex.IsOneOf(mark, "OK FAILED SKIPPED") {
		n.row(s, l, mark, name)
		return true
	}
	if at, rest, ok := place.Cut(text); ok && at.Line > 0 && strings.HasSuffix(at.Path, ".nim") {
		if !strings.Contains(l.Text[:len(l.Text)-len(text)], "    ") { // a frame of the exception that is printed next
			if inNim := strings.Contains(at.Path, "/lib/system/") || strings.Contains(at.Path, "/lib/pure/"); !inNim || n.frame == nil {
				n.frame = &at
			}
			return true
		}
		n.failed(s, l, result.Finding{Message: strings.TrimSuffix(rest, "."), At: &at})
		return true
	}
	if message, ok := strings.CutPrefix(text, "Unhandled exception: "); ok {
		message, rule := read.Brackets.Cut(message)
		n.failed(s, l, result.Finding{Rule: rule, Message: message, At: n.frame})
		n.frame = nil
		return true
	}
	return n.open && s.More(l)
}

// failed adds a failed check. Nim goes on with the test: its further failed checks become related places.
func (n *nimTests) failed(s *read.Sink, l tool.Line, f result.Finding) {
	if last := s.Last(); n.open && last != nil {
		s.More(l)
		last.Related = append(last.Related, result.Related{Message: f.Message, At: f.At})
		return
	}
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, n.suite
	s.Find(l, f)
	n.open = true
}

func (n *nimTests) row(s *read.Sink, l tool.Line, mark, name string) {
	id := n.suite + "::" + name
	s.Tested = true
	if came := read.Outcome(lex.Means(mark, "passed: OK; skipped: SKIPPED")); came != "" {
		s.Counted(tool.Test{ID: id, Outcome: came})
	} else {
		if s.Count("failed", 1); !n.open {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed"})
		}
		if last := s.Last(); last != nil {
			s.More(l)
			last.ID = id
		}
	}
	n.open = false
	n.end(s)
}

// end ends a test. A failed "require" ends the program before the test's row; the test is counted here then.
func (n *nimTests) end(s *read.Sink) {
	if n.open {
		s.Count("failed", 1)
	}
	s.Break()
	n.open, n.frame = false, nil
}
