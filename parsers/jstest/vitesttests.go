package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// vitestTests reads the lines in which vitest names tests as they end, on stdout. With --reporter=verbose a line has
// the whole name:
//
//	✓ |web| shop/cart.test.js > cart > adds 3ms
//
// Other reporters list a file's tests below its line, but may leave out the tests of a file that passed. Up to vitest
// 3 a test has its whole name. Later it has its last title, indented, below the titles of its suites (tree) or
// without them (default), so that only tests outside of suites have a name.
//
//	❯ shop/cart.test.js (3 tests | 1 failed) 36ms
//	  ✓ cart > adds 3ms
//	  ❯ prices (2)
//	    × rounds 1ms
//	      → expected 1 to be 2
type vitestTests struct {
	begun   bool                // the line with the version was read
	root    string              // the directory in that line
	under   string              // root relative to the working directory, "web/"
	old     bool                // before vitest 3: only slow tests have a duration, and in vitest 2 those that failed
	timed   bool                // the last test failed and is in the list of a file
	printed bool                // output of a test follows, up to an empty line
	file    string              // the file whose tests are listed, as their ids begin
	left    int                 // number of the file's tests, by its line, that were not listed so far
	suites  []string            // titles of suites, by depth
	test    tool.Test           // the last test
	title   string              // title of the last test; it may continue in the next line
	open    bool                // the last test was not recorded yet
	indent  int                 // indent of the last test's line
	count   int                 // " (2)" behind a title; the next line shows whether the title is a suite's
	failed  map[string][]string // ids of tests that failed, by their first line
	heads   [][2]string         // in the list of failures: the id of a test, and that of its finding
}

// line takes a line of stdout, and reports whether it is one of these.
func (t *vitestTests) line(s *read.Sink, l tool.Line) bool {
	switch text := strings.TrimLeft(l.Text, " "); {
	case text == "":
		t.end(s)
		t.printed = false
		return false
	case t.printed:
		return false
	case text[0] == 'R' && strings.HasPrefix(text, "RUN  v"):
		version, root, _ := strings.Cut(text[len("RUN  v"):], " ")
		major, _, _ := strings.Cut(version, ".")
		t.begun, t.old = true, lex.IsDigits(major) && lex.Atoi(major) < 3
		t.root, t.under = strings.Clone(root), underDir(s.In.Workspace, root)
		return true
	case lex.HasAnyPrefix(strings.TrimLeft(l.Text, vitestDots), "stdout | ", "stderr | "):
		t.end(s)
		t.printed = true
		return false
	case !t.begun:
		return false
	default:
		return t.row(s, l.Text, text)
	}
}

// move changes the id and the places of a failure, which are relative to the root of the run, so that they hold in
// the working directory. Places become absolute, which keeps them out of later changes of relative paths.
func (t *vitestTests) move(f *result.Finding) {
	if t.under == "" {
		return
	}
	if f.ID != "" {
		f.ID = t.under + f.ID
	}
	for at := range f.Places() {
		if !result.IsAbsolute(at.Path) {
			at.Path = t.root + "/" + at.Path
		}
	}
}

// row takes a line that begins with a mark, or continues a title.
func (t *vitestTests) row(s *read.Sink, line, text string) bool {
	mark, title, ok := strings.Cut(text, " ")
	outcome := vitestMarks[mark]
	indent := len(line) - len(text)
	if !ok || outcome == "" && mark != "❯" && mark != "→" || indent == 0 {
		if !t.open || indent > 0 {
			return false
		}
		t.title += "\n" + line
		if t.test.DurationMS > 0 || t.cut() {
			t.end(s)
		}
		return true
	}
	if t.open && t.count > 0 && indent > t.indent { // the line above is a suite's
		t.enter()
	}
	t.end(s)
	t.timed = outcome == tool.Failed && indent >= 3
	switch project, rest := cutVitestProject(title); {
	case mark == "→":
		t.test = tool.Test{}
	case indent < 3 && isVitestFile(rest):
		path, counts, _ := strings.Cut(rest, " (")
		t.unlisted(s)
		t.left = lex.LeadingNumber(counts)
		t.file, t.suites = vitestFileID(s, project, t.under+strings.TrimRight(path, " ")), t.suites[:0]
	case indent < 3:
		path, name, _ := strings.Cut(rest, vitestJoint)
		if name != "" && outcome != "" {
			t.begin(s, outcome, vitestFileID(s, project, t.under+path), name, indent)
		}
	case t.file == "":
	case mark == "❯":
		t.pointed(s, title, indent)
	default:
		t.listed(s, outcome, title, indent)
	}
	return true
}

// vitestDots are the characters that --reporter=dot prints for tests. Another line may follow them without a break.
const vitestDots = "·x-*"

// vitestMarks maps a mark to the outcome of a test.
var vitestMarks = map[string]read.Outcome{
	"✓": tool.Passed, "√": tool.Passed, "×": tool.Failed, "✗": tool.Failed, "↓": tool.Skipped, "□": tool.Todo,
}

// cutVitestProject splits the project from the beginning of a line: "|web| a.test.js", or " web  a.test.js", where
// blanks remain of colours.
func cutVitestProject(text string) (project, rest string) {
	if len(text) == 0 || text[0] != '|' && text[0] != ' ' {
		return "", text
	}
	end := text[:1] + " "
	if project, rest, ok := strings.Cut(text[1:], end); ok && project != "" && project[0] != ' ' {
		return project, strings.TrimLeft(rest, " ")
	}
	return "", text
}

// isVitestFile reports whether a line is a file's: "a.test.js (2 tests | 1 failed) 3ms".
func isVitestFile(text string) bool {
	_, counts, ok := strings.Cut(text, " (")
	number, word, _ := strings.Cut(counts, " ")
	return ok && lex.IsDigits(number) && strings.HasPrefix(word, "test") && !strings.Contains(text, vitestJoint)
}

func vitestFileID(s *read.Sink, project, path string) string {
	path = testFileID(s, "", path)
	if project != "" {
		return "[" + project + "]" + vitestJoint + path
	}
	return path
}

// pointed takes a line with the mark of a suite. Before vitest 2, a failed test has the mark, too, followed by its
// path.
func (t *vitestTests) pointed(s *read.Sink, title string, indent int) {
	if name, ok := strings.CutPrefix(title, strings.TrimPrefix(t.file, t.under)+vitestJoint); ok {
		t.begin(s, tool.Failed, t.file, name, indent)
		t.end(s)
		return
	}
	t.indent, t.title, t.open, t.count = indent, strings.Clone(title), true, 1
	t.test = tool.Test{}
}

// listed takes a test, or a suite all of whose tests passed or were skipped, in the list of a file.
func (t *vitestTests) listed(s *read.Sink, outcome read.Outcome, title string, indent int) {
	depth := (indent - len("   ")) / 2
	id := t.file
	switch {
	case depth > len(t.suites):
		s.Unread("the reporter leaves out the suites of tests")
		id = ""
	case depth > 0:
		id += vitestJoint + strings.Join(t.suites[:depth], vitestJoint)
	}
	t.begin(s, outcome, id, title, indent)
}

// begin takes a test. in is the id of its file and suites; a test without it has no name, and is not recorded.
func (t *vitestTests) begin(s *read.Sink, outcome read.Outcome, in, title string, indent int) {
	t.test = tool.Test{ID: in, Outcome: outcome}
	t.title, t.indent, t.open, t.count = strings.Clone(title), indent, true, 0
	if in == "" {
		t.open = false
		return
	}
	if t.cut() {
		t.end(s)
	} else if outcome == tool.Skipped && indent >= len("   ") && strings.HasSuffix(title, "]") {
		s.Unread("the name of a skipped test may end with the reason") // up to vitest 3, without a duration
		t.open = false
	} else if i := strings.LastIndex(title, " ("); i > 0 && strings.HasSuffix(title, ")") {
		t.count = lex.Atoi(title[i+2 : len(title)-1])
	}
}

// cut splits the end of the line, "3ms", "3ms (retry x1)" or "3ms [because]", from the title. It reports whether
// there was a duration, which always ends a title.
func (t *vitestTests) cut() bool {
	title, note := t.title, ""
	if last := title[max(len(title)-1, 0):]; last == ")" || last == "]" {
		for _, open := range [...]string{"ms (re", "ms ["} {
			if i := strings.LastIndex(title, open); i > 0 {
				title, note = title[:i+2], title[i+3:]
			}
		}
	}
	i := strings.LastIndexByte(title, ' ')
	digits, ok := strings.CutSuffix(title[i+1:], "ms")
	ms := lex.Atoi(digits)
	if i < 0 || !ok || !lex.IsDigits(digits) || t.old && ms < 300 && !t.timed {
		return false
	}
	t.title = title[:i]
	if ms > 300 && t.indent >= 3 { // the duration of a slow test follows two blanks
		t.title = strings.TrimSuffix(t.title, " ")
	}
	if t.test.DurationMS = int64(ms); t.test.Outcome == tool.Passed && strings.HasPrefix(note, "(retry x") {
		t.test.Outcome = tool.Flaky
	}
	return true
}

// enter makes the title of the last line a suite.
func (t *vitestTests) enter() {
	depth := (t.indent - len("   ")) / 2
	title, _, _ := lex.CutLast(t.title, " (")
	for len(t.suites) < depth {
		t.suites = append(t.suites, "")
	}
	t.suites = append(t.suites[:depth], title)
	t.open = false
}

// end records the test of the last line.
func (t *vitestTests) end(s *read.Sink) {
	open := t.open && t.test.Outcome != ""
	if t.open = false; !open {
		return
	}
	t.test.ID += vitestJoint + t.title
	t.left--
	s.Ran(t.test)
	if t.test.Outcome.Bad() {
		first := firstLine(t.test.ID)
		lex.Put(&t.failed, first, append(t.failed[first], t.test.ID))
	}
}

// unlisted notes that the list of a file, such as one that passed, does not have all of its tests.
func (t *vitestTests) unlisted(s *read.Sink) {
	if t.left > 0 {
		s.Unread("the reporter leaves out tests that passed")
	}
	t.left = 0
}

// settle records the tests that only the list of failures names, and returns the ids of all tests in it.
func (t *vitestTests) settle(s *read.Sink) (listed map[string]bool) {
	t.end(s)
	t.unlisted(s)
	listed = map[string]bool{}
	for _, head := range t.heads {
		id := head[0]
		if known := t.failed[firstLine(id)]; len(known) > 0 {
			id, t.failed[firstLine(id)] = known[0], known[1:]
		} else {
			s.Ran(tool.Test{ID: id, Outcome: tool.Failed})
		}
		s.Tests.Also(id, head[1])
		listed[id] = true
	}
	return listed
}
