package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("cpplint | cpplint.py", func(p *tool.Parser) {
	p.Is("cpplint", result.Lint, 1, "cpplint 1.5 to 2.0: emacs, vs7, eclipse, sed; junit by way of the linters' JUnit")
	p.Exits = map[int]result.Meaning{32: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: cpplintLine}.Parse})
})

// cpplintLine reads a problem in the forms emacs, vs7 and eclipse. Line 0 means the whole file.
//
//	src/a.cpp:8:  Use int64_t  [runtime/int] [4]
//	src/a.cpp(8): error cpplint: [runtime/int] Use int64_t [4]
//	src/a.cpp:8: warning: Use int64_t  [runtime/int] [4]
func cpplintLine(s *read.Sink, l tool.Line) bool {
	if n, ok := strings.CutPrefix(l.Text, "Total errors found: "); ok {
		s.Claim(lex.Atoi(n))
		return s.Close(l)
	}
	where, message, rule, ok := cutCpplint(l.Text)
	if !ok || !strings.Contains(rule, "/") {
		return strings.HasPrefix(l.Text, "Done processing ")
	}
	at := result.Location{Path: where}
	if i := strings.LastIndexByte(where, ':'); i > 0 && lex.IsDigits(where[i+1:]) {
		at = result.Location{Path: where[:i], Line: lex.Atoi(where[i+1:])}
	} else if path, line, has := strings.Cut(where, "("); has {
		at = result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
	return s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSpace(message), At: &at})
}

// cutCpplint splits a problem into its place, message and rule.
func cutCpplint(line string) (where, message, rule string, ok bool) {
	text, confidence := read.Brackets.Cut(line)
	if !lex.IsDigits(confidence) {
		return "", "", "", false
	}
	if where, message, ok = strings.Cut(text, ": error cpplint: ["); ok { // vs7
		rule, message, ok = strings.Cut(message, "] ")
		return where, message, rule, ok
	}
	text, rule = read.Brackets.Cut(text)
	if where, message, ok = strings.Cut(text, ":  "); !ok { // emacs
		where, message, ok = strings.Cut(text, ": warning: ")
	}
	return where, message, rule, ok
}
