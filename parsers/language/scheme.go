package language

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("chicken csi | csc", func(p *tool.Parser) {
	p.Is("chicken", result.Generic, 1, "Chicken Scheme 5: its compiler (csc) and its interpreter (csi)")
	p.Matches = runsChicken
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Fresh(func(c *chicken) read.Text { return read.Text{Line: c.line, End: c.end} }))})
})

// runsChicken reports whether a command runs Chicken. The compiler of C# is named csc too, so csc must be given a
// file of Scheme.
func runsChicken(argv []string) bool {
	if argv[0] != "csc" {
		return argv[0] == "chicken" || argv[0] == "csi"
	}
	return slices.ContainsFunc(argv[1:], func(arg string) bool { return lex.IsOneOf(path.Ext(arg), ".scm .ss .sld") })
}

// chicken reads errors and warnings with a place, a line or neither:
//
//	Syntax error: (d.scm:1) in `let' - pair expected
//	Error: (line 3) unterminated list, starting in line 1
//	Error: shell command terminated with non-zero exit status 17920: '/usr/bin/chicken' 'a.scm' -output-file 'a.c'
//	Warning: Invalid argument
//	  In file `w2.scm:3',
//
// The forms that were being expanded or called are listed below an error.
type chicken struct {
	file   string     // the file that csc could not compile
	driver *tool.Line // csc's line that names the file
	traced bool       // a call or expansion history is being read
}

func (c *chicken) line(s *read.Sink, l tool.Line) bool {
	word, message, ok := strings.Cut(l.Text, ": ")
	kind, in, _ := strings.Cut(word, " (")
	text := strings.TrimSpace(l.Text)
	switch f := s.Last(); {
	case ok && word == "Error" && strings.HasPrefix(message, "shell command terminated with "):
		_, args, _ := strings.Cut(message, "' '")
		c.file, _, _ = strings.Cut(args, "'")
		c.driver = &l
		return s.Sign(l)
	case ok && (word == "Error" || word == "Warning" || word == "Note" || kind == "Syntax error" || kind == "Error"):
		c.found(s, l, strings.TrimSuffix(in, ")"), message)
		c.traced = false
	case f == nil:
		return false
	case text == "Call history:" || text == "Expansion history:":
		c.traced = true
		s.Reach(l)
	case text != "" && !strings.HasPrefix(l.Text, "\t") && !strings.HasPrefix(l.Text, " "):
		s.Break()
		return false
	case c.traced || text == "":
		s.Reach(l)
	default:
		if where, in := strings.CutPrefix(text, "In file `"); in && f.At == nil {
			if path, line, ok := place.CutLineNumber(strings.TrimSuffix(where, "',")); ok {
				f.At = &result.Location{Path: path, Line: line}
			}
		}
		switch {
		case strings.HasSuffix(f.Message, " undefined module"):
			f.Message += " " + text
		case strings.HasPrefix(text, "Argument #") && f.Message == "Invalid argument":
			f.Message = strings.TrimSuffix(text, ":")
		}
		s.More(l)
	}
	return true
}

// found adds the finding of line l. message is its text behind the severity, "(d.scm:1) in `let' - pair expected";
// in is what stood in brackets behind the severity.
func (c *chicken) found(s *read.Sink, l tool.Line, in, message string) {
	f := result.Finding{Kind: result.BuildError, Message: message}
	if where, rest, ok := strings.Cut(message, ") "); ok && strings.HasPrefix(where, "(") {
		if line, alone := strings.CutPrefix(where, "(line "); alone {
			f.At, f.Message = &result.Location{Line: lex.LeadingNumber(line)}, rest
		} else if path, line, placed := place.CutLineNumber(where[1:]); placed {
			f.At, f.Message = &result.Location{Path: path, Line: line}, rest
		}
	}
	if in != "" {
		f.Message = in + ": " + f.Message
	}
	switch l.Text[0] {
	case 'W':
		f.Severity, f.RawSeverity = result.SevWarning, "warning"
	case 'N':
		f.Severity, f.RawSeverity = result.SevInfo, "note"
	}
	s.Find(l, f)
}

// end gives the findings that have a line number alone, "(line 3)", the path of the file that csc could not compile.
func (c *chicken) end(s *read.Sink) {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.At != nil && f.At.Path == "" {
			if f.At.Path = c.file; c.file == "" {
				f.At = nil
			}
		}
	}
	if len(s.Findings) == 0 && c.driver != nil {
		s.Find(*c.driver, result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(c.driver.Text, "Error: ")})
	}
}

var _ = Room.Add("racket raco", func(p *tool.Parser) {
	p.Is("racket", result.Generic, 1, "Racket 8: errors of syntax and of a run, and the checks of rackunit that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*racket).line))})
})

// racket reads an error with its indented details, and blocks of rackunit:
//
//	--------------------
//	inner
//	FAILURE
//	name:       check-equal?
//	location:   rt.rkt:3:0
//	actual:     3
//	expected:   4
//	--------------------
//	2/2 test failures
type racket struct {
	above tool.Line // the line before: above "FAILURE" it names the test case
	check bool      // a block of rackunit is being read
}

const racketRule = "--------------------"

func (r *racket) line(s *read.Sink, l tool.Line) bool {
	above := r.above
	r.above = l
	key, value, _ := strings.Cut(l.Text, ":")
	value = strings.TrimSpace(value)
	failed, tests, counted := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(l.Text, "s"), " test failure"), "/")
	switch f := s.Last(); {
	case l.Stream != tool.Stderr:
		return false
	case l.Text == "FAILURE" || l.Text == "ERROR":
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: l.Text}
		if above.Text != racketRule {
			f.ID, f.Name = above.Text, above.Text
			s.Find(above, f)
		} else {
			s.Find(l, f)
		}
		s.Tested, r.check = true, true
	case l.Text == racketRule:
		s.Break()
		r.check = false
	case r.check && f != nil:
		racketCheck(f, key, value)
		s.More(l)
	case counted && lex.IsDigits(failed) && lex.IsDigits(tests):
		s.Fails(lex.Atoi(failed))
		s.Count("total", lex.Atoi(tests))
		s.Ended(l)
	case f != nil && strings.HasPrefix(l.Text, " "):
		s.More(l)
	case l.Text == "" || strings.HasPrefix(l.Text, "raco test: "):
		return false
	default:
		return racketError(s, l)
	}
	return true
}

// racketCheck puts a row of a block, "actual:     3", into the finding.
func racketCheck(f *result.Finding, key, value string) {
	switch key {
	case "name":
		f.Rule = value
		f.Message = value + " failed"
	case "location":
		f.At = read.PlaceOf(value)
		racketColumn(f.At)
	case "message":
		f.Message = strings.Trim(value, `"`)
	case "actual":
		f.Actual = value
	case "expected":
		f.Expected = value
	}
	if f.ID == "" && f.At != nil {
		f.ID = f.Rule
	}
}

// racketColumn makes a column that Racket counts from 0 count from 1.
func racketColumn(at *result.Location) {
	if at != nil {
		at.Column++
	}
}

// racketError reads "r.rkt:2:1: nope: unbound identifier", and "+: contract violation", which has no place.
func racketError(s *read.Sink, l tool.Line) bool {
	at, message, ok := place.Cut(l.Text)
	if ok && message != "" {
		racketColumn(&at)
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &at})
	}
	return len(s.Findings) == 0 && strings.Contains(l.Text, ": ") && s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text})
}
