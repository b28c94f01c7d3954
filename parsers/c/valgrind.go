package c

import (
	"cmp"
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("valgrind", func(p *tool.Parser) {
	p.Is("valgrind", result.Generic, 2, "valgrind 3.15 to 3.25: memcheck, helgrind, drd; text and XML")
	p.Runner, p.Interprets = true, tool.Always
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<valgrindoutput>"}, Parse: read.Lines((*valgrindXML).line)})
	p.Reads(tool.Format{Name: "text", Parse: parseValgrind})
	p.Reads(tool.Format{Name: "text", Starts: []string{"==…Memcheck, a memory error detector", "==…ERROR SUMMARY: ",
		"==…Invalid read of size ", "==…Invalid write of size ", "==…Process terminating with default action of signal "}, Parse: parseValgrind})
})

// parseValgrind reads errors, whose lines begin with the id of the process:
//
//	==1== Invalid write of size 1
//	==1==    at 0x1092B9: main (as.c:12)
//	==1==  Address 0x4a47048 is 0 bytes after a block of size 8 alloc'd
//
// Errors do not change the exit code: valgrind exits as the program did, unless --error-exitcode is given.
func parseValgrind(in *tool.Input) *tool.Report {
	fresh := true  // the next line may begin an error
	again := false // -v and -s list the errors again, with their totals
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		text, ok := cutProcess(l.Text)
		if !ok {
			if why, failed := strings.CutPrefix(l.Text, "valgrind: "); failed && s.Last() == nil {
				return s.Misuse(l, why)
			}
			return false
		}
		trimmed := strings.TrimSpace(text)
		switch {
		case again, strings.Contains(text, " errors in context "):
			again = !strings.HasPrefix(text, "ERROR SUMMARY: ")
			s.Sign(l)
		case trimmed == "":
			s.Break()
			fresh = true
			s.Sign(l)
		case strings.HasPrefix(text, "ERROR SUMMARY: "):
			if n := lex.LeadingNumber(text[len("ERROR SUMMARY: "):]); n > 0 {
				s.Count("error", n)
			}
			s.Close(l)
		case fresh && isValgrindError(text):
			s.Find(l, result.Finding{Kind: result.Diagnostic, Message: lossRecord(trimmed)})
			fresh = false
		case s.Last() != nil:
			s.More(l)
			valgrindFrame(s.Last(), trimmed)
		default:
			s.Sign(l)
		}
		return true
	}}.Parse(in)
}

// cutProcess removes "==31087== " from a line, or with --time-stamp=yes "==00:00:00:01.204 31087== ".
func cutProcess(line string) (text string, ok bool) {
	process, text, ok := strings.Cut(strings.TrimPrefix(line, "=="), "==")
	if time, number, timed := strings.Cut(process, " "); timed && strings.Count(time, ":") == 3 {
		process = number
	}
	return strings.TrimPrefix(text, " "), ok && strings.HasPrefix(line, "==") && lex.IsDigits(process)
}

func isValgrindError(text string) bool {
	return lex.HasAnyPrefix(text, "Invalid ", "Conditional jump", "Use of uninit", "Syscall param", "Mismatched free", "Source and destination overlap", "Process terminating",
		"Jump to the invalid", "Possible data race", "Stack overflow", "Argument '", "Conflicting ") || strings.Contains(text, " lost in loss record ") ||
		strings.HasPrefix(text, "Thread #") && !strings.HasSuffix(text, " was created") && !strings.HasSuffix(text, " is the program's root thread")
}

// lossRecord removes the number of the loss record, which differs from run to run.
func lossRecord(text string) string {
	text, _, _ = strings.Cut(text, " in loss record ")
	return text
}

// valgrindFrame reads "by 0x109204: main (as.c:9)". The first frame with a source outside the C library is the place.
func valgrindFrame(f *result.Finding, text string) {
	if at, ok := frame.Addressed(text); ok {
		valgrindPlace(f, at)
	}
}

func valgrindPlace(f *result.Finding, at result.Location) {
	at.External = at.External || frame.IsRuntimeC(at.Path)
	switch {
	case at.External:
	case f.At == nil:
		f.At = &at
	case len(f.Frames) < result.MaxFrames:
		f.Frames = append(f.Frames, at)
	}
}

// valgrindXML reads the output of --xml=yes, one element per line:
//
//	<error>
//	  <what>Invalid write of size 1</what>
//	  <stack><frame>
//	    <fn>main</fn> <dir>/src</dir> <file>as.c</file> <line>12</line>
type valgrindXML struct {
	open   bool // inside the document
	within bool // inside an error
	at     result.Location
}

func (v *valgrindXML) line(s *read.Sink, l tool.Line) bool {
	v.open = v.open || strings.HasPrefix(l.Text, "<valgrindoutput>")
	if !v.open {
		return false
	}
	var text string
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			return true
		case xmltext.Open:
			text = ""
			v.begin(s, l, string(x.Name))
		case xmltext.Text:
			text += x.Content()
		case xmltext.Close:
			v.end(s, l, string(x.Name), strings.TrimSpace(text))
		}
	}
}

func (v *valgrindXML) begin(s *read.Sink, l tool.Line, name string) {
	switch name {
	case "error":
		v.within = true
		s.Find(l, result.Finding{Kind: result.Diagnostic})
	case "frame":
		v.at = result.Location{}
	}
}

func (v *valgrindXML) end(s *read.Sink, l tool.Line, name, text string) {
	if name == "valgrindoutput" {
		s.Close(l)
		v.open = false
	}
	f := s.Last()
	if f == nil || !v.within {
		return
	}
	s.More(l)
	switch name {
	case "error":
		v.within = false
		s.Break()
	case "what", "text":
		f.Message = cmp.Or(f.Message, lossRecord(text))
	case "fn":
		v.at.Function = text
	case "dir":
		v.at.Path = text
	case "file":
		v.at.Path = path.Join(v.at.Path, text)
	case "line":
		v.at.Line = lex.Atoi(text)
	case "frame":
		if v.at.Line > 0 {
			valgrindPlace(f, v.at)
		}
	}
}
