package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Compilers of one script at a time.

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "babel", Kind: result.Build, Version: 1, ColumnUnit: "utf16",
		About:   "babel 7 and 8 on the command line",
		Matches: tool.Runs("babel"), Programs: []string{"babel"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Text{Line: babelLine}.Parse}},
	}
})

// babelLine reads "SyntaxError: /src/a.js: Unexpected token (1:10)", an excerpt and
// babel's own stack; and "error: unknown option '--nope'".
func babelLine(s *read.Sink, l tool.Line) bool {
	class, message := jserror.CutClass(l.Text)
	at, text, placed := jserror.CutSyntax(message)
	switch {
	case s.Last() != nil:
		s.More(l)
	case placed:
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: text, At: &at})
	case strings.HasPrefix(l.Text, "Error: "), class != "":
		s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case strings.HasPrefix(l.Text, "error: "):
		cannotRun(s, l, l.Text[len("error: "):])
	case l.Text == "babel:":
		s.Path = l.Text
	case s.Path != "" && strings.HasPrefix(l.Text, "  "):
		cannotRun(s, l, strings.TrimSpace(l.Text))
	default:
		return false
	}
	return true
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "swc", Kind: result.Build, Version: 1, ColumnUnit: "char",
		About:   "swc 1.x on the command line",
		Matches: tool.Runs("swc"), Programs: []string{"swc"},
		Formats: []tool.Format{{Name: "text", Starts: []string{"Failed to compile 1 file with swc.", "Failed to compile … files with swc."}, Parse: parseSwc}, {Name: "text", Parse: parseSwc}},
	}
})

func parseSwc(in *tool.Input) *tool.Report { return read.Text{Line: swcLine}.Parse(in) }

// swcLine reads "  x Expression expected", and below it ",-[src/a.js:1:1]" and an
// excerpt.
func swcLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, bad := strings.CutPrefix(text, "x ")
	if !bad {
		message, bad = strings.CutPrefix(text, "× ")
	}
	f := s.Last()
	switch {
	case bad && strings.HasPrefix(l.Text, "  "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case strings.HasPrefix(text, "Failed to compile ") || strings.HasPrefix(text, "Successfully compiled"):
		s.Close(l)
	case strings.HasPrefix(text, "Error: Failed to compile"), strings.HasPrefix(text, "at "), s.Closed() && jserror.IsScript(text):
	case f == nil:
		if class, message := jserror.CutClass(text); strings.HasPrefix(l.Text, "Error: ") || class != "" {
			s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
			return true
		}
		return text == "Caused by:" || text == "Syntax Error"
	default:
		if _, where, ok := strings.Cut(text, "-["); ok && f.At == nil {
			f.At = place.LastColons(strings.TrimSuffix(where, "]"))
		} else if _, where, ok := strings.Cut(text, "─["); ok && f.At == nil {
			f.At = place.LastColons(strings.TrimSuffix(where, "]"))
		}
		if s.More(l); strings.HasPrefix(text, "`--") || strings.HasPrefix(text, "╰──") {
			s.Break()
		}
	}
	return true
}
