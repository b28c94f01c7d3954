package language

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
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
