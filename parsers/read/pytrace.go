package read

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Traceback reads one Python traceback, line by line:
//
//	Traceback (most recent call last):
//	  File "app.py", line 3, in <module>
//	    main()
//	    ~~~~^^
//	ValueError: bad row
//
// A syntax error has no head, and its place has no function:
//
//	  File "app.py", line 1
//	    def f(:
//	          ^
//	SyntaxError: invalid syntax
//
// Of an exception group it reads the lines without the tree's branches ("  | ").
type Traceback struct {
	Frames []result.Location // outermost first; the last one raised the exception
	Last   string            // the line that names the exception; "" before it was read

	open   bool
	spaced bool // loguru prints an empty line above each frame
	indent int  // of the head
	barred bool // the head is a group's, behind the tree's branches
	box    box
	boxed  bool // rich drew a box around it
}

// maxTraceFrames bounds the frames kept of a deep recursion; those nearest to the exception are kept.
const maxTraceFrames = 64

const traceHead = "Traceback (most recent call last):"

// IsTraceHead reports whether a traceback begins at this line.
func IsTraceHead(line string) bool {
	text := strings.TrimLeft(line, " |+")
	return text == traceHead || text == "Exception Group "+traceHead || isBoxHead(line)
}

// CutLink reads the line between two exceptions of a chain; word is result.CausedBy or the like, and says how the
// first exception relates to the second.
func CutLink(line string) (word string, ok bool) {
	switch {
	case strings.HasPrefix(line, "The above exception was the direct cause of "): // rich wraps the rest of the line
		return result.CausedBy, true
	case strings.HasPrefix(line, "During handling of the above exception, "):
		return result.WhileHandling, true
	}
	return "", false
}

// Line takes a line; it returns false if the line does not belong to a traceback.
func (t *Traceback) Line(line string) bool {
	if IsTraceHead(line) {
		*t = Traceback{open: true, indent: len(line) - len(strings.TrimLeft(line, " |+"))}
		t.barred = strings.ContainsAny(line[:t.indent], "|+")
		if t.boxed = isBoxHead(line); t.boxed {
			t.indent, t.box.open = strings.IndexAny(line, "╭+"), true
		}
		return true
	}
	if t.box.open {
		at, ok := t.box.line(line[min(t.indent, len(line)):])
		if at != nil {
			t.frame(*at)
		}
		t.open = t.open && ok
		return ok
	}
	if t.open && t.indent > 0 {
		if blank := strings.Trim(line[:min(t.indent, len(line))], " |+│"); blank != "" {
			t.open = false
			return false
		}
		line = line[min(t.indent, len(line)):]
		if rest, ok := strings.CutSuffix(line, "│"); ok { // the box of a group around this traceback
			line = strings.TrimRight(rest, " ")
		}
	}
	if rest, ok := strings.CutPrefix(line, "> File"); ok && t.open { // loguru marks the frame where it caught the exception
		line = "  File" + rest
	}
	if at, ok := frame.Python(line); ok && strings.HasPrefix(line, `  File`) && (at.Function == "" || strings.Contains(line, ", in ")) {
		t.frame(at)
		return true
	}
	switch {
	case !t.open || t.Last != "":
		return false
	case line == "" && (t.spaced || len(t.Frames) == 0 && !t.boxed):
		t.spaced = true
		return true
	case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "  [Previous line repeated"):
		return true
	case line == "" || line[0] == ' ' || trace.ClassOf(line) == "" || t.spaced && len(t.Frames) == 0:
		t.open = false
		return false
	}
	t.Last, t.open = line, false
	return true
}

// Left reports whether a line stands left of the traceback, so that it is no part of the exception's message.
func (t *Traceback) Left(line string) bool {
	return !t.barred && !t.boxed && strings.TrimLeft(line[:min(t.indent, len(line))], " ") != ""
}

// frame adds a place. Outside of a traceback, it begins the text of a syntax error.
func (t *Traceback) frame(at result.Location) {
	if !t.open || t.Last != "" {
		*t = Traceback{open: true}
	}
	if len(t.Frames) == maxTraceFrames {
		t.Frames = append(t.Frames[:1], t.Frames[2:]...)
	}
	t.Frames = append(t.Frames, at)
}

// Whole reports whether the exception's line was read.
func (t *Traceback) Whole() bool { return t.Last != "" }

// Class is the exception's class without its module.
func (t *Traceback) Class() string { return trace.ClassOf(t.Last) }

// Uncaught reports whether the traceback begins where the program does; that of an exception which the program
// caught and logged begins where it was caught.
func (t *Traceback) Uncaught() bool {
	if len(t.Frames) == 0 {
		return false
	}
	first := t.Frames[0]
	return first.Function == "<module>" || first.Function == "" || strings.HasPrefix(first.Path, "<frozen runpy")
}

// Own is the deepest place in the workspace, or else the deepest in a file that is neither Python's own nor
// installed.
func (t *Traceback) Own(files *place.Files) *result.Location {
	var any *result.Location
	for i := len(t.Frames) - 1; i >= 0; i-- {
		at := t.Frames[i]
		switch {
		case !files.External(t.Frames[t.caller(i)].Path):
			return &at
		case any == nil && t.caller(i) == i && at.Path != "" && at.Path[0] != '<' && !strings.Contains(at.Path, "/lib/python") && !strings.Contains(at.Path, "site-packages") && !isInstalledScript(at.Path):
			at.External = true
			any = &at
		}
	}
	return any
}

// caller is the index of the frame that shows whose code frame i is. Cython prints the path of its source as of
// when the library was built, and the function with its module: such a frame belongs to the library that called it.
func (t *Traceback) caller(i int) int {
	for ; i > 0; i-- {
		at := t.Frames[i]
		if top, _, ok := strings.Cut(at.Path, "/"); !ok || top == "" || !strings.HasPrefix(at.Function, top+".") {
			break
		}
	}
	return i
}

// isInstalledScript recognises the short scripts with which an installer starts a program.
func isInstalledScript(path string) bool {
	i := strings.LastIndex(path, "/bin/")
	return i >= 0 && !strings.ContainsAny(path[i+len("/bin/"):], "./")
}

// Deepest returns the frames nearest to the exception, nearest first.
func (t *Traceback) Deepest(files *place.Files) (frames []result.Location) {
	for i := len(t.Frames) - 1; i >= 0 && len(frames) < 8; i-- {
		at := t.Frames[i]
		at.External = files.External(t.Frames[t.caller(i)].Path)
		frames = append(frames, at)
	}
	return frames
}

// Finding is the finding of the traceback.
func (t *Traceback) Finding(files *place.Files) result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: t.Class(), Message: lex.Clip(t.Last), At: t.Own(files)}
	if len(t.Frames) > 1 {
		f.Frames = t.Deepest(files)
	}
	return f
}

// Crash is Finding for a program that ended with the exception: the rule names the class, so the message does not
// repeat it.
func (t *Traceback) Crash(files *place.Files) result.Finding {
	f := t.Finding(files)
	class, rest, ok := strings.Cut(f.Message, ": ")
	switch {
	case f.Message == f.Rule, f.Message == "__main__."+f.Rule: // the form before Python 3.11
		f.Message, f.Rule = f.Rule, ""
	case ok && rest != "" && lex.LastPart(class) == f.Rule && !strings.Contains(class, " "):
		f.Message = rest
		if class != f.Rule {
			f.RuleName = class
		}
	}
	return f
}

// Stacks reads the stacks of threads that faulthandler prints when a program dies or hangs, the most recent call
// first. It keeps the current thread if the output names it, or else the first.
type Stacks struct {
	Frames  []result.Location
	current bool
}

// Line takes a line; it returns false if the line does not belong to the stacks.
func (t *Stacks) Line(text string) bool {
	thread := strings.Contains(text, "(most recent call first):")
	at, framed := frame.Python(text)
	switch {
	case thread && strings.HasPrefix(text, "Current thread "):
		t.current, t.Frames = true, nil
	case thread && strings.HasPrefix(text, "Thread "):
		t.current = len(t.Frames) == 0
	case !framed:
		return text == "" || lex.HasAnyPrefix(text, "Current thread's C stack trace", "Extension modules: ", "  Binary file ", "  <", "  ...", `  File "`)
	case t.current && len(t.Frames) < maxTraceFrames:
		at.Path, at.Function = lex.Headline(at.Path), lex.Headline(at.Function)
		t.Frames = append(t.Frames, at)
	}
	return true
}
