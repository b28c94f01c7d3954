package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("fish", func(p *tool.Parser) {
	p.Is("fish", result.Generic, 1, "fish 3 and 4: errors of syntax (-n), commands that are not found, what its builtins say")
	p.Fails = []string{"called on line ", "in command substitution", "(Type 'help "}
	p.Reads(tool.Format{Name: "errors", Starts: []string{"fish: Unknown command: "}, Named: true, Parse: read.IfFound(read.Lines((*fish).line))})
})

// fish reads errors with their place on the next line or in front:
//
//	fish: Unknown command: nosuch
//	r.fish (line 2):
//	nosuch x
//	^~~~~^
//	s.fish (line 4): Missing end to balance this if statement
//
// A place without a message belongs to the line above. A failure in a command substitution is printed again for the
// command around it.
type fish struct {
	said tool.Line // the last line that is not empty
}

func (p *fish) line(s *read.Sink, l tool.Line) bool {
	above, f := p.said, s.Last()
	if l.Text != "" {
		p.said = l
	}
	if strings.HasPrefix(l.Text, "warning: Error while reading file ") { // exit 127 means a syntax error here, and no missing command
		s.Meaning = result.MeansFindings
		return s.Break()
	}
	if strings.HasPrefix(l.Text, "error: Error reading script file ") {
		return s.Misuse(l, strings.TrimPrefix(l.Text, "error: "))
	}
	if why, ok := strings.CutPrefix(l.Text, "error: "); ok && s.Meaning == result.MeansUsage && f != nil {
		f.Message += " " + why
		return s.More(l)
	}
	if message, ok := strings.CutPrefix(l.Text, "fish: "); ok && message != "" {
		return s.Find(l, result.Finding{Message: message})
	}
	if at, message, ok := cutFishPlace(l.Text); ok {
		switch {
		case f != nil && (message == "" && f.At == nil || message == "Unknown command"):
			f.At = &at
			return s.More(l)
		case message == "":
			s.Find(above, result.Finding{Message: above.Text, At: &at})
			return s.More(l)
		}
		return s.Find(l, result.Finding{Message: message, At: &at})
	}
	return f != nil && f.At != nil && isFishSource(f.Detail, l.Text) && s.More(l)
}

// cutFishPlace reads "r.fish (line 2): text".
func cutFishPlace(text string) (at result.Location, message string, ok bool) {
	path, rest, ok := strings.Cut(text, " (line ")
	number, message, placed := strings.Cut(rest, "):")
	ok = ok && placed && lex.IsDigits(number) && !strings.ContainsAny(path, " ")
	return result.Location{Path: path, Line: lex.Atoi(number)}, strings.TrimSpace(message), ok
}

// isFishSource reports whether a line belongs to the finding above: source, the marks below it, or the functions that
// were called.
func isFishSource(detail, text string) bool {
	return strings.Count(detail, "\n") < 3 && (!strings.Contains(detail, "^") || lex.HasAnyPrefix(text, "in ", "\tcalled on "))
}
