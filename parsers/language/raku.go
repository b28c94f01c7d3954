package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("raku rakudo | perl6", func(p *tool.Parser) {
	p.Is("raku", result.Generic, 1, "Rakudo 2020 to 2025: errors of compilation, exceptions that nothing caught, warnings")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Starts: []string{"===SORRY!=== Error while compiling "}, Named: true, Parse: read.IfFound(func(in *tool.Input) *tool.Report {
		r := &raku{thrown: -1}
		return read.Text{Line: r.line}.Parse(in)
	})})
})

// raku reads errors of compilation, whose place stands below the message, and exceptions and warnings, whose frames
// stand below the message. An empty line follows an exception, and does not follow a warning. An exception is no
// failure if the exit is 0: a program may print one that it caught.
//
//	===SORRY!=== Error while compiling /w/b.raku
//	Variable '$y' is not declared.
//	at /w/b.raku:2
//	------> say ⏏$y;
type raku struct {
	compiles bool     // the message of an error of compilation is being read
	said     []string // the lines of the message
	first    tool.Line
	thrown   int // the index of the last exception, which may have ended the program; -1 if none was read
}

func (r *raku) line(s *read.Sink, l tool.Line) bool {
	at, framed := rakuFrame(l.Text)
	where, placed := strings.CutPrefix(l.Text, "at ")
	path, number, numbered := place.CutLineNumber(where)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "===SORRY!==="):
		r.said, r.compiles, r.first = nil, true, l
		s.Break()
	case placed && numbered && r.compiles:
		path, _, _ = strings.Cut(path, " (") // the place names a module behind the path
		s.Find(tool.Line{Start: r.first.Start, End: l.End, Stream: l.Stream}, result.Finding{Kind: result.BuildError, Message: lex.OnOneLine(strings.Join(r.said, " ")), At: &result.Location{Path: path, Line: number}})
		r.said, r.compiles = nil, false
	case placed && numbered && f != nil: // the place that uses the module
		f.Frames = append(f.Frames, result.Location{Path: path, Line: number})
		return s.More(l)
	case framed && len(r.said) > 0 && !r.compiles:
		s.Find(tool.Line{Start: r.first.Start, End: l.End, Stream: l.Stream}, result.Finding{Severity: result.SevWarning, Message: strings.Join(r.said, " "), At: &at})
		r.said = nil
	case framed && f != nil && len(f.Frames) < result.MaxFrames:
		f.Frames = append(f.Frames, at)
		return s.More(l)
	case f != nil && f.Severity == result.SevWarning && l.Text == "":
		r.throws(s)
	case f != nil && lex.HasAnyPrefix(l.Text, "------>", "    "):
		return s.More(l)
	default:
		return r.says(s, l)
	}
	return s.Sign(l)
}

// throws makes the last finding the exception that ended the program. The exception before it did not end the
// program, and becomes a warning.
func (r *raku) throws(s *read.Sink) {
	if r.thrown >= 0 {
		s.Findings[r.thrown].Kind, s.Findings[r.thrown].Severity = result.Diagnostic, result.SevWarning
	}
	r.thrown = len(s.Findings) - 1
	s.Findings[r.thrown].Kind, s.Findings[r.thrown].Severity = result.Diagnostic, result.SevError
	s.Break()
}

// says keeps a line that may belong to a message. Raku breaks lines at 72 columns: if the first word of a line would
// have fit on the line before, the line begins a new message.
func (r *raku) says(s *read.Sink, l tool.Line) bool {
	word, _, _ := strings.Cut(l.Text, " ")
	if n := len(r.said); n > 0 && !r.compiles && len(r.said[n-1])+1+len(word) <= 72 {
		r.said = nil
	}
	s.Break()
	if strings.HasPrefix(l.Text, "Could not open ") && strings.Contains(l.Text, ". Failed to stat file: ") {
		return s.Misuse(l, l.Text)
	}
	if l.Stream == tool.Stderr && l.Text != "" && len(r.said) < 20 {
		if len(r.said) == 0 && !r.compiles {
			r.first = l
		}
		r.said = append(r.said, l.Text)
	}
	return r.compiles
}

// rakuFrame reads a frame, "  in sub g at a.raku line 1".
func rakuFrame(text string) (at result.Location, ok bool) {
	inside, where, ok := strings.Cut(strings.TrimPrefix(text, "  in "), " at ")
	path, number, placed := strings.Cut(where, " line ")
	path, _, _ = strings.Cut(path, " (")
	return result.Location{Path: path, Line: lex.LeadingNumber(number), Function: inside}, ok && placed && strings.HasPrefix(text, "  in ") && lex.IsDigits(number)
}

var _ = Room.Add("swipl", func(p *tool.Parser) {
	p.Is("swipl", result.Generic, 1, "SWI-Prolog 8 and 9: errors, warnings, PlUnit")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"% PL-Unit: "}, Named: true, Parse: read.Fresh(func(p *prolog) read.Text { return read.Text{Line: p.line, End: read.TestsClose, Closes: true} })})
})

// prolog reads messages, each line of which begins with its severity, and the tests
// of PlUnit:
//
//	ERROR: /src/pu.pl:5:
//		test eq: wrong answer (compared using ==)
//	ERROR:     Expected: 3
//	ERROR:     Got:      2
type prolog struct {
	at   *result.Location // the place of a message whose text is on the next line
	head tool.Line        // the line with that place
	word string           // its severity
	unit string
}

func (p *prolog) line(s *read.Sink, l tool.Line) bool {
	word, text, ok := strings.Cut(l.Text, ": ")
	if !ok {
		word, text = strings.TrimSuffix(l.Text, ":"), ""
	}
	said := word == "ERROR" || word == "Warning"
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(l.Text, "% PL-Unit: "):
		p.unit, _, _ = strings.Cut(l.Text[len("% PL-Unit: "):], " ")
		s.Tested = true
	case p.count(s, l):
	case strings.HasPrefix(l.Text, "\ttest "):
		p.test(s, l, l.Text[len("\ttest "):])
	case strings.HasPrefix(l.Text, "\tPL-Unit: "):
		p.find(s, l, p.word, strings.TrimPrefix(l.Text, "\tPL-Unit: "))
		s.Break()
	case said && strings.HasPrefix(text, "  ") && (s.Last() != nil || p.at != nil):
		p.goesOn(s, l, word, trimmed)
	case said && strings.HasPrefix(trimmed, "-g ") && strings.Contains(trimmed, "run_tests") && s.Failures() > 0:
	case said:
		p.opens(s, l, word, trimmed)
	default:
		return false
	}
	return true
}

// opens reads the first line of a message, which may hold only a place.
func (p *prolog) opens(s *read.Sink, l tool.Line, word, text string) {
	at, rest, placed := place.Cut(text)
	if p.at = nil; placed && rest == "" {
		p.at, p.head, p.word = &at, l, word
		s.Break()
		return
	}
	f := result.Finding{Kind: result.Panic, Severity: read.SeverityOf(word), RawSeverity: word, Message: text}
	if word == "Warning" {
		f.Kind = result.Diagnostic
	}
	if placed {
		f.At, f.Message = &at, rest
	}
	s.Find(l, f)
}

// goesOn reads a further line of a message: its text if the first line was only a place, a value, or more text.
func (p *prolog) goesOn(s *read.Sink, l tool.Line, word, text string) {
	f := s.Last()
	if p.at != nil {
		p.find(s, l, word, text)
		return
	}
	if value, ok := strings.CutPrefix(text, "Expected: "); ok {
		f.Expected = strings.TrimSpace(value)
	} else if value, ok := strings.CutPrefix(text, "Got: "); ok {
		f.Actual = strings.TrimSpace(value)
	}
	s.More(l)
}

// find adds a message whose place stands on the line above its text.
func (p *prolog) find(s *read.Sink, l tool.Line, word, text string) {
	s.Find(p.head, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: text, At: p.at})
	s.Reach(l)
	p.at = nil
}

func (p *prolog) test(s *read.Sink, l tool.Line, text string) {
	name, message, _ := strings.Cut(text, ": ")
	id := name
	if p.unit != "" {
		id = p.unit + ":" + name
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name, Message: message, At: p.at})
	s.Tested, p.at = true, nil
}

// count reads "% 3 tests failed" and "% All 2 tests passed".
func (p *prolog) count(s *read.Sink, l tool.Line) bool {
	n, key, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l.Text, "% "), "All "), " tests ")
	if !strings.HasPrefix(l.Text, "% ") || !ok || !lex.IsDigits(n) || key != "failed" && key != "passed" && !strings.HasPrefix(key, "passed") {
		return false
	}
	if key != "failed" {
		key = "passed"
		s.Close(l)
	}
	s.Score(key, lex.Atoi(n))
	return s.Break()
}
