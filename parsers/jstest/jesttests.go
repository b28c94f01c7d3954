package jstest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// titleJoint joins the file, the titles of suites and the title of a test in an id.
const titleJoint = " › "

// jestTests reads the verdicts of single tests. With --verbose, and if there is only one file, its tests are listed
// below its heading, a suite's own tests before its inner suites:
//
//	FAIL shop/cart.test.js (6.2 s)
//	  cart
//	    ✕ adds (3 ms)
//	    prices
//	      ○ skipped later
//
// Otherwise jest names only the failed tests, each in a block.
type jestTests struct {
	file    string            // with its project: the beginning of ids
	stream  tool.Stream       // stream of the file's heading
	open    bool              // the list may begin or go on
	listed  bool              // the file has a list
	suites  []string          // around the next test
	headed  bool              // the line above is the title of a suite
	titled  []string          // the title so far, if it may continue on the next line; otherwise nil
	test    tool.Test         // the test with that title
	bad     map[string]string // ids in the list, by the title in the heading of a failure
	summary bool              // the failures of all files are being repeated
}

// begin takes the head of a file.
func (t *jestTests) begin(s *read.Sink, l tool.Line, project, path string) {
	t.end(s)
	*t = jestTests{stream: l.Stream, open: true, summary: t.summary, file: testFileID(s, project, path)}
}

// testFileID is the beginning of the ids of a file's tests: "[project] › path".
func testFileID(s *read.Sink, project, path string) string {
	if name, _ := s.In.Workspace.Path(path); name != "" {
		path = name
	}
	if project != "" {
		path = "[" + project + "]" + titleJoint + path
	}
	return strings.Clone(path)
}

// line takes a line of the list.
func (t *jestTests) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	if indent < 2 {
		return t.goesOn(s, l.Text)
	}
	t.end(s)
	outcome, title, is := jestVerdict(text)
	if t.headed = !is; t.headed {
		t.around(indent/2-1, false)
		t.suites = append(t.suites, strings.Clone(text))
		return true
	}
	t.around(indent/2-1, true)
	t.test, t.listed = tool.Test{Outcome: outcome}, true
	t.titled = append(t.titled, "")
	t.title(s, title)
	return true
}

// goesOn takes a further line of a title that spans several. Any other line ends the list.
func (t *jestTests) goesOn(s *read.Sink, text string) bool {
	switch {
	case text == "":
	case len(t.titled) > 0:
		t.titled = append(t.titled, "")
		t.title(s, text)
		return true
	case t.headed:
		t.suites[len(t.suites)-1] += "\n" + text
		return true
	}
	t.end(s)
	t.open = false
	return false
}

// title takes a line of a test's title, which ends with the duration.
func (t *jestTests) title(s *read.Sink, text string) {
	text, t.test.DurationMS = cutTook(text)
	t.titled[len(t.titled)-1] = strings.Clone(text)
	if t.test.DurationMS > 0 {
		t.end(s)
	}
}

// around sets the suites that contain a test or a suite, by its indent. A suite without a title has no line: its
// tests are indented deeper than the last title, or follow the tests of an inner suite.
func (t *jestTests) around(n int, ofTest bool) {
	if behind := len(t.suites) > n; behind {
		if t.suites = t.suites[:n]; ofTest && n > 0 {
			t.suites[n-1] = ""
		}
	}
	for len(t.suites) < n {
		t.suites = append(t.suites, "")
	}
}

// jestVerdict reads "✓ adds (3 ms)", "○ skipped later", "✎ todo rounds".
func jestVerdict(text string) (outcome read.Outcome, title string, ok bool) {
	mark, title, _ := strings.Cut(text, " ")
	switch mark {
	case "✓", "√":
		return tool.Passed, title, true
	case "✕", "×":
		return tool.Failed, title, true
	case "○":
		return tool.Skipped, strings.TrimPrefix(title, "skipped "), true
	case "✎":
		return tool.Todo, strings.TrimPrefix(title, "todo "), true
	}
	return "", "", false
}

// cutTook removes a duration in brackets from the end of a line: "adds (3 ms)".
func cutTook(text string) (rest string, ms int64) {
	if !strings.HasSuffix(text, "s)") {
		return text, 0
	}
	i := strings.LastIndex(text, " (")
	if i < 0 {
		return text, 0
	}
	took := text[i+2 : len(text)-1]
	if ms, ok := lex.Millis(took); ok && lex.IsDigits(took[:1]) {
		return text[:i], max(ms, 1)
	}
	return text, 0
}

// end reports the test whose title was read.
func (t *jestTests) end(s *read.Sink) {
	if len(t.titled) == 0 {
		return
	}
	t.test.ID = t.id(strings.Join(t.titled, "\n"))
	s.Ran(t.test)
	if t.test.Outcome.Bad() {
		lex.Put(&t.bad, strings.TrimSpace(strings.TrimPrefix(t.test.ID, t.file+titleJoint)), t.test.ID)
	}
	t.titled = t.titled[:0]
}

func (t *jestTests) id(title string) string {
	return strings.Join(append(append([]string{t.file}, t.suites...), title), titleJoint)
}

// failed takes the heading of a failure; its title is the finding's id.
func (t *jestTests) failed(s *read.Sink, title string) {
	id := title
	if t.file != "" {
		id = t.file + titleJoint + title
	}
	switch {
	case t.listed:
		id = cmp.Or(t.bad[title], id)
	case t.summary:
		s.Retold(tool.Test{ID: id, Outcome: tool.Failed})
	default:
		s.Ran(tool.Test{ID: id, Outcome: tool.Failed})
	}
	s.Tests.Also(id, title)
}
