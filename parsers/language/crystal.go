package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("crystal | shards", func(p *tool.Parser) {
	p.Is("crystal", result.Build, 1, "Crystal 0.35 to 1.18: build, run, spec, tool format; text and JSON")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": crystalError.Item}, End: crystalLast}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(c *crystal) read.Text { return read.Text{Line: c.line, End: c.end, Closes: true} })})
})

var crystalError = read.Objects{Kind: result.BuildError, Path: "file", Line: "line", Column: "column", Message: "message"}

// crystalLast makes one finding of the JSON's list of frames. The last frame is where the error is, which is the
// place that the text names too; the frames that led there become its related places.
func crystalLast(s *read.Sink) {
	n := len(s.Findings)
	if n < 2 {
		return
	}
	last := s.Findings[n-1]
	for _, f := range s.Findings[:n-1] {
		if strings.HasPrefix(f.Message, "instantiating ") || strings.HasPrefix(f.Message, "expanding ") {
			last.Related = append(last.Related, result.Related{Message: f.Message, At: f.At})
		}
	}
	if len(last.Related) == n-1 {
		s.Findings = append(s.Findings[:0], last)
	}
}

// crystal reads the compiler's blocks and the failures of a spec:
//
//	In a.cr:1:20
//
//	 1 | def f(x : Int32) : String
//	                        ^-----
//	Error: method top-level f must return String but it is returning Int32
type crystal struct {
	at    *result.Location // the place of the block that is open
	shown bool             // the lines are in the list below "Failures:"
}

func (c *crystal) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	text := strings.TrimSpace(t)
	switch {
	case lex.HasAnyPrefix(t, "In ", "There was a problem expanding ", "Syntax error in ", "syntax error in '"):
		return c.opens(s, l, t)
	case strings.HasPrefix(t, "Error: "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: t[len("Error: "):], At: c.at})
		c.at = nil
	case strings.HasPrefix(t, "Warning: "), strings.HasPrefix(t, "Unhandled exception: "):
		c.thrown(s, l, t)
	case strings.HasPrefix(t, "Failures:"):
		c.shown = true
	case c.shown && strings.HasPrefix(t, "  ") && read.SeverityOf(text) == "" && c.failure(s, l, t):
	case strings.HasPrefix(t, "Finished in "):
		s.Sign(l)
		s.Tested, c.shown = true, false
	case s.Tested && strings.Contains(t, " examples, "):
		c.count(s, l, t)
	case strings.HasPrefix(t, "crystal spec ") && strings.Contains(t, " # "):
		c.rerun(s, t)
	case strings.HasPrefix(t, "formatting '") && strings.HasSuffix(t, "' produced changes"):
		s.Find(l, result.Finding{Rule: "format", Message: "not formatted", At: &result.Location{Path: t[len("formatting '") : len(t)-len("' produced changes")]}})
	case strings.HasPrefix(text, "from ") && s.Last() != nil:
		c.frame(s, text)
		s.More(l)
	case text == "", s.Last() == nil:
		return false
	default:
		s.More(l)
	}
	return true
}

// opens reads "In a.cr:1:20" and "Syntax error in a.cr:2: unexpected token".
func (c *crystal) opens(s *read.Sink, l tool.Line, t string) bool {
	_, spot, syntax := strings.Cut(t, "yntax error in ")
	if !syntax {
		_, spot, _ = strings.Cut(t, "In ")
	}
	at, message, ok := place.Cut(spot)
	if !ok {
		return false
	}
	if syntax {
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: "syntax", Message: message, At: &at})
	}
	s.Break()
	c.at = &at
	return true
}

// thrown reads "Unhandled exception: text (Class)".
func (c *crystal) thrown(s *read.Sink, l tool.Line, t string) {
	word, message, _ := strings.Cut(t, ": ")
	message, rule := read.Parens.Cut(message)
	f := result.Finding{Kind: result.Panic, Rule: rule, Message: message}
	if word == "Warning" {
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	}
	s.Find(l, f)
}

// frame reads "from src/a.cr:3:5 in 'f'".
func (c *crystal) frame(s *read.Sink, text string) {
	f := s.Last()
	if at, ok := frame.Crystal(text); ok && f.At == nil && !at.External {
		f.At = &at
	}
}

// failure reads "  1) adds" and the lines below it up to "# spec/a_spec.cr:5".
func (c *crystal) failure(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	if number, title, ok := strings.Cut(text, ") "); ok && len(t)-len(text) == 2 && strings.Trim(number, "0123456789") == "" {
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: title, ID: title})
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if spot, ok := strings.CutPrefix(text, "# "); ok {
		if at, _, placed := place.Cut(spot); placed {
			f.At = &at
		}
	} else if source, ok := strings.CutPrefix(text, "Failure/Error: "); ok && f.Message == "" {
		f.Message = source
	} else if value, ok := strings.CutPrefix(text, "Expected: "); ok {
		f.Expected = value
	} else if value, ok := strings.CutPrefix(text, "got: "); ok {
		f.Actual = value
	} else if strings.HasPrefix(text, "from ") {
		c.frame(s, text)
	} else if f.Message == "" && text != "" {
		f.Message, f.Rule = read.Parens.Cut(text)
	}
	return s.More(l)
}

// count reads "6 examples, 2 failures, 1 errors, 0 pending".
func (c *crystal) count(s *read.Sink, l tool.Line, t string) {
	n := read.Counts(t)
	s.Sum(l, n["examples"], n["failures"], n["errors"], n["pending"])
}

// rerun reads "crystal spec spec/a_spec.cr:5 # adds", the command that repeats a failed test. Its place is given to
// the test's finding if that has none.
func (c *crystal) rerun(s *read.Sink, t string) {
	spot, title, _ := strings.Cut(strings.TrimPrefix(t, "crystal spec "), " # ")
	at, _, _ := place.Cut(spot)
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Kind == result.TestFailure && (f.Name == title || strings.HasSuffix(title, " "+f.Name)) && f.At == nil && at.Path != "" {
			f.At = &at
			return
		}
	}
}

// end marks the report as doubtful if a place was read and no error below it.
func (c *crystal) end(s *read.Sink) {
	if !s.Tested {
		s.EndHere()
	}
	if c.at != nil && len(s.Findings) == 0 && len(s.Covered) > 0 {
		s.Doubt = "a place was told without its error"
	}
}
