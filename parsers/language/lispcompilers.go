package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The compilers of the Lisps in this file exit 0 even if a file has errors.

var _ = Room.Add("ecl", func(p *tool.Parser) {
	p.Is("ecl", result.Generic, 1, "ECL 21: --compile, and the condition that stopped a program")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*ecl).line))})
})

var _ = Room.Add("clisp", func(p *tool.Parser) {
	p.Is("clisp", result.Generic, 1, "GNU CLISP 2.49: -c, and the condition that stopped a program")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Fresh(func(c *clisp) read.Text { return read.Text{Line: c.line, End: c.end} }))})
})

// ecl reads a message of the compiler, which takes several lines:
//
//	;;; Error:
//	;;;   in file e2.lisp, position 35
//	;;;   at (FOO (1 2))
//	;;;   * 1 is not a legal function name.
type ecl struct {
	word string // the severity of the message that has begun
	at   string // the file that the message is about
	file string // the file that is being compiled
	head *tool.Line
	load bool // the condition that stopped a program is being read
}

func (e *ecl) line(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, ";;;")
	body := strings.TrimSpace(text)
	switch {
	case !ok:
		return e.stopped(s, l)
	case strings.HasPrefix(text, " Compiling ") && strings.HasSuffix(text, "."):
		e.file = strings.TrimSuffix(body[len("Compiling "):], ".")
		return true
	case strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "  ") && strings.HasSuffix(body, ":"):
		e.word, e.at, e.head = strings.ToLower(strings.TrimSuffix(body, ":")), e.file, &l
		return s.Break()
	case e.word == "":
		return body == "" || strings.HasPrefix(body, "Loading ") || strings.HasPrefix(body, "OPTIMIZE levels: ")
	case strings.HasPrefix(body, "in file "):
		e.at, _, _ = strings.Cut(body[len("in file "):], ", position ")
		s.Cover(l)
	case strings.HasPrefix(body, "! ") || strings.HasPrefix(body, "* ") || strings.HasPrefix(body, "** "):
		s.Cover(*e.head)
		_, message, _ := strings.Cut(body, " ")
		f := result.Finding{Kind: result.BuildError, RawSeverity: e.word, Severity: result.SevError, Message: message}
		if strings.Contains(e.word, "warning") || e.word == "note" {
			f.Severity = result.SevWarning
		}
		if e.at != "" {
			f.At = &result.Location{Path: e.at}
		}
		s.Find(l, f)
	default:
		return s.More(l)
	}
	return true
}

// stopped reads an unhandled condition, which stands below "An error occurred during initialization:".
func (e *ecl) stopped(s *read.Sink, l tool.Line) bool {
	switch f := s.Last(); {
	case l.Text == "An error occurred during initialization:":
		e.load = true
		return s.Find(l, result.Finding{Kind: result.Panic})
	case !e.load || f == nil || l.Text == "":
		return false
	case f.Message != "":
		f.Message += " "
		fallthrough
	default:
		f.Message += strings.TrimSpace(strings.TrimSuffix(l.Text, "."))
		return s.Reach(l)
	}
}

// clisp reads messages of the compiler, and the condition that stopped a program:
//
//	;; Compiling file /home/dev/e.lisp ...
//	WARNING: in F in lines 1..2 : Y is neither declared nor bound,
//	         it will be treated as if it were declared SPECIAL.
//	There were errors in the following functions:
//	 F
//	1 error, 3 warnings
//	*** - +: "a" is not a number
//
// Below the messages, CLISP names the functions that have errors.
type clisp struct {
	files []string
	in    []string // for each finding, the function that it is about
	below bool     // names of functions with errors follow
}

func (c *clisp) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	errors, rest, counted := strings.Cut(text, " error")
	switch f := s.Last(); {
	case strings.HasPrefix(l.Text, ";; Compiling file "):
		c.files = append(c.files, strings.TrimSuffix(l.Text[len(";; Compiling file "):], " ..."))
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "*** - "):
		c.below = false
		c.in = append(c.in, "")
		return s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text[len("*** - "):]})
	case strings.HasPrefix(l.Text, "WARNING: ") || strings.HasPrefix(l.Text, "ERROR: "):
		c.found(s, l)
	case l.Text == "There were errors in the following functions:":
		c.below = true
		s.Break()
		return s.Sign(l)
	case c.below && strings.HasPrefix(l.Text, " "):
		c.failed(s, text)
		return s.Sign(l)
	case counted && lex.IsDigits(errors) && strings.HasSuffix(rest, " warnings") || strings.HasSuffix(rest, " warning"):
		return s.Found(l, lex.Atoi(errors))
	case f != nil && text != "" && l.Text[0] == ' ':
		f.Message += " " + text
		s.Reach(l)
	default:
		c.below = false
		s.Break()
		return false
	}
	return true
}

// found reads "WARNING: in F in lines 1..2 : text".
func (c *clisp) found(s *read.Sink, l tool.Line) {
	word, message, _ := strings.Cut(l.Text, ": ")
	f := result.Finding{Kind: result.BuildError, Severity: result.SevWarning, RawSeverity: strings.ToLower(word), Message: message}
	if word == "ERROR" {
		f.Severity = result.SevError
	}
	said, text, ok := strings.Cut(message, " : ")
	i := strings.LastIndex(said, " in line")
	if in, has := strings.CutPrefix(said, "in "); ok && has && i > 2 {
		number := strings.TrimLeft(said[i+len(" in line"):], "s ")
		f.Message, f.At = text, &result.Location{Line: lex.LeadingNumber(number)}
		said = in[:i-len("in ")]
	}
	c.in = append(c.in, said)
	s.Find(l, f)
}

// failed makes the last message about a function an error: CLISP names the function among those with errors.
func (c *clisp) failed(s *read.Sink, name string) {
	for i := min(len(c.in), len(s.Findings)) - 1; i >= 0; i-- {
		if c.in[i] == name {
			s.Findings[i].Severity = result.SevError
			return
		}
	}
}

// end gives the findings their file: the file whose end the Lisp reader met, or else the compiled file. If several
// files were compiled, the order of lines on stdout and stderr is unknown, and the findings keep no file.
func (c *clisp) end(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		_, file, ended := strings.Cut(f.Message, `BUFFERED FILE-STREAM CHARACTER #P"`)
		_, line, _ := strings.Cut(f.Message, " probably in line ")
		if path, _, ok := strings.Cut(file, `"`); ended && ok {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		} else if f.At != nil && len(c.files) == 1 {
			f.At.Path = c.files[0]
		} else {
			f.At = nil
		}
	}
}
