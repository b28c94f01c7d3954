package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("javac", func(p *tool.Parser) {
	p.Is("javac", result.Build, 1, "javac 8 to 25: text, with -Xlint and -XDrawDiagnostics")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal, 4: result.MeansCrashed}
	p.Reads(tool.Format{Name: "text", Starts: []string{"symbol:  ", "location: class "}, Named: true, Parse: read.Lines((*javac).line)})
})

// javac reads diagnostics with the source below them, and the counts:
//
//	Main.java:9: error: cannot find symbol
//	  void g() { undefined(); }
//	             ^
//	  symbol:   method undefined()
//	  location: class Main
//	5 errors
type javac struct{ source bool } // source is set if the next line is the source of a diagnostic

func (j *javac) line(s *read.Sink, l tool.Line) bool {
	if f, ok := javacHead(l.Text); ok {
		s.Find(l, f)
		j.source = true
		return true
	}
	if j.below(s, l) {
		return true
	}
	j.source = false
	if n, word, ok := strings.Cut(l.Text, " "); ok && lex.IsDigits(n) && lex.IsOneOf(word, "error errors warning warnings") {
		if strings.HasPrefix(word, "error") {
			s.Claim(lex.Atoi(n))
		}
		return s.Close(l)
	}
	s.Break()
	switch text := l.Text; {
	case strings.HasPrefix(text, "error: warnings found and -Werror specified"):
		return s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: "error", Message: text[7:]})
	case strings.HasPrefix(text, "error: compilation failed"):
		return true
	case strings.HasPrefix(text, "error: "), strings.HasPrefix(text, "javac: "):
		_, message, _ := strings.Cut(text, ": ")
		s.Find(l, result.Finding{Kind: result.BuildError, RawSeverity: "error", Message: message})
		return s.Break()
	case strings.HasPrefix(text, "warning: "):
		message, rule := leadingRule(text[9:])
		return s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: "warning", Rule: rule, Message: message})
	case lex.HasAnyPrefix(text, "Note: ", "only showing the first ", "Usage: javac", "use --help"):
		return s.Sign(l)
	}
	return false
}

// javacHead reads the first line of a diagnostic. With -XDrawDiagnostics, the message
// is a key: "Main.java:9:14: compiler.err.cant.resolve: …".
func javacHead(text string) (f result.Finding, ok bool) {
	at, rest, ok := place.Cut(text)
	if !ok || !strings.HasSuffix(at.Path, ".java") && !strings.HasSuffix(at.Path, "module-info.class") {
		return f, false
	}
	f.At = &at
	word, message := read.CutSeverity(rest)
	switch {
	case word == "error", strings.HasPrefix(rest, "compiler.err."):
		f.Kind, f.Severity = result.BuildError, result.SevError
	case word == "warning", strings.HasPrefix(rest, "compiler.warn."):
		f.Severity = result.SevWarning
	default:
		return f, false
	}
	f.RawSeverity = word
	f.Message, f.Rule = leadingRule(message)
	return f, true
}

// leadingRule splits "[unchecked] " from the beginning of a message.
func leadingRule(message string) (rest, rule string) {
	if inner, after, ok := strings.Cut(message, "] "); ok && strings.HasPrefix(inner, "[") && !strings.Contains(inner, " ") {
		return after, inner[1:]
	}
	return message, ""
}

// below takes a line below a diagnostic: the source, the caret, or more of the message, such as the symbol.
func (j *javac) below(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case f == nil || l.Text == "":
		return false
	case strings.TrimLeft(l.Text, " \t") == "^":
		if f.At != nil && f.At.Column == 0 {
			f.At.Column = strings.IndexByte(l.Text, '^') + 1
		}
		j.source = false
	case j.source, l.Text[0] == ' ', l.Text[0] == '\t':
		symbol(f, l.Text)
	default:
		return false
	}
	return s.More(l)
}
