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
		strings.HasSuffix(l.Text, ": No such file or directory.") && lex.LeadingNumber(l.Text) == 0: // with a number it is a line whose source is missing
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

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("sanitizer", result.Generic, 2, "AddressSanitizer, LeakSanitizer, ThreadSanitizer, MemorySanitizer and UBSan, of gcc and clang")
	p.Reads(tool.Format{Name: "text", Starts: []string{"==…Sanitizer: ", "WARNING: ThreadSanitizer: ", "SUMMARY: …Sanitizer: "}, Parse: parseSanitizer})
	p.Reads(tool.Format{Name: "text", Evidence: tool.Shape, Starts: pathStarts(": runtime error: "), Sniff: isUBSan, Parse: read.Text{Line: ubsanLine}.Parse})
})

// parseSanitizer reads "==1==ERROR: AddressSanitizer: heap-use-after-free on address …" and the frames. The program's
// own first frame is the place.
func parseSanitizer(in *tool.Input) *tool.Report {
	stacks, report := 0, false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimSpace(l.Text)
		if name, message, ok := sanitizerHead(text); ok {
			rule, _, _ := strings.Cut(message, " ")
			s.Find(l, result.Finding{Kind: result.Panic, RawSeverity: name, Rule: sanitizerRule(message, rule), Message: unaddressed(message)})
			stacks, report = 0, true
			return true
		}
		f := s.Last()
		switch {
		case strings.HasPrefix(text, "SUMMARY: ") && strings.Contains(text, "Sanitizer: "):
			return s.Close(l)
		case ubsanLine(s, l):
			return true
		case lex.HasAnyPrefix(text, "INFO: Seed: ", "INFO: Loaded 1 ", "INFO: Running with ", "INFO: A corpus is not provided", "MS: ") || strings.HasPrefix(text, "#") && strings.Contains(text, " corp: "):
			return true // libFuzzer's progress
		case strings.HasSuffix(text, "==ABORTING"), strings.HasPrefix(text, "=====") && strings.Trim(text, "=") == "":
			report = strings.HasPrefix(text, "=====")
			return true
		case f == nil || strings.HasPrefix(text, "Shadow bytes"):
			s.Break()
			return report
		case strings.HasPrefix(text, "READ of size "), strings.HasPrefix(text, "WRITE of size "):
			access, _, _ := strings.Cut(text, " at ")
			f.Message += "; " + access
		case strings.HasPrefix(text, "#0 "):
			stacks++
		}
		s.More(l)
		if at, ok := frame.C(text); ok && !at.External {
			if f.At == nil || stacks < 2 {
				valgrindPlace(f, at)
			} else if len(f.Locations) < stacks-1 {
				f.Locations = append(f.Locations, at)
			}
		}
		return true
	}}.Parse(in)
}

// sanitizerHead splits "==1==ERROR: AddressSanitizer: …".
func sanitizerHead(text string) (name, message string, ok bool) {
	if strings.HasPrefix(text, "==") {
		_, text, _ = strings.Cut(text[2:], "==")
	}
	word, rest, ok := strings.Cut(text, ": ")
	name, message, found := strings.Cut(rest, ": ")
	return name, message, ok && found && (word == "ERROR" || word == "WARNING") && strings.HasSuffix(name, "Sanitizer")
}

// sanitizerRule returns the short name of an error.
func sanitizerRule(message, first string) string {
	switch {
	case strings.HasPrefix(message, "attempting double-free"):
		return "double-free"
	case strings.HasPrefix(message, "detected memory leaks"):
		return "memory-leak"
	case strings.HasPrefix(message, "data race"):
		return "data-race"
	}
	return first
}

// unaddressed removes addresses from a message, since they differ from run to run.
func unaddressed(message string) string {
	words := strings.Fields(message)
	for i, w := range words {
		if strings.HasPrefix(w, "0x") {
			words[i] = "0x#"
		} else if w == "at" && i > 0 && i+1 < len(words) && words[i+1] == "pc" || w == "(pc" || w == "pc" {
			return strings.Join(words[:i], " ")
		}
	}
	message, _, _ = strings.Cut(strings.Join(words, " "), " (pid=")
	return message
}

// pathStarts returns starts of lines: a path, which may begin with any letter, and one of words behind it.
func pathStarts(words ...string) (starts []string) {
	for c := byte('!'); c < 0x7f; c++ {
		for _, w := range words {
			if lex.Letter(c) != 0 || c == '/' || c == '.' || c == '_' {
				starts = append(starts, string(c)+"…"+w)
			}
		}
	}
	return starts
}

func isUBSan(line string) bool {
	at, rest, ok := place.Cut(line)
	return ok && at.Column > 0 && strings.HasPrefix(rest, "runtime error: ")
}

// ubsanLine reads "as.c:14:12: runtime error: signed integer overflow: …".
func ubsanLine(s *read.Sink, l tool.Line) bool {
	at, rest, ok := place.Cut(l.Text)
	message, found := strings.CutPrefix(rest, "runtime error: ")
	if !ok || !found || at.Column == 0 {
		return false
	}
	s.Find(l, result.Finding{RawSeverity: "runtime error", Message: message, At: &at})
	s.Signed = true
	return true
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("glibc", result.Generic, 1, "programs that end themselves: assert, uncaught exceptions of C++, checks of glibc")
	p.Reads(tool.Format{Name: "text", Starts: abortStarts(), Sniff: func(line string) bool { _, ok := cutAbort(line); return ok }, Parse: read.IfFound(read.Fresh(func(a *abort) read.Text { return read.Text{Line: a.line, End: a.end} }))})
})

// aborts begin the last words of the C library and of libstdc++.
var aborts = []string{"terminate called ", "*** stack smashing detected ***", "*** buffer overflow detected ***", "free(): ", "malloc(): ", "realloc(): ", "double free or corruption", "munmap_chunk(): ", "corrupted size vs. prev_size"}

// abortStarts are those, and the name of a program before a failed assertion.
func abortStarts() []string {
	starts := make([]string, 0, len(aborts)+26)
	for c := byte('a'); c <= 'z'; c++ {
		starts = append(starts, string(c)+"…: Assertion `")
	}
	return append(starts, aborts...)
}

// cutAbort reads such a line: "a: src/a.c:6: main: Assertion `c == 1' failed." has the program and a place before.
func cutAbort(line string) (f result.Finding, ok bool) {
	f = result.Finding{Kind: result.Panic, Severity: result.SevError, Message: line}
	program, rest, _ := strings.Cut(line, ": ")
	_, failed, asserts := strings.Cut(rest, ": Assertion `")
	if at, _, placed := place.Cut(rest); asserts && placed && !strings.Contains(program, " ") && strings.HasSuffix(failed, "' failed.") {
		f.At, f.Message = &at, "Assertion `"+failed
		return f, true
	}
	return f, lex.HasAnyPrefix(line, aborts...)
}

// abort reads these lines, and below an uncaught exception "  what():  the port is closed". Where more than a few lines
// follow, the program is a part of something else, which reports it.
type abort struct{ after int }

func (a *abort) line(s *read.Sink, l tool.Line) bool {
	if what, ok := strings.CutPrefix(l.Text, "  what():  "); ok && s.Last() != nil && a.after == 0 {
		s.Last().Message += ": " + what
		return s.More(l)
	}
	f, ok := cutAbort(l.Text)
	if ok {
		a.after = 0
		return s.Find(l, f)
	}
	a.after++
	return false
}

func (a *abort) end(s *read.Sink) {
	if a.after > 6 {
		s.Findings = nil
	}
}
