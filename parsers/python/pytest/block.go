package pytest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// block is the report of one test in the section ERRORS or FAILURES.
type block struct {
	section section
	when    string // "setup", "teardown" or "collect" if the report is an error
	name    string // the title of its rule, without the words for when; "" with --tb=line
	tainted bool   // its rule was inside of captured output
	line    bool   // printed by --tb=line: without a rule, closed by a crash line
	crashed bool   // the crash line was read

	start, end int64
	files      *place.Files
	over       bool // beyond the limit: its lines are skipped

	chain    []exception // causes, from the first one on
	err      exception   // the exception being read
	plain    string      // first line that belongs to no traceback
	function string      // function of the frame being read
	pending  string      // source line of the frame whose place follows below
	blank    bool        // the line before was empty
	marks    bool        // the lines before belonged to the message
	reads    bool        // the next indented line is a frame's code
	native   bool        // in a traceback in Python's own format
	inGroup  bool        // in the tree of an exception group
	members  []exception // the exceptions of the group, and of groups inside of it
	inCell   string      // the line above, in the report on a notebook's cell
	doctest  bool        // the report of a docstring
	doctests []exception // the docstring's failures

	linted bool             // a linter's report on a file
	lints  []result.Finding // what it says

	output lex.Bounded     // captured output
	parent bool            // "contains 2 failed subtests"
	checks bool            // pytest-check lists which of its checks failed
	worker string          // node id of the test in which a worker of xdist died
	remote bool            // a worker of xdist ran the test
	file   string          // the test's file, as the progress or neighbouring blocks show it
	home   string          // the test's file, as the frames show it
	ofRun  bool            // a frame is in a test file of this run
	crash  string          // the message of the crash line
	listed bool            // a summary line or a progress line was paired with it
	shown  *result.Finding // the part of the finding that does not depend on that line

	echo    echo // with --tb=line
	echoes  bool // the report's first line was read
	excepts bool // the report begins with an exception
}

func newBlock(title string, kind section, at int64, p *place.Files) *block {
	b := &block{name: strings.Clone(title), section: kind, start: at, linted: isLinted(title), files: p, err: newException(), output: lex.Bounded{Max: lex.MaxOutput}}
	if kind == inErrors {
		b.when, b.name = cutErrorTitle(b.name)
	}
	return b
}

const errorCollecting = "ERROR collecting "

// cutErrorTitle reads "ERROR at setup of name" and "ERROR collecting path".
func cutErrorTitle(title string) (when, name string) {
	if path, ok := strings.CutPrefix(title, errorCollecting); ok {
		return "collect", path
	}
	if rest, ok := strings.CutPrefix(title, "ERROR at "); ok {
		if when, name, ok := strings.Cut(rest, " of "); ok {
			return when, name
		}
	}
	return "", title
}

// body takes a line outside of captured output.
func (b *block) body(line string, room *int) {
	blank, marks := b.blank, b.marks
	b.blank, b.marks = line == "", false
	e := &b.err
	if line == "" {
		if e.values != nil {
			e.values.Line(line)
		}
		return
	}
	switch {
	case b.lint(line, room):
	case marks && strings.HasPrefix(line, "    "): // --tb=line marks only the first line
		b.marked(line[1:], room)
	case strings.TrimLeft(line, " ") == "": // a blank source line
	case !b.native && line[0] == 'E' && (len(line) == 1 || strings.HasPrefix(line, "E  ")):
		b.marked(line[1:], room)
	case line[0] == '>' && lex.HasAnyPrefix(line, ">       available fixtures: ", ">       use 'pytest --fixtures "):
		e.rest.Add(strings.TrimSpace(line[1:]), room)
	case strings.HasPrefix(line, ">  "):
		b.pending = lex.CutText(strings.TrimSpace(line[1:]), lex.MaxSource)
	case line[0] != ' ' && b.nextInChain(line):
	case isWorkerLine(line):
		b.remote = true
	case strings.HasPrefix(line, "Traceback (most recent call last):"):
		b.native = true
	case b.doctest && b.doctestEnd(line), b.cell(line):
	case b.native && e.set:
		e.rest.Add(line, room)
	case b.group(line, room), b.place(line, blank, marks), b.code(line), e.output(line):
	case b.native && line[0] != ' ':
		e.begin(line)
	case lex.HasAnyPrefix(line, "  def ", "  async def "): // code of a test whose fixture is missing
		b.function, _ = cutDef(strings.TrimSpace(line))
		e.source = lex.CutText(strings.TrimSpace(line), lex.MaxSource)
	case b.softCheck(line, room):
	default:
		b.other(line, room)
	}
}

// isWorkerLine says whether the line is the head of a report that a worker of xdist sent:
// "[gw0] linux -- Python 3.12.1 /usr/bin/python3".
func isWorkerLine(line string) bool {
	return strings.HasPrefix(line, "[gw") && strings.Contains(line, " -- Python ")
}

// cell takes a line of nbval's or nbmake's report on a notebook's cell, in IPython's format:
//
//	NameError                                 Traceback (most recent call last)
//	Cell In[1], line 2
//	----> 2 undefined_thing
//	NameError: name 'undefined_thing' is not defined
func (b *block) cell(line string) bool {
	if !strings.Contains(b.name, ".ipynb") {
		return false
	}
	above, text := b.inCell, strings.TrimSpace(line)
	if above != "" || strings.HasPrefix(text, "Cell ") || strings.HasSuffix(line, "  Traceback (most recent call last)") {
		b.inCell = text
	}
	_, said, numbered := strings.Cut(text, ": ")
	at, in, ok := place.CutPlace(strings.TrimPrefix(text, "File "))
	arrow, code, points := strings.Cut(text, "> ")
	switch {
	case above == "" || b.err.set:
		return b.inCell != "" && b.err.set
	case ok && strings.HasPrefix(in, "in "):
		at.Function, _, _ = strings.Cut(in[3:], "(")
		b.framed(at)
	case points && strings.Trim(arrow, "-") == "":
		b.err.source, b.reads = lex.CutText(strings.TrimLeft(code, "0123456789 "), lex.MaxSource), false
	case strings.HasSuffix(above, " == test_output failed:"):
		b.err.begin("assert " + text)
	case numbered && said != "" && trace.IsThrown(line):
		b.err.begin(line)
	}
	return true
}

// nextInChain takes the line between two exceptions of a chain: the last exception becomes the finding, those before it
// are its causes.
func (b *block) nextInChain(line string) bool {
	link, ok := read.CutLink(line)
	if !ok {
		return false
	}
	if b.err.set && len(b.chain) < result.MaxFrames {
		b.err.link = link
		b.chain = append(b.chain, b.err)
	}
	b.err = newException()
	b.pending, b.function, b.native, b.inGroup = "", "", false, false
	return true
}

// marked takes the text after the mark "E" of a message's line.
func (b *block) marked(text string, room *int) {
	e, trimmed := &b.err, strings.TrimLeft(text, " ")
	b.marks = true
	indent := len(text) - len(trimmed)
	if !e.set {
		e.indent, e.rest = indent, lex.Bounded{Max: lex.MaxRest}
		e.begin(trimmed)
		e.syntax(trimmed, b.files)
	} else if !e.syntax(trimmed, b.files) {
		e.rest.Add(text[min(e.indent, indent):], room)
	}
}

// place takes a line with the place of a frame: "path:3: in name" above its code, "path:3: Class" below
// it, or a line of a native traceback.
func (b *block) place(line string, blank, marks bool) bool {
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
	follows := blank || marks || b.pending != ""                            // a search may have left out the blank line between
	ofPlugin := rest == "" && b.plain == "" && strings.HasSuffix(line, " ") // pytest-mypy-plugins
	if !follows && !ofPlugin || strings.Contains(rest, " ") {
		return false
	}
	e := &b.err
	at.Function, b.function = b.function, ""
	e.frame(at)
	if e.shows(b.files.External(at.Path)) {
		e.source = cmp.Or(b.pending, e.source)
	}
	b.pending, e.class = "", cmp.Or(rest, e.class)
	return true
}

// framed adds a frame whose code comes below its place. A finding shows the code of the deepest
// frame in the workspace.
func (b *block) framed(at result.Location) {
	b.err.frame(at)
	b.reads = b.err.shows(b.files.External(at.Path))
}

// code takes a line of source.
func (b *block) code(line string) bool {
	if !strings.HasPrefix(line, "    ") || b.err.values.Open() {
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
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "async "), "def ")
	name, _, has := strings.Cut(rest, "(")
	return name, ok && has
}

// other takes a line outside of tracebacks: pytest.fail(pytrace=False), a test that is not Python and a module that
// cannot be collected have a text of their own. Its first line becomes the message, the others the detail.
func (b *block) other(line string, room *int) {
	if strings.HasPrefix(line, "contains ") && strings.Contains(line, " failed subtest") {
		b.parent = true
	} else if strings.HasPrefix(line, "worker '") {
		if _, id, ok := strings.Cut(line, "' crashed while running '"); ok {
			b.worker = strings.TrimSuffix(id, "'")
		}
	}
	switch e := &b.err; {
	case b.plain == "":
		b.plain = lex.CutText(line, result.MaxValue)
		b.doctest = isDoctestSource(line)
	case b.when == "collect" && strings.HasSuffix(b.plain, ":") && len(b.plain) < result.MaxValue:
		b.plain = lex.CutText(b.plain+" "+strings.TrimSpace(line), result.MaxValue)
	case b.when == "collect" && !e.set, // or no line of a traceback came so far
		!e.set && !b.doctest && !b.native && b.worker == "" && b.function == "" && b.pending == "" && len(e.frames)+len(b.chain) == 0:
		e.rest.Add(line, room)
	}
}

// softCheck reads the output of pytest-check: "FAILURE: check 1 == 2" for every failed check, with
// "path:3 in test() -> check.equal(1, 2)" below the first.
func (b *block) softCheck(line string, room *int) bool {
	if message, ok := strings.CutPrefix(line, "FAILURE: "); ok && !b.err.set {
		if b.checks {
			b.plain = lex.CutText(b.plain+"; "+message, result.MaxValue)
			b.err.rest.Add(line, room)
		} else {
			b.plain, b.checks, b.err.rest = lex.CutText(message, result.MaxValue), true, lex.Bounded{Max: lex.MaxRest}
		}
		return true
	}
	head, code, ok := strings.Cut(strings.TrimLeft(line, " "), "() -> ")
	spot, name, found := strings.Cut(head, " in ")
	at, _, placed := place.CutPlace(spot)
	if !b.checks || !ok || !found || !placed {
		return false
	}
	at.Function = name
	b.err.frame(at)
	b.err.source = lex.CutText(code, lex.MaxSource)
	return true
}

// cutOff drops the first line of a block without an end if that line is an argument's value ("x = 1"), which is
// printed above the code.
func (b *block) cutOff() {
	if name, _, ok := strings.Cut(b.plain, " = "); ok && !b.err.set && lex.IsIdentifier(name) {
		b.plain = ""
	}
}

// A doctest's report is the numbered source of the docstring, the expected and the actual output, and "path:line:
// DocTestFailure". Several failures of one docstring follow each other (--doctest-continue-on-failure): the first is
// the finding, the others are its notes.

// isDoctestSource says whether a line is source, "062     >>> double(2)", or the text that replaces it.
func isDoctestSource(line string) bool {
	number, _, _ := strings.Cut(line, " ")
	return len(number) >= 3 && lex.IsDigits(number) || strings.HasPrefix(line, "EXAMPLE LOCATION UNKNOWN, not showing all tests of that example")
}

// doctestEnd takes the place that closes a failure; another failure may follow.
func (b *block) doctestEnd(line string) bool {
	at, class, ok := place.CutPlace(line)
	if !ok || !isDoctestClass(class) {
		return false
	}
	b.err.frame(at)
	b.err.class = class
	lex.Keep(&b.doctests, result.MaxFrames, b.err)
	b.err, b.native = newException(), false
	return true
}

// isDoctestClass accepts class names such as DocTestFailure and UnexpectedException, without a message.
func isDoctestClass(s string) bool { return lex.IsIdentifier(s) && s[0] >= 'A' && s[0] <= 'Z' }
