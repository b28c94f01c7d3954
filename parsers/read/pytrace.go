package read

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// Traceback collects one traceback of Python's, line by line:
//
//	Traceback (most recent call last):
//	  File "app.py", line 3, in <module>
//	    main()
//	    ~~~~^^
//	ValueError: bad row
//
// Source that could not be read as Python has no head, and its place no function:
//
//	  File "app.py", line 1
//	    def f(:
//	          ^
//	SyntaxError: invalid syntax
//
// Of an exception group it is the tree without its branches ("  | ").
type Traceback struct {
	Frames []result.Location // from the outermost to the one that raised
	Last   string            // the line that names the exception; "" until it was there

	open   bool
	spaced bool // loguru puts an empty line above each frame
	indent int  // of the head
	box    box
	boxed  bool // rich drew it
}

// maxTraceFrames bounds what is kept of a deep recursion; what is nearest to the
// exception stays.
const maxTraceFrames = 64

const traceHead = "Traceback (most recent call last):"

// IsTraceHead: a traceback begins here.
func IsTraceHead(line string) bool {
	text := strings.TrimLeft(line, " |+")
	return text == traceHead || text == "Exception Group "+traceHead || isBoxHead(line)
}

// CutLink reads the line between two exceptions of a chain: how the first of them belongs
// to the second, as the note of a cause begins.
func CutLink(line string) (word string, ok bool) {
	switch {
	case strings.HasPrefix(line, "The above exception was the direct cause of "): // rich wraps the rest
		return result.CausedBy, true
	case strings.HasPrefix(line, "During handling of the above exception, "):
		return result.WhileHandling, true
	}
	return "", false
}

// Line takes a line; false says that it does not belong to a traceback.
func (t *Traceback) Line(line string) bool {
	if IsTraceHead(line) {
		*t = Traceback{open: true, indent: len(line) - len(strings.TrimLeft(line, " |+"))}
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
		if rest, ok := strings.CutSuffix(line, "│"); ok { // of the box of a group, around this one
			line = strings.TrimRight(rest, " ")
		}
	}
	if rest, ok := strings.CutPrefix(line, "> File"); ok && t.open { // loguru marks where it caught the exception
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

// frame adds a place. One outside of any traceback begins the text of a syntax
// error.
func (t *Traceback) frame(at result.Location) {
	if !t.open || t.Last != "" {
		*t = Traceback{open: true}
	}
	if len(t.Frames) == maxTraceFrames {
		t.Frames = append(t.Frames[:1], t.Frames[2:]...)
	}
	t.Frames = append(t.Frames, at)
}

// Whole: the exception was named.
func (t *Traceback) Whole() bool { return t.Last != "" }

// Class is the exception's class without its module.
func (t *Traceback) Class() string { return trace.ClassOf(t.Last) }

// Uncaught: the traceback begins where the program does; what a program catches
// and logs begins where it is caught.
func (t *Traceback) Uncaught() bool {
	if len(t.Frames) == 0 {
		return false
	}
	first := t.Frames[0]
	return first.Function == "<module>" || first.Function == "" || strings.HasPrefix(first.Path, "<frozen runpy")
}

// Own is the deepest place in the workspace, else the deepest in any file that is
// neither Python's own nor installed.
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

// caller is the frame that tells whose code a frame is. Cython gives the path of its source as it
// was when the library was built, and the function with its module: it is the library's that called it.
func (t *Traceback) caller(i int) int {
	for ; i > 0; i-- {
		at := t.Frames[i]
		if top, _, ok := strings.Cut(at.Path, "/"); !ok || top == "" || !strings.HasPrefix(at.Function, top+".") {
			break
		}
	}
	return i
}

// isInstalledScript: the few lines with which an installer starts a program.
func isInstalledScript(path string) bool {
	i := strings.LastIndex(path, "/bin/")
	return i >= 0 && !strings.ContainsAny(path[i+len("/bin/"):], "./")
}

// Deepest are the frames nearest to the exception, that one first.
func (t *Traceback) Deepest(files *place.Files) (frames []result.Location) {
	for i := len(t.Frames) - 1; i >= 0 && len(frames) < 8; i-- {
		at := t.Frames[i]
		at.External = files.External(t.Frames[t.caller(i)].Path)
		frames = append(frames, at)
	}
	return frames
}

// Finding is what the traceback says.
func (t *Traceback) Finding(files *place.Files) result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevError, Rule: t.Class(), Message: lex.Clip(t.Last), At: t.Own(files)}
	if len(t.Frames) > 1 {
		f.Frames = t.Deepest(files)
	}
	return f
}

// Crash is Finding for a program that ended so: the rule names the class, and the
// message need not name it again.
func (t *Traceback) Crash(files *place.Files) result.Finding {
	f := t.Finding(files)
	class, rest, ok := strings.Cut(f.Message, ": ")
	switch {
	case f.Message == f.Rule, f.Message == "__main__."+f.Rule: // as before Python 3.11
		f.Message, f.Rule = f.Rule, ""
	case ok && rest != "" && lex.LastPart(class) == f.Rule && !strings.Contains(class, " "):
		f.Message = rest
		if class != f.Rule {
			f.RuleName = class
		}
	}
	return f
}

// Stacks reads what faulthandler prints of the threads of a program that dies or hangs, the
// most recent call first. The current thread counts if the output names it, or else the first.
type Stacks struct {
	Frames  []result.Location
	current bool
}

// Line takes a line; false says that it does not belong to the stacks.
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
