package pytest

import (
	"cmp"
	"strings"

	"cairn/result"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// junitPytest reads the cases of pytest's --junitxml. The text of a failure is
// the traceback that the terminal shows, so that the terminal's reader takes it
// (pytestBlock). Each failure is a finding of its own, as each is a block there:
// subtests put several into one case.
//
// The case names its module with dots. Which part of the name is the path shows
// in the frames of the traceback; without one in the workspace, in how pytest
// finds its files: test_*.py and *_test.py.
type junitPytest struct {
	in      *tool.Input
	rep     *tool.Report
	files   *place.Files
	room    int // bytes of detail that may still be kept
	parents int // failures of tests that only say that their subtests failed
}

// pytestDialect: pytest counts passing subtests, which have no case.
var pytestDialect = &tool.Dialect{
	Suites: []string{"pytest", "pytest tests"}, Expected: "pytest.xfail", CountsMore: true,
	Cases: func(in *tool.Input, rep *tool.Report) tool.CaseReader {
		return &junitPytest{in: in, rep: rep, files: place.NewFiles(in.Workspace), room: lex.DetailBudget}
	},
}

func (r *junitPytest) EndSuite([]string) {}

func (r *junitPytest) OverCounts() bool { return false }

func (r *junitPytest) Finish() int { return -r.parents }

func severityOf(o *tool.Outcome) result.Severity {
	if o.IsError() {
		return result.SevError
	}
	return result.SevFailure
}

// Case takes a test.
func (r *junitPytest) Case(c *tool.Case) {
	r.count(c)
	name, class := read.ShownText(c.Name), read.ShownText(c.Class)
	for i := range c.Outcomes {
		o := &c.Outcomes[i]
		if o.What == "skipped" {
			continue
		}
		if r.rep.Full(severityOf(o)) {
			continue
		}
		b := r.block(o, c.Printed)
		e := pytestEntry{error: o.IsError(), block: b, start: c.Span.Start}
		e.id = r.fromDir(pytestNodeID(class, name, c.File, r.workspaceFiles(b)))
		if message := read.TextLines(o.Message); len(message) > 0 {
			e.message = message[0]
		}
		b.start, b.end = c.Span.Start, c.Span.End
		if b.parent { // its subtests are findings of their own
			r.parents++
			continue
		}
		run := pytestRun{}
		f := run.finding(&e)
		if f.At != nil && f.At.Line == 0 && c.Line > 0 && (c.File == "" || f.At.Path == c.File) {
			f.At.Line = c.Line + 1 // of the function, where no traceback tells: with the first at 0
		}
		f.Source = "pytest"
		r.rep.Add(f)
	}
}

// count counts a case: a failure and an error of one test are two, as in
// pytest's own counts.
func (r *junitPytest) count(c *tool.Case) {
	n := r.rep.Counts
	bad := false
	for i := range c.Outcomes {
		switch o := &c.Outcomes[i]; {
		case o.What == "skipped":
		case o.IsError():
			n["error"]++
			bad = true
		default:
			n["failed"]++
			bad = true
		}
	}
	switch {
	case bad:
	case c.Expected:
		n["xfailed"]++
	case c.Skipped:
		n["skipped"]++
	default:
		n["passed"]++
	}
}

// block reads the text of a failure.
func (r *junitPytest) block(o *tool.Outcome, printed []string) *pytestBlock {
	section := sectionFailures
	if o.IsError() {
		section = sectionErrors
	}
	b := newPytestBlock("", section, 0, r.files)
	if o.Message == "collection failure" {
		b.when = "collect"
	}
	for i, line := range o.Text {
		if i == 0 && line[0] != ' ' && isPythonHead(line) {
			line = "    " + line // the document begins where the indent ends
		}
		if i == 0 && strings.HasPrefix(line, "+ Exception Group Traceback") {
			line = "  " + line
		}
		b.body(line, &r.room)
	}
	if !b.err.set && !b.values.told() && b.plain == "" || b.err.message == "" && len(b.err.frames) == 0 && b.plain == "" {
		for _, line := range pytestReason(o.Message) {
			b.errorLine(" "+line, &r.room)
		}
	}
	for _, line := range printed {
		b.output.Add(line, &r.room)
	}
	b.finish()
	return b
}

// isPythonHead: the first line of the source of a function.
func isPythonHead(line string) bool {
	return lex.HasAnyPrefix(line, "def ", "async def ", "@", "class ")
}

// pytestReason is the message of a failure that has no text.
func pytestReason(message string) []string {
	for _, when := range [...]string{"setup", "teardown"} {
		if inner, ok := strings.CutPrefix(message, "failed on "+when+` with "`); ok {
			message = strings.TrimSuffix(inner, `"`)
		}
	}
	return read.TextLines(message)
}

// workspaceFiles are the files of the block's frames, the outermost first.
func (r *junitPytest) workspaceFiles(b *pytestBlock) (files []string) {
	for _, frames := range append(b.chainFrames(), b.err.frames) {
		for _, at := range frames {
			if !r.files.External(at.Path) && strings.HasSuffix(at.Path, ".py") {
				files = append(files, at.Path)
			}
		}
	}
	return files
}

// pytestNodeID makes "tests/a.py::TestA::test_b[1]" of "tests.a.TestA" and
// "test_b[1]". files are paths that may be the module's.
func pytestNodeID(class, name, file string, files []string) string {
	module, method := class, "::"+name
	if class == "" { // a file that could not be collected
		module, method = name, ""
	}
	for _, f := range append([]string{file}, files...) {
		if rest, ok := classesIn(module, f); ok {
			return f + colons(rest) + method
		}
	}
	path, rest := modulePath(module)
	return cmp.Or(file, path) + colons(rest) + method
}

// classesIn gives the classes that follow the module of a file in a dotted
// name, which may begin with directories above the one that pytest ran in.
func classesIn(dotted, file string) (classes string, ok bool) {
	if file == "" || result.IsAbsolute(file) {
		return "", false
	}
	module := strings.TrimSuffix(file, ".py")
	for strings.HasPrefix(module, "../") {
		module = module[3:]
	}
	module = "." + strings.ReplaceAll(strings.ReplaceAll(module, `\`, "/"), "/", ".") + "."
	before, rest, ok := strings.Cut("."+dotted+".", module)
	if !ok || strings.Contains(before, "[") {
		return "", false
	}
	return strings.TrimSuffix(rest, "."), true
}

// fromDir makes a node id count from the directory that pytest ran in, as its
// text does, where no frame told: classes are named from the top.
func (r *junitPytest) fromDir(id string) string {
	w := r.in.Workspace
	dir, below := strings.CutPrefix(w.Dir, strings.TrimSuffix(w.Root, "/")+"/")
	if !below || w.Root == "" {
		return id
	}
	return strings.TrimPrefix(id, dir+"/")
}

func colons(classes string) string {
	if classes == "" {
		return ""
	}
	return "::" + strings.ReplaceAll(classes, ".", "::")
}

// modulePath divides a dotted name by how files and classes are named.
func modulePath(dotted string) (path, classes string) {
	for _, ext := range [...]string{".rst", ".txt", ".md"} {
		if stem, ok := strings.CutSuffix(dotted, ext); ok {
			return strings.ReplaceAll(stem, ".", "/") + ext, ""
		}
	}
	parts := strings.Split(dotted, ".")
	n := len(parts)
	for i, p := range parts {
		if strings.HasPrefix(p, "test_") || strings.HasSuffix(p, "_test") {
			n = i + 1
			break
		}
		if i > 0 && p != "" && p[0] >= 'A' && p[0] <= 'Z' {
			n = i
			break
		}
	}
	return strings.Join(parts[:n], "/") + ".py", strings.Join(parts[n:], ".")
}
