package read

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
