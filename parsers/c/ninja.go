package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
		if !ok {
			return false
		}
		return ninjaSays(s, l, rest)
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
		s.Find(l, f)
		s.Meaning = result.MeansUsage
	case word == "warning":
		s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: word, Message: message})
	default:
		return false
	}
	return true
}
