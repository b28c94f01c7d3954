package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("splint", func(p *tool.Parser) {
	p.Is("splint", result.Lint, 1, "Splint 3.1, C: the text it prints")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Finished checking --- "}, Named: true, Parse: read.Text{Line: splintLine}.Parse})
})

// splintLine reads a warning. Its message continues in lines that are indented more than the explanation, which ends
// with the flag that turns the warning off:
//
//	a.c: (in function find)
//	a.c:163:28: Operands of >= have incompatible types (int, size_t):
//	                         (end - path) >= sizeof((element))
//	  To allow arbitrary integral types to match long unsigned, use +longintegral.
func splintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if f := s.Last(); f != nil && strings.HasPrefix(l.Text, "  ") {
		if strings.HasPrefix(l.Text, "    ") && !isExplained(f.Detail) {
			f.Message = lex.OnOneLine(f.Message + " " + text)
		}
		s.More(l)
		_, use, _ := strings.Cut(lex.OnOneLine(f.Detail), "(Use ")
		if flag, _, ok := strings.Cut(strings.TrimPrefix(use, "either "), " "); ok && strings.HasPrefix(flag, "-") {
			f.Rule = flag[1:]
		}
		return true
	}
	if count, ok := strings.CutPrefix(l.Text, "Finished checking --- "); ok {
		s.Problems(lex.LeadingNumber(count))
		return s.Close(l)
	}
	if strings.HasPrefix(l.Text, "*** ") || strings.HasPrefix(l.Text, "Cannot open file: ") {
		return s.Misuse(l, strings.TrimPrefix(text, "*** "))
	}
	path, rest, ok := strings.Cut(l.Text, ": (in ")
	if ok && isSourceName(path) && strings.HasSuffix(rest, ")") {
		return s.Break()
	}
	if at, message, ok := place.Cut(l.Text); ok && at.Line > 0 {
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: message, At: &at})
	}
	s.Break()
	return text == "" || strings.HasPrefix(l.Text, "Splint 3")
}

// isExplained reports whether the explanation has begun, which ends the message.
func isExplained(detail string) bool {
	for line := range strings.Lines(detail) {
		if !strings.HasPrefix(line, "    ") {
			return true
		}
	}
	return false
}
