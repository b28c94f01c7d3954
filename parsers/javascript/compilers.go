package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// Compilers of languages that become JavaScript or WebAssembly.

var _ = Room.Add("flow", func() *tool.Parser {
	return &tool.Parser{
		Tool: "flow", Kind: result.Typecheck, Version: 1, ColumnUnit: "utf16",
		About: "flow 0.70 to 0.300: check, status, --json",

		Exits: map[int]result.Meaning{12: result.MeansUsage, 64: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"Error ----------", "Warning ----------"}, Parse: read.Text{Line: flowLine}.Parse},
			{Name: "json", Parse: read.JSON{Items: read.Items(flowError, "/errors/*"), Clean: true}.Parse},
			{Name: "messages", Parse: read.Text{Line: flowMessage}.Parse},
		},
	}
})

// flowLine reads "Error ------ a.js:2:19", the message in a paragraph below it, and
// then the source; what it refers to follows with places of its own.
func flowLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, " ")
	if severity := read.SeverityOf(word); severity != "" && strings.HasPrefix(rest, "---") {
		head, below, oneLine := strings.Cut(rest, `\n\n`) // of --one-line
		if at := place.LastColons(strings.TrimLeft(head, "- ")); at != nil {
			s.Path = "message"
			s.Find(l, result.Finding{Severity: severity, RawSeverity: strings.ToLower(word), Message: word, At: at})
			if message, _, _ := strings.Cut(below, `\n\n`); oneLine {
				f := s.Last()
				f.Message, f.Rule = read.Brackets.Cut(strings.ReplaceAll(message, `\n`, " "))
				s.Break()
			}
			return true
		}
	}
	f := s.Last()
	switch n, ok := strings.CutPrefix(l.Text, "Found "); {
	case ok && strings.Contains(n, " error"):
		s.Close(l)
		return true
	case f == nil:
		return false
	case l.Text == "":
		if f.Message != word1(f.RawSeverity) {
			s.Path = ""
		}
	case s.Path != "" && f.Message == word1(f.RawSeverity):
		f.Message, f.Rule = read.Brackets.Cut(strings.Clone(l.Text))
	case s.Path != "":
		message, rule := read.Brackets.Cut(l.Text)
		f.Message, f.Rule = f.Message+" "+message, rule
	}
	s.More(l)
	return true
}

// word1 is what stands for a message until it is there.
func word1(severity string) string {
	if severity == "" {
		return ""
	}
	return strings.ToUpper(severity[:1]) + severity[1:]
}

func flowMessage(s *read.Sink, l tool.Line) bool {
	if len(s.Findings) > 0 || !strings.HasPrefix(l.Text, "Could not find a .flowconfig") {
		return false
	}
	s.Misuse(l, l.Text)
	return true
}

// flowReport is an element of errors in the output of --json.
type flowReport struct {
	Level      string
	ErrorCodes []string `json:"error_codes"`
	Message    []struct {
		Descr string
		Loc   *struct {
			Source string
			Start  struct{ Line, Column int }
		}
	}
}

func flowError(s *read.Sink, v *flowReport) {
	f := result.Finding{Severity: read.SeverityOf(v.Level), RawSeverity: v.Level}
	for _, m := range v.Message {
		f.Message = strings.TrimSpace(f.Message + " " + m.Descr)
		if m.Loc != nil && f.At == nil {
			f.At = &result.Location{Path: m.Loc.Source, Line: m.Loc.Start.Line, Column: m.Loc.Start.Column}
		}
	}
	f.Message, f.Rule = read.Brackets.Cut(f.Message)
	s.FindHere(f)
}

var _ = Room.Add("rescript bsc", func() *tool.Parser {
	return &tool.Parser{
		Tool: "rescript", Kind: result.Build, Version: 1,
		About: "rescript (bsc) 9 to 12: build",

		Formats: []tool.Format{
			{Name: "text", Starts: []string{"We've found a bug for you!"}, Parse: read.Text{Line: rescriptLine}.Parse},
			{Name: "text", Parse: read.Text{Line: rescriptLine}.Parse},
		},
	}
})

// rescriptLine reads a head, the place, the source in a frame and a paragraph that
// says what is wrong:
//
//	We've found a bug for you!
//	/home/dev/src/A.res:1:14-16
//
//	1 │ let a: int = "x"
//
//	This has type: string
//	But it's expected to have type: int
func rescriptLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	severity := result.SevError
	if strings.HasPrefix(text, "Warning number ") {
		severity = result.SevWarning
	}
	f := s.Last()
	switch {
	case text == "We've found a bug for you!", text == "Syntax error!", severity == result.SevWarning:
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Message: text})
		return true
	case strings.HasPrefix(text, "Could not initialize build: "):
		s.Misuse(l, text)
		s.Break()
		return true
	case f == nil:
		return false
	case text != "" && l.Text[0] != ' ':
		s.Break()
		return false
	case f.At == nil && text != "":
		if f.At = rescriptPlace(text); f.At == nil {
			s.Break()
			return false
		}
		s.Path = "source"
	case text == "" && s.Path == "message":
		s.Path = ""
	case text == "" || strings.Contains(text, "│"):
	case s.Path == "source":
		s.Path, f.Message = "message", strings.Clone(text)
	case s.Path == "message":
		f.Message += " " + text
	}
	s.More(l)
	return true
}

// rescriptPlace reads "/src/A.res:1:14-16", "src/A.res:1:14-2:3" and "src/A.res:3:7".
func rescriptPlace(text string) *result.Location {
	path, where, ok := strings.Cut(text, ".res")
	parts := strings.SplitN(where, ":", 3)
	if !ok || len(parts) < 3 || strings.Contains(path, " ") || lex.LeadingNumber(parts[1]) == 0 {
		return nil
	}
	return &result.Location{Path: path + ".res" + parts[0], Line: lex.LeadingNumber(parts[1]), Column: lex.LeadingNumber(parts[2])}
}

var _ = Room.Add("asc", func() *tool.Parser {
	return &tool.Parser{
		Tool: "assemblyscript", Kind: result.Build, Version: 1, ColumnUnit: "utf16",
		About: "asc 0.9 to 0.28",

		Formats: []tool.Format{{Name: "text", Starts: []string{"ERROR TS", "ERROR AS"}, Parse: read.Text{Line: ascLine}.Parse}},
	}
})

// ascLine reads "ERROR TS2322: text" or "WARNING AS201: text", the source, and the
// place below it: "   └─ in src/a.ts(2,19)".
func ascLine(s *read.Sink, l tool.Line) bool {
	head, message, ok := strings.Cut(l.Text, ": ")
	word, code, two := strings.Cut(head, " ")
	if severity := read.SeverityOf(word); ok && two && severity != "" && lex.HasAnyPrefix(code, "TS", "AS") {
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, RawSeverity: strings.ToLower(word), Rule: code, Message: message})
		return true
	}
	f := s.Last()
	if rest, ok := strings.CutPrefix(l.Text, "FAILURE "); ok {
		s.Claim(lex.LeadingNumber(rest))
		s.Close(l)
		return true
	}
	if f == nil {
		return false
	}
	if where, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "└─ in "); ok && f.At == nil {
		f.At = read.PlaceOf(where + ": ")
	}
	s.More(l)
	return true
}
