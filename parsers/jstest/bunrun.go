package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bun", func(p *tool.Parser) {
	p.Is("bun", result.Build, 1, "bun 1: scripts that died, build, install")
	p.ColumnUnit = "utf16"
	p.Matches = func(argv []string) bool { return argv[0] == "bun" && !tool.RunsSub("bun", "test")(argv) }
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: bunRunLine}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Bun v"}, Sniff: isBunVersion, Parse: read.Text{Line: bunRunLine}.Parse})
})

// isBunVersion: bun ends the report of an uncaught error with its version:
// "Bun v1.4.5 (Linux x64)".
func isBunVersion(line string) bool {
	return strings.HasPrefix(line, "Bun v") && strings.HasSuffix(line, ")") && strings.Count(line, " ") < 5
}

// bunRunLine reads an excerpt, the error below it, and where: for a build
// "error: text" and "    at /src/a.js:1:11", for a script "TypeError: text" and its
// stack.
func bunRunLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, failed := strings.CutPrefix(l.Text, "error: ")
	warning, warns := strings.CutPrefix(l.Text, "warn: ")
	at, framed := jserror.Frame(text)
	switch {
	case isBunVersion(l.Text):
		s.Version, _, _ = strings.Cut(l.Text[len("Bun v"):], " ")
		if s.Sign(l); len(s.Findings) > 0 {
			last := &s.Findings[len(s.Findings)-1]
			last.Kind, s.Meaning = result.Panic, result.MeansCrashed
		}
		return s.Break()
	case failed && strings.HasPrefix(message, "script \""): // that a runner ran
		return s.Sign(l)
	case failed:
		class, message := jserror.CutClass(message)
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case warns:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: warning})
	case text == l.Text && trace.IsThrown(text) && !framed && text != "":
		class, message := jserror.CutClass(text)
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case framed && s.Last() != nil:
		if f := s.Last(); f.At == nil && !at.External {
			f.At = &at
		} else if !at.External {
			f.Frames = append(f.Frames, at)
		}
		return s.More(l)
	case lex.HasAnyPrefix(l.Text, "bun build v", "bun add v", "bun install v"):
		s.Cover(l)
		return true
	}
	return false
}
