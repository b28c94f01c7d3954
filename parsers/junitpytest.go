package parsers

import (
	"cmp"
	"strings"
)

// pytestFindings reads a case of pytest's --junitxml. The text of a failure is
// the traceback that the terminal shows, so that the terminal's reader takes it
// (pytestBlock). Each failure is a finding of its own, as each is a block there:
// subtests put several into one case.
//
// The case names its module with dots. Which part of the name is the path shows
// in the frames of the traceback; without one in the workspace, in how pytest
// finds its files: test_*.py and *_test.py.
func (r *junitReader) pytestFindings(end int64) {
	t := &r.test
	name, class, file := meant(t.name), meant(t.class), meant(t.file)
	name, class = shownText(name), shownText(class)
	for i := range t.outcomes {
		o := &t.outcomes[i]
		if o.what == "skipped" {
			continue
		}
		if len(r.run.rep.Findings) >= MaxFindings {
			r.run.rep.Dropped++
			continue
		}
		b := r.pytestBlock(o)
		e := pytestEntry{error: o.isError(), block: b, start: t.start}
		e.id = r.fromDir(pytestNodeID(class, name, file, r.workspaceFiles(b)))
		if message := textLines(o.message); len(message) > 0 {
			e.message = message[0]
		}
		b.start, b.end = t.start, end
		if b.parent { // its subtests are findings of their own
			r.run.parents++
			continue
		}
		run := pytestRun{}
		f := run.finding(&e)
		if f.At != nil && f.At.Line == 0 && t.line > 0 && (file == "" || f.At.Path == file) {
			f.At.Line = t.line + 1 // of the function, where no traceback tells: with the first at 0
		}
		f.Source = string(byPytest)
		r.run.rep.Add(f)
	}
}

// pytestBlock reads the text of a failure.
func (r *junitReader) pytestBlock(o *junitOutcome) *pytestBlock {
	section := sectionFailures
	if o.isError() {
		section = sectionErrors
	}
	b := newPytestBlock("", section, 0, r.run.places)
	if o.message == "collection failure" {
		b.when = "collect"
	}
	body := o.text.lines()
	for i, line := range body {
		if i == 0 && line[0] != ' ' && isPythonHead(line) {
			line = "    " + line // the document begins where the indent ends
		}
		if i == 0 && strings.HasPrefix(line, "+ Exception Group Traceback") {
			line = "  " + line
		}
		b.body(line, &r.run.room)
	}
	if !b.err.set && !b.values.told() && b.plain == "" || b.err.message == "" && len(b.err.frames) == 0 && b.plain == "" {
		for _, line := range pytestReason(o.message) {
			b.marked(" "+line, &r.run.room)
		}
	}
	for _, line := range r.test.output.lines() {
		b.output.add(line, &r.run.room)
	}
	b.finish()
	return b
}

// isPythonHead: the first line of the source of a function.
func isPythonHead(line string) bool {
	return strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "async def ") || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "class ")
}

// pytestReason is the message of a failure that has no text.
func pytestReason(message string) []string {
	for _, when := range [...]string{"setup", "teardown"} {
		if inner, ok := strings.CutPrefix(message, "failed on "+when+` with "`); ok {
			message = strings.TrimSuffix(inner, `"`)
		}
	}
	return textLines(message)
}

// workspaceFiles are the files of the block's frames, the outermost first.
func (r *junitReader) workspaceFiles(b *pytestBlock) (files []string) {
	for _, frames := range append(b.chainFrames(), b.err.frames) {
		for _, at := range frames {
			if !r.run.places.external(at.Path) && strings.HasSuffix(at.Path, ".py") {
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
	if file == "" || isAbsPath(file) {
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
func (r *junitReader) fromDir(id string) string {
	w := r.run.in.Workspace
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

// pytestFailed counts a case: a failure and an error of one test are two, as in
// pytest's own counts.
func (r *junitReader) pytestFailed() {
	c := r.run.rep.Counts
	for i := range r.test.outcomes {
		switch o := &r.test.outcomes[i]; {
		case o.what == "skipped":
		case o.isError():
			c["error"]++
		default:
			c["failed"]++
		}
	}
}
