package pytest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// pytestBlock is the report of one test, as ERRORS and FAILURES show it.
type pytestBlock struct {
	title   string // of its rule; "" in --tb=line
	section sectionKind
	when    string // of an error: "setup", "teardown", "collect"
	name    string // the title without what stands for when
	tainted bool   // its rule stood in captured output
	line    bool   // of --tb=line: no rule, closed by a crash line
	crashed bool   // the crash line was seen

	start, end int64
	files      *place.Files
	over       bool // one more than are kept: nothing is read of it

	chain    []pytestError // causes, the first one first
	err      pytestError   // the exception being read
	plain    string        // first line that is no traceback
	function string        // of the frame being read
	pending  string        // source of the frame whose place comes below it
	blank    bool          // the line before was empty
	marks    bool          // the lines before were those of the message
	reads    bool          // the next indented line is a frame's code
	native   bool          // in a traceback as Python prints it
	inGroup  bool          // in the tree of an exception group
	values   doctestValues
	doctest  bool             // the report of a docstring
	doctests []doctestFailure // its failures

	output  lex.Bounded    // captured output
	outcome *pytestOutcome // what the progress says of it
	parent  bool           // "contains 2 failed subtests"
	checks  bool           // pytest-check says which of its checks failed
	worker  string         // node id that a worker of xdist died in
	remote  bool           // a worker of xdist ran it
	file    string         // of the test, as the blocks around it tell
	crash   string         // the message of the crash line

	echo    pytestEcho // of --tb=line
	echoes  bool       // the report's first line was seen
	excepts bool       // it begins with an exception
}

// pytestError is one exception of a chain.
type pytestError struct {
	message string // first line
	first   string // the same, before a SyntaxError's own message took its place
	class   string // as the location line names it
	source  string // the line of code that failed
	library bool   // source is not of the workspace
	frames  []result.Location
	rest    lex.Bounded // what follows the first line: the assertion's diff
	indent  int         // of the message after its "E"
	link    string      // of a cause: how it belongs to the exception below it
	set     bool
}

func newPytestBlock(title string, section sectionKind, at int64, p *place.Files) *pytestBlock {
	b := &pytestBlock{title: title, name: title, section: section, start: at, files: p}
	b.output.Max = lex.MaxOutput
	b.err.rest.Max = lex.MaxRest
	if section == sectionErrors {
		b.when, b.name = cutErrorTitle(title)
	}
	return b
}

// cutErrorTitle reads "ERROR at setup of name" and "ERROR collecting path".
func cutErrorTitle(title string) (when, name string) {
	if path, ok := strings.CutPrefix(title, "ERROR collecting "); ok {
		return "collect", path
	}
	if rest, ok := strings.CutPrefix(title, "ERROR at "); ok {
		if when, name, ok := strings.Cut(rest, " of "); ok {
			return when, name
		}
	}
	return "", title
}

const (
	causedBy = "The above exception was the direct cause of the following exception:"
	during   = "During handling of the above exception, another exception occurred:"
)

// body reads a line that is not captured output.
func (b *pytestBlock) body(line string, room *int) {
	if line == "" {
		b.blank, b.marks = true, false
		b.values.end()
		return
	}
	blank := b.blank
	b.blank = false
	if b.marks && strings.HasPrefix(line, "    ") { // --tb=line marks only the first line
		b.errorLine(line[1:], room)
		return
	}
	b.marks = false
	switch {
	case strings.TrimLeft(line, " ") == "": // an empty line of source
	case line == causedBy || line == during:
		b.nextInChain(line)
	case !b.native && line[0] == 'E' && (len(line) == 1 || strings.HasPrefix(line, "E  ")):
		b.errorLine(line[1:], room)
		b.marks = true
	case strings.HasPrefix(line, ">       available fixtures: "), strings.HasPrefix(line, ">       use 'pytest --fixtures "):
		b.err.rest.Add(strings.TrimSpace(line[1:]), room)
	case line[0] == '>' && strings.HasPrefix(line, ">  "):
		b.pending = lex.CutText(strings.TrimSpace(line[1:]), lex.MaxSource)
	case isWorkerLine(line):
		b.remote = true
	case strings.HasPrefix(line, "Traceback (most recent call last):"):
		b.native = true
	case b.doctest && b.doctestEnd(line):
	case b.native && b.err.set:
		b.told(line, room)
	case b.group(line, room), b.place(line, blank), b.code(line), b.values.line(line):
	case b.native && line[0] != ' ':
		b.told(line, room)
	case strings.HasPrefix(line, "  def ") || strings.HasPrefix(line, "  async def "): // of a test whose fixture is missing
		b.function, _ = cutDef(strings.TrimSpace(line))
		b.err.source = lex.CutText(strings.TrimSpace(line), lex.MaxSource)
	case b.softCheck(line, room):
	default:
		b.other(line, room)
	}
}

// nextInChain puts the exception that was read aside: the last one is the
// finding, those before it are its causes.
func (b *pytestBlock) nextInChain(link string) {
	if b.err.set && len(b.chain) < result.MaxFrames {
		b.err.link, _ = read.CutLink(link)
		b.chain = append(b.chain, b.err)
	}
	b.pending = ""
	b.err = pytestError{}
	b.err.rest.Max = lex.MaxRest
	b.native, b.inGroup, b.function = false, false, ""
}

// errorLine reads a line behind "E".
func (b *pytestBlock) errorLine(text string, room *int) {
	e := &b.err
	trimmed := strings.TrimLeft(text, " ")
	if e.set {
		cut := min(e.indent, len(text)-len(trimmed))
		if !e.syntax(trimmed, b.files) {
			e.rest.Add(text[cut:], room)
		}
		return
	}
	e.set, e.indent, e.rest = true, len(text)-len(trimmed), lex.Bounded{Max: lex.MaxRest}
	e.message = lex.Headline(trimmed)
	e.first = e.message
	e.syntax(trimmed, b.files)
}

// syntax looks for the place and the message of a SyntaxError, which stand
// inside its text: `File "a.py", line 1`, the code, and the message last.
func (e *pytestError) syntax(line string, p *place.Files) (told bool) {
	if at, ok := frame.Python(line); ok && at.Function == "" && line == e.message {
		if result.IsAbsolute(at.Path) && !p.External(at.Path) {
			e.frame(at)
			e.source = "" // the compiler's
		}
		return false
	}
	if strings.HasPrefix(e.message, `File "`) && isErrorLine(line) {
		e.message = lex.Headline(line)
		return true
	}
	return false
}

// isErrorLine says that a line begins like "SyntaxError: ".
func isErrorLine(line string) bool {
	class, _, ok := strings.Cut(line, ": ")
	return ok && strings.HasSuffix(class, "Error") && !strings.ContainsAny(class, ` "'(`)
}

// told reads a line of a message that has no "E": of a native traceback.
func (b *pytestBlock) told(line string, room *int) {
	if b.err.set {
		b.err.rest.Add(line, room)
		return
	}
	b.err.set, b.err.message = true, lex.Headline(line)
	b.err.first = b.err.message
}

// group reads the tree that Python prints of an exception group.
func (b *pytestBlock) group(line string, room *int) bool {
	if strings.HasPrefix(line, "  + Exception Group Traceback") {
		b.inGroup = true
		return true
	}
	if !b.inGroup {
		return false
	}
	inner := strings.TrimLeft(line, " |+-")
	outermost := strings.HasPrefix(line, "  | ")
	if at, ok := frame.Python(inner); ok {
		if outermost {
			b.err.frame(at)
		}
		return true
	}
	switch {
	case outermost && !b.err.set && len(line) > 4 && line[4] != ' ':
		b.err.set, b.err.message = true, lex.Headline(inner)
		b.err.first = b.err.message
	case outermost && !b.err.set:
		b.err.source = lex.CutText(inner, lex.MaxSource)
	case b.err.set && strings.HasPrefix(line, "  "):
		b.err.rest.Add(line, room)
	default:
		return false
	}
	return true
}

// place reads a frame: "path:3: in name" above its code, "path:3: Class" below
// it, or a line of a native traceback.
func (b *pytestBlock) place(line string, blank bool) bool {
	if at, ok := frame.Python(line); ok && line[0] == ' ' {
		b.native = true
		if at.Function != "" || result.IsAbsolute(at.Path) && !b.files.External(at.Path) {
			b.framed(at)
		}
		return true
	}
	at, rest, ok := place.CutPlace(line)
	if !ok || b.native {
		return false
	}
	if name, found := strings.CutPrefix(rest, "in "); found {
		at.Function = name
		b.framed(at)
		return true
	}
	if !blank || strings.Contains(rest, " ") {
		return false
	}
	at.Function, b.function = b.function, ""
	b.err.frame(at)
	if b.err.shows(b.files.External(at.Path)) {
		b.err.source = cmp.Or(b.pending, b.err.source)
	}
	b.pending = ""
	if rest != "" {
		b.err.class = rest
	}
	return true
}

// framed adds a frame whose code comes below it. The code that is shown is that
// of the deepest frame in the workspace.
func (b *pytestBlock) framed(at result.Location) {
	b.err.frame(at)
	b.reads = b.err.shows(b.files.External(at.Path))
}

// shows says whether the code of a frame is to be shown, rather than that of
// the frames above it.
func (e *pytestError) shows(library bool) bool {
	if library && e.source != "" && !e.library {
		return false
	}
	e.library = library
	return true
}

func (e *pytestError) frame(at result.Location) {
	if n := len(e.frames); n > 0 && e.frames[n-1] == at {
		return // recursion
	}
	if len(e.frames) >= lex.MaxFrames { // the first and the last ones are of interest
		e.frames = append(e.frames[:lex.MaxFrames/2], e.frames[lex.MaxFrames/2+1:]...)
	}
	at.Path, at.Function = lex.Headline(at.Path), lex.Headline(at.Function)
	e.frames = append(e.frames, at)
}

// code reads a line of source.
func (b *pytestBlock) code(line string) bool {
	if !strings.HasPrefix(line, "    ") || b.values.open() {
		return false
	}
	text := strings.TrimSpace(line)
	if line[4] != ' ' {
		if name, ok := cutDef(text); ok {
			b.function = name
		}
	}
	if b.reads && strings.Trim(text, "^~ ") != "" {
		b.err.source, b.reads = lex.CutText(text, lex.MaxSource), false
	}
	return true
}

// cutDef reads the name from "def name(".
func cutDef(text string) (string, bool) {
	text = strings.TrimPrefix(text, "async ")
	rest, ok := strings.CutPrefix(text, "def ")
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(rest, "(")
	return name, ok
}

// captures opens a part of captured output.
func (b *pytestBlock) captures(title string) {
	b.output.Add("--- "+title, nil)
}

func (b *pytestBlock) capturedLine(line string, room *int) { b.output.Add(line, room) }
