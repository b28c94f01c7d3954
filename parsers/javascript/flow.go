package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("flow", func(p *tool.Parser) {
	p.Is("flow", result.Typecheck, 1, "flow 0.70 to 0.300: check, status, --json")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{12: result.MeansUsage, 64: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error ----------", "Warning ----------"}, Parse: read.Text{Line: flowLine}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: read.Items(flowError, "/errors/*"), Clean: true}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Usage: []string{"Could not find a .flowconfig"}}.Parse})
})

// flowLine reads "Error ------ a.js:2:19", the message in a paragraph below it, and the source. Code that the message
// refers to follows with its own places.
func flowLine(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, " ")
	if severity := read.SeverityOf(word); severity != "" && strings.HasPrefix(rest, "---") {
		head, below, oneLine := strings.Cut(rest, `\n\n`) // with --one-line
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
		return s.Close(l)
	case f == nil:
		return false
	case l.Text == "":
		if !lex.IsOneOf(f.Message, "Error Warning") {
			s.Path = ""
		}
	case s.Path != "" && lex.IsOneOf(f.Message, "Error Warning"):
		f.Message, f.Rule = read.Brackets.Cut(strings.Clone(l.Text))
	case s.Path != "":
		message, rule := read.Brackets.Cut(l.Text)
		f.Message, f.Rule = f.Message+" "+message, rule
	}
	return s.More(l)
}

// flowReport is an element of "errors" in the output of --json.
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
