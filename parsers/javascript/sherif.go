package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sherif", func() *tool.Parser {
	return &tool.Parser{
		Tool: "sherif", Kind: result.Lint, Version: 1,
		About: "sherif 1: default",

		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: sherifLine}.Parse}},
	}
})

// sherifLine reads "2 issues found in ./p/package.json:", below it
// " ⨯ error text. rule-name" and what should stand there.
func sherifLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	n, rest, counted := lex.CutCount(text, "issue")
	if path, ok := strings.CutPrefix(strings.TrimSpace(rest), "found in "); counted && ok && n > 0 {
		s.Path = strings.TrimSuffix(path, ":")
		s.Break()
		return true
	}
	if counted && strings.HasPrefix(strings.TrimSpace(rest), "found (") {
		s.Close(l)
		return true
	}
	for start, severity := range map[string]result.Severity{"⨯ error ": result.SevError, "⚠️ warning ": result.SevWarning} {
		message, ok := strings.CutPrefix(text, start)
		if !ok {
			continue
		}
		f := result.Finding{Severity: severity, Message: message}
		if i := strings.LastIndex(message, ". "); i > 0 && !strings.Contains(message[i+2:], " ") {
			f.Message, f.Rule = message[:i+1], message[i+2:]
		}
		if path := strings.TrimPrefix(s.Path, "./"); path != "" { // else of all packages together
			f.At = &result.Location{Path: path}
		}
		s.Find(l, f)
		return true
	}
	if s.Last() != nil && text != "" {
		s.More(l)
	}
	return s.Last() != nil
}
