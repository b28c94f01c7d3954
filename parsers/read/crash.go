package read

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// When node runs out of memory, it ends the program that it runs with this line:
//
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//
// The line does not name the program. It counts as a tool's if the command runs the tool, or if npm, yarn or pnpm
// printed before that they run it.

// NodeHeapStart is the beginning of this line, for Format.Starts.
const NodeHeapStart = "FATAL ERROR: …JavaScript heap out of memory"

// IsNodeHeap reports whether a line is the one with which node runs out of memory.
func IsNodeHeap(s string) bool {
	return strings.HasPrefix(s, "FATAL ERROR: ") && strings.HasSuffix(s, "JavaScript heap out of memory")
}

// NodeCrash searches the output of one tool for the line with which node runs out of memory.
type NodeCrash struct {
	in      *tool.Input
	matches func(argv []string) bool
	Runs    bool      // the command, or one printed so far, runs the tool
	line    term.Line // that line
	Ran     bool      // node ran out of memory
}

// NewNodeCrash returns a NodeCrash for the tool whose commands matches accepts.
func NewNodeCrash(in *tool.Input, matches func(argv []string) bool) *NodeCrash {
	n := &NodeCrash{in: in, matches: matches}
	c := in.Command()
	n.Runs = n.is(c) || n.is(shell.Command{Argv: in.Echoed()}) || slices.ContainsFunc(c.Listed, n.is)
	return n
}

func (n *NodeCrash) is(c shell.Command) bool { return len(c.Argv) > 0 && n.matches(c.Argv) }

// See takes a line of the output, and reports whether node ran out of memory there.
func (n *NodeCrash) See(l term.Line) bool {
	switch {
	case len(l.Text) < 3:
	case l.Text[:2] == "> " || l.Text[:2] == "$ ":
		n.Runs = n.Runs || n.is(n.in.CommandOf(l.Text[2:]))
	case l.Text[0] == 'F' && IsNodeHeap(l.Text):
		n.line, n.Ran = l, true
		return true
	}
	return false
}

// Report adds a finding if the tool was run and node ran out of memory, and returns whether it did.
func (n *NodeCrash) Report(rep *tool.Report) bool {
	if !n.Ran || !n.Runs {
		return false
	}
	rep.Add(result.Finding{
		Kind: result.Panic, Severity: result.SevError, Message: n.line.Text,
		RawSpan: &result.Span{Start: n.line.Start, End: n.line.End},
	})
	rep.Cover(n.line)
	return true
}

// thrown reads an exception of JavaScript or Java that an unknown program prints with its stack, among other
// output:
//
//	TypeError: Cannot read properties of undefined (reading 'find')
//	    at check (/home/me/src/rules.js:52:47)
//
// Only the stack frame proves an exception. Its place is the first frame that is not in a library.
type thrown struct {
	head tool.Line // a line that may name an exception
	wait int       // how many more lines may precede a frame
	open bool      // inside the stack
}

// maxThrown bounds the lines between the class of an exception and its stack.
const maxThrown = 3

func (t *thrown) line(s *Sink, l tool.Line, text string) bool {
	said := strings.TrimLeft(text, " \t")
	if t.open && t.goesOn(s, l, said) {
		return true
	}
	if !strings.HasPrefix(said, "at ") || len(said) == len(text) {
		t.open = false
		if t.wait--; isThrown(said) {
			t.head, t.wait = l, maxThrown
			t.head.Text = strings.Clone(said)
		}
		return false
	}
	at, ok := frame.Cut(said)
	switch {
	case !ok:
		return t.open
	case t.wait > 0:
		class, message, _ := strings.Cut(t.head.Text, ": ")
		f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: lex.LastPart(class), Message: message}
		if class != f.Rule && !strings.HasPrefix(class, "java.") {
			f.RuleName = class
		}
		s.Find(t.head, f)
		t.wait, t.open = 0, true
	}
	if last := s.kept(); t.open && last != nil {
		if last.At == nil && !at.External && at.Line > 0 {
			frame.InPackage(&at)
			last.At = &at
		}
		s.More(l)
	}
	return t.open
}

// maxCauses bounds the causes kept of one exception; the last is the original one.
const maxCauses = 8

// goesOn reads two kinds of lines between the frames of Java: a cause, and how many frames are left out.
func (t *thrown) goesOn(s *Sink, l tool.Line, said string) bool {
	cause, caused := strings.CutPrefix(said, "Caused by: ")
	last := s.kept()
	if last == nil || !caused && !strings.HasPrefix(said, "... ") {
		return false
	}
	if caused {
		last.Related = append(last.Related[:min(len(last.Related), maxCauses-1)], result.Related{Message: result.CausedBy + lex.Clip(cause)})
	}
	return s.More(l)
}

// isThrown recognises "TypeError: text" and "java.nio.file.NoSuchFileException: a.jar". The word Error alone has a
// form of its own.
func isThrown(text string) bool {
	class, message, ok := strings.Cut(text, ": ")
	if !ok || message == "" || class == "Error" || !strings.HasSuffix(class, "Error") && !strings.HasSuffix(class, "Exception") {
		return false
	}
	return lex.IsIdentifier(strings.ReplaceAll(class, ".", ""))
}

// goPanic reads what Go's runtime prints when an unknown program dies:
//
//	panic: cannot open a
//		cannot open b: no such file
//
//	goroutine 1 [running]:
//	main.load()
//		/home/me/src/main.go:9 +0x26e
//
// Only the line "goroutine 1" proves a panic. Its place is the first frame that is not in a library.
type goPanic struct {
	head     tool.Line
	message  string
	wait     int    // how many more lines may precede the goroutine
	open     bool   // inside the stacks
	function string // name in the first line of a frame
}

// maxGoHead bounds the lines of a message; the runtime indents all but the first.
const maxGoHead = 20

func (p *goPanic) line(s *Sink, l tool.Line, text string) bool {
	isGoroutine := strings.HasPrefix(text, "goroutine ") && strings.HasSuffix(text, "]:")
	switch {
	case lex.HasAnyPrefix(text, "panic: ", "fatal error: "):
		*p = goPanic{head: l, message: strings.Clone(text), wait: maxGoHead}
		p.head.Text = strings.Clone(l.Text)
		return false
	case p.wait > 0 && isGoroutine:
		if last := s.kept(); last == nil || last.RawSpan == nil || last.RawSpan.Start != p.head.Start { // "fatal error: text" is already a finding of its own
			s.Find(p.head, result.Finding{Kind: result.Panic, Message: lex.Clip(p.message)})
		}
		p.wait, p.open = 0, true
	case p.wait > 0:
		if p.wait--; text[0] == '\t' {
			p.message += " " + strings.TrimSpace(text)
		}
		return false
	case p.open && (isGoroutine || p.frame(s, text)):
	default:
		p.open = false
		return false
	}
	return s.More(l)
}

// frame reads one of the two lines of a frame: first the function, then its place.
func (p *goPanic) frame(s *Sink, text string) bool {
	if text[0] != '\t' {
		name := strings.TrimPrefix(text, "created by ")
		i := strings.LastIndexByte(name, '(')
		if made, _, ok := strings.Cut(name, " in goroutine "); ok {
			name, i = made, len(made)
		}
		if i <= 0 || strings.Contains(name[:i], " ") {
			return false
		}
		p.function = strings.Clone(name[:i])
		return true
	}
	at, ok := frame.Go(text)
	if last := s.kept(); ok && last != nil && last.At == nil && !p.isLibrary(s, at.Path) {
		at.Function = p.function
		last.At = &at
	}
	return ok
}

// isLibrary reports whether a frame is outside the workspace, or in a module that the program uses. A program built
// with -trimpath names its sources by their packages; those of the standard library have no dot in their first
// element.
func (p *goPanic) isLibrary(s *Sink, path string) bool {
	if strings.HasPrefix(path, "/") || strings.Contains(path, ":") {
		return place.NewFiles(s.In.Workspace).External(path)
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(path, "@v") || !strings.HasPrefix(p.function, "main.") && !strings.Contains(first, ".")
}
