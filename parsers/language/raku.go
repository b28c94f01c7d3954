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
