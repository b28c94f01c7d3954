package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cpplint cpplint.py", func() *tool.Parser {
	return &tool.Parser{
		Tool: "cpplint", Kind: result.Lint, Version: 1,
		About:    "cpplint 1.5 to 2.0: emacs, vs7, eclipse and sed are near to one another; the first two are read",
		Programs: []string{"cpplint"},
		Exits:    map[int]result.Meaning{32: result.MeansUsage},
		Formats:  []tool.Format{{Name: "text", Parse: read.Text{Line: cpplintLine}.Parse}},
	}
})

// cpplintLine reads "src/a.cpp:8:  Use int64_t  [runtime/int] [4]". Line 0 is the
// file as a whole.
func cpplintLine(s *read.Sink, l tool.Line) bool {
	if n, ok := strings.CutPrefix(l.Text, "Total errors found: "); ok {
		s.Claim(lex.Atoi(n))
		s.Close(l)
		return true
	}
	text, confidence := read.Brackets.Cut(l.Text)
	text, rule := read.Brackets.Cut(text)
	where, message, ok := strings.Cut(text, ":  ")
	if !ok || !lex.IsDigits(confidence) || !strings.Contains(rule, "/") {
		return strings.HasPrefix(l.Text, "Done processing ")
	}
	at := result.Location{Path: where}
	if i := strings.LastIndexByte(where, ':'); i > 0 && lex.IsDigits(where[i+1:]) {
		at = result.Location{Path: where[:i], Line: lex.Atoi(where[i+1:])}
	} else if path, line, has := strings.Cut(where, "("); has {
		at = result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
	s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(message), "error cpplint:")), At: &at})
	return true
}
