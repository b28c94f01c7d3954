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
	p.Reads(tool.Format{Name: "text", Starts: []string{"symbol:  ", "location: class ", "Note: ….java uses ", "Note: Some input files use ", "    (see https://errorprone.info/bugpattern/"}, Named: true, Parse: read.Lines((*javac).line)})
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

var _ = Room.Add("scalac scala-cli | scala3 scalac3 fsc scala.tools.nsc.Main dotty.tools.dotc.Main", func(p *tool.Parser) {
	p.Is("scalac", result.Build, 1, "scalac 2.11 to 2.13 and 3.0 to 3.8; scala-cli")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"-- [E… Error: ", "-- [E… Warning: "}, Named: true, Parse: read.Fresh(func(c *scala) read.Text {
		return read.Text{Line: func(s *read.Sink, l tool.Line) bool { return c.line(s, l, l.Text) }}
	})})
})

// scala reads the blocks of Scala 3 and the lines of Scala 2. scala-cli and sbt print a word in
// brackets before each line:
//
//	-- [E007] Type Mismatch Error: Bad.scala:2:15 -------
//	2 |  val x: Int = "text"
//	  |               ^^^^^^
//	  |               Found:    ("text" : String)
//	  |               Required: Int
//
//	Bad.scala:2: error: type mismatch;
//	 found   : String("text")
//	 required: Int
type scala struct {
	three  bool // the last finding is Scala 3's
	carets bool // the source and the carets of the last finding were read
}

func (c *scala) line(s *read.Sink, l tool.Line, text string) bool {
	t := strings.TrimRight(text, " ")
	f := s.Last()
	switch {
	case c.block(s, l, t), c.diagnostic(s, l, t):
	case c.three && f != nil && strings.Contains(t[:min(len(t), 8)], "|"):
		c.gutter(f, t)
		s.More(l)
	case c.count(s, l, t):
	case strings.HasPrefix(t, "error: ") || strings.HasPrefix(t, "bad option"), strings.HasPrefix(t, "-- Error: "):
		message := strings.TrimPrefix(strings.TrimPrefix(t, "-- "), "error: ")
		s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimRight(strings.TrimPrefix(message, "Error: "), "- ")})
		c.three = false
	case t == "":
		s.Break()
		return false
	case f != nil && !c.three:
		if text := strings.TrimSpace(t); strings.HasPrefix(text, "found   :") || strings.HasPrefix(text, "required:") {
			c.values(f, text)
		} else if text[0] != '^' && !strings.HasPrefix(t, "  ") && f.Detail == "" {
			f.Message += " " + text // "It would fail on the following input: Bar(_)"
		}
		s.More(l)
	default:
		return false
	}
	return true
}

// block reads the head of a block of Scala 3: "-- [E007] Type Mismatch Error: Bad.scala:2:15 ---".
func (c *scala) block(s *read.Sink, l tool.Line, t string) bool {
	head, ok := strings.CutPrefix(t, "-- ")
	if !ok {
		return false
	}
	head = strings.TrimRight(head, "- ")
	f := result.Finding{}
	if id, rest, has := strings.Cut(strings.TrimPrefix(head, "["), "] "); has && strings.HasPrefix(head, "[") {
		f.Rule, head = id, rest
	}
	what, spot, found := strings.Cut(head, ": ")
	at, _, placed := place.Cut(spot)
	f.RawSeverity = strings.ToLower(lastWord(what))
	if !found || !placed || !lex.IsOneOf(f.RawSeverity, "error warning") {
		return false
	}
	f.Severity = read.SeverityOf(f.RawSeverity)
	f.Kind, f.At, f.RuleName = read.KindOf(f.Severity), &at, what
	s.Find(l, f)
	c.three, c.carets = true, false
	return true
}

// gutter reads the text after "|": the source, the carets, and the message.
func (c *scala) gutter(f *result.Finding, t string) {
	number, text, _ := strings.Cut(t, "|")
	text = strings.TrimSpace(text)
	switch {
	case lex.IsDigits(strings.TrimSpace(number)):
	case !c.carets:
		c.carets = text != "" && strings.Trim(text, "^") == ""
	case strings.Trim(text, "- ") == "" || strings.HasPrefix(text, "longer explanation available"): // with -explain, an explanation follows a line of dashes
		c.carets = c.carets && f.Message == ""
	case strings.HasPrefix(text, "Found: ") || strings.HasPrefix(text, "Required: "):
		c.values(f, text)
		f.Message = strings.TrimSpace(f.Message + " " + strings.Join(strings.Fields(text), " "))
	default:
		f.Message = strings.TrimSpace(f.Message + " " + text)
	}
}

// values reads "found   : String("text")" and "required: Int".
func (c *scala) values(f *result.Finding, text string) {
	name, value, _ := strings.Cut(text, ":")
	if value = strings.TrimSpace(value); strings.EqualFold(strings.TrimSpace(name), "found") {
		f.Actual = value
	} else {
		f.Expected = value
	}
}

// diagnostic reads Scala 2's line: "Bad.scala:2: error: type mismatch;".
func (c *scala) diagnostic(s *read.Sink, l tool.Line, t string) bool {
	d, ok := read.CutDiagnostic(t)
	if !ok || d.Word == "" || !strings.HasSuffix(d.At.Path, ".scala") && !strings.HasSuffix(d.At.Path, ".sc") && !strings.HasSuffix(d.At.Path, ".java") {
		return false
	}
	s.Find(l, result.Finding{Kind: read.KindOf(read.SeverityOf(d.Word)), Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: strings.TrimSuffix(d.Message, ";"), At: &d.At})
	c.three = false
	return true
}

// count reads "1 error found" and "two warnings found".
func (c *scala) count(s *read.Sink, l tool.Line, t string) bool {
	words := strings.Fields(strings.TrimSuffix(t, " found"))
	return len(words) == 2 && lex.HasAnyPrefix(words[1], "error", "warning") && s.Close(l)
}
