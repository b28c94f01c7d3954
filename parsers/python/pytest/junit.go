package pytest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// junit reads the cases of pytest's --junitxml. The text of a failure is the traceback that the terminal shows, so the
// terminal's reader takes it (block). Each failure is a finding, as each is a block on the terminal: subtests put
// several into one case.
//
// A case names its module with dots. Which part of the name is the path follows from the frames of the traceback or, if
// none is in the workspace, from pytest's names for test files: test_*.py and *_test.py.
type junit struct {
	in      *tool.Input
	rep     *tool.Report
	files   *place.Files
	room    int // bytes of detail that may still be kept
	parents int // failures of tests that only report failed subtests
}

// dialect describes pytest's JUnit XML. CountsMore: pytest counts passed subtests, which have no case.
var dialect = &tool.Dialect{
	Suites: []string{"pytest", "pytest tests"}, Expected: "pytest.xfail", CountsMore: true, Teardown: true,
	Cases: func(in *tool.Input, rep *tool.Report) tool.CaseReader {
		return &junit{in: in, rep: rep, files: place.NewFiles(in.Workspace), room: lex.DetailBudget}
	},
}

func (r *junit) EndSuite([]string) {}

func (r *junit) OverCounts() bool { return false }

func (r *junit) Finish() int { return -r.parents }

// Case takes a test. A failure and an error of one test are two findings, as in pytest's own counts.
func (r *junit) Case(c *tool.Case) {
	bad := false
	for i := range c.Outcomes {
		o := &c.Outcomes[i]
		key, severity := "failed", result.SevFailure
		if o.IsError() {
			key, severity = "error", result.SevError
		}
		if o.What == "skipped" {
			continue
		}
		bad = true
		if r.rep.Counts[key]++; !r.rep.Full(severity) {
			r.failed(c, o)
		}
	}
	came := tool.Passed
	switch {
	case bad:
		return // see failed
	case c.Expected:
		came = tool.XFailed
	case c.Skipped:
		came = tool.Skipped
	}
	r.rep.Counts[string(came)]++
	t := tool.Test{ID: r.fromDir(nodeID(read.ShownText(c.Class), read.ShownText(c.Name), c.File, nil)), Outcome: came, DurationMS: c.Took}
	if c.File != "" && c.Line > 0 {
		t.At = c.File + ":" + strconv.Itoa(c.Line+1)
	}
	r.rep.Ran(t)
}

// failed adds the finding for a failure.
func (r *junit) failed(c *tool.Case, o *tool.Outcome) {
	b, files := r.block(o, c.Printed)
	b.start, b.end = c.Span.Start, c.Span.End
	if b.parent { // its subtests are findings of their own
		r.parents++
		return
	}
	e := entry{error: o.IsError(), block: b, start: c.Span.Start}
	e.id = r.fromDir(nodeID(read.ShownText(c.Class), read.ShownText(c.Name), c.File, files))
	if message := read.TextLines(o.Message); len(message) > 0 {
		e.message = message[0]
	}
	t := tool.Test{ID: e.id, Outcome: tool.Failed, DurationMS: c.Took}
	if e.error {
		t.Outcome = tool.Errored
	}
	broke := c.Class == "pytest" && c.Name == "internal" && o.Message == "internal error" // an internal error of pytest, no test
	if broke {
		e.id = ""
	} else if e.error || !r.rep.Knows(e.id) {
		r.rep.Ran(t)
	} else { // the next failed subtest
		r.rep.Part(e.id, e.id+" "+strconv.FormatInt(int64(len(c.Outcomes)), 10)+e.message, t.Outcome)
	}
	f := new(run).finding(&e)
	if f.At != nil && f.At.Line == 0 && c.Line > 0 && (c.File == "" || f.At.Path == c.File) {
		f.At.Line = c.Line + 1 // the function's line, counted from 0, if no traceback has a place
	}
	if f.Source = "pytest"; broke {
		f.Kind = result.GenericFinding
	}
	r.rep.Add(f)
}

// block reads the text of a failure, or else its message. files are the workspace's files in its frames.
func (r *junit) block(o *tool.Outcome, printed []string) (b *block, files []string) {
	kind := inFailures
	if o.IsError() {
		kind = inErrors
	}
	b = newBlock("", kind, 0, r.files)
	if o.Message == "collection failure" {
		b.when = "collect"
	}
	for i, line := range o.Text { // the text begins where the indentation of its first line ends
		if i == 0 && lex.HasAnyPrefix(line, "def ", "async def ", "@", "class ") {
			line = "    " + line
		} else if i == 0 && strings.HasPrefix(line, "+ Exception Group Traceback") {
			line = "  " + line
		}
		b.body(line, &r.room)
	}
	e := &b.err
	untold := !e.set && !e.values.Told() && len(b.doctests) == 0
	if b.plain == "" && (untold || e.message == "" && len(e.frames) == 0) {
		message := o.Message
		if inner, ok := lex.CutAnyPrefix(message, `failed on setup with "`, `failed on teardown with "`); ok {
			message = strings.TrimSuffix(inner, `"`)
		}
		for _, line := range read.TextLines(message) {
			b.marked(" "+line, &r.room)
		}
	}
	for _, line := range printed {
		b.output.Add(line, &r.room)
	}
	if len(b.doctests) > 0 {
		b.err = b.doctests[0]
	}
	for _, at := range b.allFrames() {
		if !r.files.External(at.Path) && strings.HasSuffix(at.Path, ".py") {
			files = append(files, at.Path)
		}
	}
	b.finish(nil)
	return b, files
}

// nodeID makes "tests/a.py::TestA::test_b[1]" of "tests.a.TestA" and "test_b[1]". files are paths that may be
// the module's.
func nodeID(class, name, file string, files []string) string {
	module, method := class, "::"+name
	if class == "" { // the case is a file that could not be collected
		module, method = name, ""
	}
	path, classes := modulePath(module)
	path = cmp.Or(file, path)
	for _, f := range append([]string{file}, files...) {
		if rest, ok := classesIn(module, f); ok {
			path, classes = f, rest
			break
		}
	}
	if classes != "" {
		path += "::" + strings.ReplaceAll(classes, ".", "::")
	}
	return path + method
}

// classesIn returns the classes that follow a file's module in a dotted name, which may begin with directories above
// pytest's working directory.
func classesIn(dotted, file string) (classes string, ok bool) {
	if file == "" || result.IsAbsolute(file) {
		return "", false
	}
	module := strings.TrimSuffix(file, ".py")
	for strings.HasPrefix(module, "../") {
		module = module[3:]
	}
	module = "." + strings.NewReplacer(`\`, ".", "/", ".").Replace(module) + "."
	before, rest, ok := strings.Cut("."+dotted+".", module)
	return strings.TrimSuffix(rest, "."), ok && !strings.Contains(before, "[")
}

// fromDir makes a node id relative to pytest's working directory, as in the text format, if no frame showed the file:
// classes are named from the workspace's top.
func (r *junit) fromDir(id string) string {
	w := r.in.Workspace
	dir, below := strings.CutPrefix(w.Dir, strings.TrimSuffix(w.Root, "/")+"/")
	if !below || w.Root == "" {
		return id
	}
	return strings.TrimPrefix(id, dir+"/")
}

// modulePath splits a dotted name by the naming conventions of files and classes.
func modulePath(dotted string) (path, classes string) {
	for _, ext := range [...]string{".rst", ".txt", ".md"} {
		if stem, ok := strings.CutSuffix(dotted, ext); ok {
			return strings.ReplaceAll(stem, ".", "/") + ext, ""
		}
	}
	parts := strings.Split(dotted, ".")
	for i := len(parts) - 1; i > 0; i-- { // no module's name begins with a digit: "lib.python3.11.pkg"
		if p := parts[i]; p != "" && p[0] >= '0' && p[0] <= '9' {
			parts[i-1] += "." + p
			parts = slices.Delete(parts, i, i+1)
		}
	}
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
