package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doxygen", func(p *tool.Parser) {
	p.Is("doxygen", result.Lint, 1, "doxygen 1.9 to 1.13: warnings of the documentation and of the Doxyfile")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Linter{Other: doxygenOther, Below: doxygenBelow}.Parse)})
})

// doxygenBelow takes the names at the end of a message, one per line.
func doxygenBelow(s *read.Sink, l tool.Line) bool {
	names := strings.HasPrefix(l.Text, "  ")
	if f := s.Last(); names && f != nil && strings.HasSuffix(f.Message, ":") {
		f.Message += " " + strings.TrimSpace(l.Text)
	}
	return names
}

// doxygenOther reads "warning: ignoring unsupported tag 'X' at line 4, file Doxyfile", and errors in the command.
func doxygenOther(s *read.Sink, l tool.Line) bool {
	word, message := read.CutSeverity(l.Text)
	if word == "" || !strings.HasPrefix(l.Text, word+": ") {
		return false
	}
	f := result.Finding{Kind: result.GenericFinding, Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
	if text, where, ok := strings.Cut(message, " at line "); ok {
		if line, file, ok := strings.Cut(where, ", file "); ok && lex.IsDigits(line) {
			f.Message, f.At = text, &result.Location{Path: file, Line: lex.Atoi(line)}
		}
	}
	s.Find(l, f)
	if strings.HasPrefix(message, "Unknown option ") || strings.HasPrefix(message, "configuration file ") {
		s.Meaning = result.MeansUsage
	}
	return true
}
