package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("msgfmt msgmerge xgettext msgcat msgconv msginit msguniq", func(p *tool.Parser) {
	p.Is("gettext", result.Build, 1, "msgfmt, msgmerge, xgettext and their kin, 0.19 to 0.23")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Linter{
		Other: gettextOther, Below: read.Indented, Accept: func(d *read.Diagnostic) bool { return !strings.HasPrefix(d.Message, "...") },
	}.Parse)})
})

// gettextOther reads a program's own messages, and the second half of a message that names two places,
// "...this is the location of the first definition".
func gettextOther(s *read.Sink, l tool.Line) bool {
	program, message, ok := strings.Cut(l.Text, ": ")
	count, what, _ := strings.Cut(strings.TrimPrefix(message, "found "), " ")
	switch {
	case strings.Contains(l.Text, ": ...this is the location of the first definition"):
		return true
	case !ok || !strings.HasPrefix(program, "msg") && !strings.HasPrefix(program, "xgettext"):
		return false
	case lex.IsDigits(count) && strings.HasPrefix(what, "fatal error"):
		s.Claim(lex.Atoi(count))
		return s.Close(l)
	}
	f := result.Finding{Kind: result.GenericFinding, Message: message}
	if path, why, warned := strings.Cut(message, ": warning: "); warned {
		f = result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Message: why, At: &result.Location{Path: path}}
	}
	s.Find(l, f)
	if strings.HasPrefix(message, "unrecognized option ") || strings.HasPrefix(message, "invalid option ") {
		s.Meaning = result.MeansUsage
	}
	return true
}
