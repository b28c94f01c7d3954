package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("make gmake mingw32-make", func(p *tool.Parser) {
	p.Is("make", result.Build, 1, "GNU make 3.81 to 4.4: recipes that failed, targets without a rule, mistakes in a makefile")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"make: ***", "make[…]: ***", "gmake: ***", "make: […(ignored)"}, Named: true, Parse: parseMake})
})

// maker reads the output of make. If makes run other makes, the innermost one says which recipe failed; the errors of
// the others follow from that.
type maker struct {
	depth int
	usage bool // the list of make's options follows
}

func parseMake(in *tool.Input) *tool.Report {
	return read.Text{Line: (&maker{depth: -1}).line}.Parse(in)
}

func (m *maker) line(s *read.Sink, l tool.Line) bool {
	if read.MovesMake(l.Text) {
		return !strings.HasPrefix(l.Text, "ninja")
	}
	if depth, rest, ok := cutMake(l.Text); ok {
		return m.said(s, l, depth, rest)
	}
	at, rest, ok := place.Cut(l.Text)
	if !ok {
		return m.usage
	}
	if text, stop := strings.CutPrefix(rest, "*** "); stop {
		return s.Refuse(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(text, ".  Stop."), At: &at})
	}
	if text, warns := strings.CutPrefix(rest, "warning: "); warns && strings.Contains(text, " recipe for target ") {
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: text, At: &at})
	}
	return strings.HasPrefix(rest, "recipe for target ") // make 4.2 repeats it in the next line
}

// said takes a line that begins with make's name.
func (m *maker) said(s *read.Sink, l tool.Line, depth int, rest string) bool {
	text, failed := strings.CutPrefix(rest, "*** ")
	switch {
	case failed && strings.HasPrefix(text, "Waiting for unfinished jobs"):
		return true
	case failed:
		m.failed(s, l, depth, text)
	case strings.HasPrefix(rest, "["):
		if f, ok := recipe(rest); ok {
			f.Severity, f.Kind = result.SevWarning, result.Diagnostic
			if last := s.Last(); last != nil && last.ID == "" && strings.HasSuffix(f.Message, "Error 127 (ignored)") {
				last.Severity, last.Kind = result.SevWarning, result.Diagnostic // the reason why the command could not be run
			}
			s.Find(l, f)
		}
	case strings.HasPrefix(rest, "Circular "), strings.HasPrefix(rest, "warning: "):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(rest, "warning: ")})
	case strings.HasSuffix(rest, ": No such file or directory"), strings.HasSuffix(rest, ": Permission denied"), strings.HasSuffix(rest, ": Command not found"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: rest})
	case lex.HasAnyPrefix(rest, "unrecognized option ", "invalid option ", "option requires "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: rest})
		s.Meaning, m.usage = result.MeansUsage, true
	case strings.HasSuffix(rest, " is up to date."), strings.HasPrefix(rest, "Nothing to be done for "), strings.HasSuffix(rest, " not remade because of errors."):
		s.Sign(l)
	case m.depth >= 0 && strings.HasSuffix(rest, "."): // such a line in another language
		s.Sign(l)
	default:
		return false
	}
	return true
}

// failed takes "[Makefile:8: target] Error 1", or the reason why nothing could be made.
func (m *maker) failed(s *read.Sink, l tool.Line, depth int, text string) {
	inner := m.depth
	m.depth = depth
	f, ok := recipe(text)
	switch {
	case ok && inner > depth:
		s.Cover(l) // a make that it ran has reported the failure
		return
	case !ok:
		f = result.Finding{Kind: result.BuildError, Message: strings.TrimSuffix(strings.TrimSuffix(text, "  Stop."), ".")}
		if strings.HasSuffix(text, "  Stop.") {
			s.Meaning = result.MeansUsage
		}
	case len(s.Findings) > 0 && strings.HasSuffix(f.Message, "Error 127"):
		if last := &s.Findings[len(s.Findings)-1]; last.At == nil && last.ID == "" {
			last.At, last.ID = f.At, f.ID // the shell's message says more
			s.Cover(l)
			return
		}
	}
	s.Find(l, f)
}

// recipe reads "[Makefile:8: target] Error 1" and "[target] Segmentation fault".
func recipe(text string) (f result.Finding, ok bool) {
	inner, why, ok := strings.Cut(strings.TrimPrefix(text, "["), "] ")
	if !ok || text[0] != '[' {
		return f, false
	}
	f = result.Finding{Kind: result.BuildError, ID: inner}
	if at, target, has := place.Cut(inner); has && target != "" {
		f.At, f.ID = &at, target
	}
	f.Message = why
	return f, true
}

// cutMake splits "make[2]: " from a line.
func cutMake(line string) (depth int, rest string, ok bool) {
	name, rest, ok := strings.Cut(line, ": ")
	if !ok {
		return 0, "", false
	}
	name = strings.TrimRight(name, " \u00a0") // in French, a blank precedes the colon
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		depth, name = lex.Atoi(name[i+1:len(name)-1]), name[:i]
	}
	return depth, rest, lex.IsOneOf(name, "make gmake mingw32-make")
}

var _ = Room.Add("ninja samu ninja-build", func(p *tool.Parser) {
	p.Is("ninja", result.Build, 1, "ninja 1.8 to 1.13 and samurai: steps that failed, mistakes in a build file")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ninja: build stopped", "ninja: error: "}, Named: true, Parse: parseNinja})
})

// parseNinja reads "FAILED: [code=1] main.o", the command below it, and ninja's own messages.
func parseNinja(in *tool.Input) *tool.Report {
	command := false // the next line is the command of the failed step
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		shown := command
		command = false
		if target, ok := strings.CutPrefix(l.Text, "FAILED: "); ok {
			if strings.HasPrefix(target, "[code=") {
				_, target, _ = strings.Cut(target, "] ")
			}
			target = strings.TrimSpace(target)
			s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: "command failed"})
			command = true
			return true
		}
		if shown {
			s.More(l)
			return s.Break()
		}
		rest, ok := strings.CutPrefix(l.Text, "ninja: ")
		return ok && ninjaSays(s, l, rest)
	}}.Parse(in)
}

func ninjaSays(s *read.Sink, l tool.Line, rest string) bool {
	word, message := read.CutSeverity(rest)
	switch {
	case strings.HasPrefix(rest, "Entering directory"):
	case strings.HasPrefix(rest, "build stopped: "):
		if s.Failures() == 0 {
			s.Find(l, result.Finding{Kind: result.BuildError, Message: rest})
		}
		s.Close(l)
	case strings.HasPrefix(rest, "no work to do"):
		s.Close(l)
	case word == "error" || word == "fatal" || lex.HasAnyPrefix(rest, "unknown", "unrecognized", "invalid"):
		f := result.Finding{Kind: result.BuildError, RawSeverity: word, Message: message}
		if at, text, ok := place.Cut(message); ok && text != "" {
			f.At, f.Message = &at, text
		}
		s.Refuse(l, f)
	case word == "warning":
		s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: word, Message: message})
	default:
		return false
	}
	return true
}
