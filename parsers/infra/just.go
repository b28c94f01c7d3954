package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("just", func(p *tool.Parser) {
	p.Is("just", result.Build, 1, "just 1.x: recipes that failed, mistakes of the justfile")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"error: Recipe `", "error: recipe `"}, Named: true, Parse: read.Text{Line: justLine}.Parse})
})

// justLine reads "error: recipe `build` failed on line 5 with exit code 1" ("Recipe" before 1.43), and errors in the
// justfile, with the place below.
func justLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "error: ")
	text := strings.TrimSpace(l.Text)
	switch {
	case ok && (strings.HasPrefix(strings.ToLower(message), "recipe `")):
		_, rest, _ := strings.Cut(message, "`")
		name, how, _ := strings.Cut(rest, "`")
		f := result.Finding{Kind: result.GenericFinding, ID: name, Message: message}
		if !strings.Contains(how, "failed") && !strings.Contains(how, "terminated") && !strings.Contains(how, "could not be run") {
			s.Meaning = result.MeansUsage
		} else {
			f.Kind, f.Severity = result.BuildError, result.SevFailure
		}
		return s.Find(l, f)
	case ok:
		return s.Misuse(l, message)
	case s.Last() == nil:
		return false
	case strings.HasPrefix(text, "——▶ "), strings.HasPrefix(text, "--> "):
		_, where, _ := strings.Cut(text, " ")
		if at, _, ok := place.Cut(where); ok {
			s.Last().At = &at
		}
		s.Last().Kind = result.BuildError
		return true
	case strings.Contains(l.Text, "│") || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "Did you mean") || strings.HasPrefix(l.Text, " ") || strings.HasPrefix(text, "usage:"):
		return s.More(l)
	case text == "", strings.HasPrefix(text, "Usage: "), strings.HasPrefix(text, "For more information"):
		return s.Meaning == result.MeansUsage
	}
	s.Break()
	return false
}
