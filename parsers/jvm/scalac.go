package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
	if len(words) != 2 || !lex.HasAnyPrefix(words[1], "error", "warning") {
		return false
	}
	return s.Close(l)
}
