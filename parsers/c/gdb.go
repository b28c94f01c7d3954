package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gdb | gdb-multiarch rust-gdb", func(p *tool.Parser) {
	p.Is("gdb", result.Generic, 1, "GDB 9 to 16 without a terminal (-batch): the signal that stopped a program, commands that failed")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*gdb).line))})
})

// gdb reads the signal that stopped a program, whose place is the first source below it that is not the C library's,
// and the messages of commands that failed:
//
//	Program received signal SIGSEGV, Segmentation fault.
//	0x00005555555551af in main (c=2, v=0x7fffffffe6d8) at san.c:3
//	3	int main(…
//	#0  0x00005555555551af in main (c=2, v=0x7fffffffe6d8) at san.c:3
//
// gdb exits with 0 although the program crashed. A signal in a core file, an earlier run's, is only a warning.
type gdb struct {
	signal string // the last signal
	script *result.Location
}

func (g *gdb) line(s *read.Sink, l tool.Line) bool {
	who, signal, stopped := strings.Cut(l.Text, " received signal ")
	_, ended, died := strings.Cut(l.Text, "Program terminated with signal ")
	at, sourced := gdbScript(l.Text)
	switch f := s.Last(); {
	case stopped && (strings.HasPrefix(who, "Program") || strings.HasPrefix(who, "Thread ")):
		return g.stopped(s, l, signal, result.SevError)
	case died && g.signal == "":
		return g.stopped(s, l, ended, result.SevWarning)
	case died:
		return true
	case sourced:
		g.script = at
		return s.Break()
	case g.script != nil:
		s.Find(l, result.Finding{Message: l.Text, At: g.script})
		g.script = nil
		return s.Break()
	case lex.HasAnyPrefix(l.Text, "Undefined command: ", "No symbol ", "No stack.", "No frame ", "The program is not being run.", "No executable file specified", "Function \"", "Cannot access memory at ", "A syntax error in expression"),
		strings.HasSuffix(l.Text, ": No such file or directory."):
		s.Find(l, result.Finding{Message: l.Text})
		return s.Break()
	case f != nil && f.Kind == result.Panic:
		_, spot, _ := strings.Cut(l.Text, ") at ")
		path, line, placed := place.CutLineNumber(spot)
		switch own := placed && !frame.IsRuntimeC(path); {
		case own && f.At == nil:
			f.At = &result.Location{Path: path, Line: line}
		case own && (path != f.At.Path || line != f.At.Line) && len(f.Frames) < result.MaxFrames:
			f.Frames = append(f.Frames, result.Location{Path: path, Line: line})
		}
		return s.More(l)
	}
	return false
}

// stopped adds a finding for a signal. Signals at which a debugger is often told to stop are no failure.
func (g *gdb) stopped(s *read.Sink, l tool.Line, what string, severity result.Severity) bool {
	g.signal, what, _ = strings.Cut(strings.TrimSuffix(what, "."), ", ")
	if lex.IsOneOf(g.signal, "SIGINT SIGTRAP SIGSTOP SIGTSTP SIGCONT SIGCHLD SIGUSR1 SIGUSR2 SIGALRM SIGPIPE SIGWINCH") {
		return s.Break()
	}
	return s.Find(l, result.Finding{Kind: result.Panic, Severity: severity, Rule: g.signal, Message: what})
}

// gdbScript reads "a.gdb:3: Error in sourced command file:".
func gdbScript(text string) (at *result.Location, ok bool) {
	where, ok := strings.CutSuffix(text, ": Error in sourced command file:")
	path, line, placed := place.CutLineNumber(where)
	return &result.Location{Path: path, Line: line}, ok && placed
}
