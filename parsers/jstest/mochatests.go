package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// mochaTests reads mocha's row for each test: the tree of spec,
//
//	cart
//	  ✔ adds (48ms)
//	  1) rounds
//	  - ships
//
// and the rows of list, which have the full name:
//
//	✔ cart adds: 48ms
//	1) cart rounds
//	  cart ships:   - cart ships
//
// Output of tests comes between these lines. The title of a top suite follows an empty line; another title, a line of
// the tree. A title elsewhere may be output: if it replaces a suite, tests below it have no name.
type mochaTests struct {
	other  bool     // the command names another reporter, which prints no names of tests
	list   bool     // the rows are the list reporter's
	suites []string // the suites around the next test, in the tree
	after  mochaLine
	unsure int         // depth of a suite whose title may be output; 0 if all titles are certain
	failed []string    // ids of tests that failed, in the order of their numbers
	dashed []tool.Test // skipped tests, which may be rows of a list that a test printed
}

// mochaLine is the kind of a line of the tree.
type mochaLine uint8

const (
	mochaStart mochaLine = iota
	mochaBlank
	mochaTree
	mochaOther
)

// under sets the reporter that the command names; "" for none.
func (t *mochaTests) under(reporter string) {
	t.other, t.list = reporter != "" && reporter != "spec" && reporter != "list", reporter == "list"
}

// line takes a line above the counts, and reports whether it is the row of a test.
func (t *mochaTests) line(s *read.Sink, line, text string) bool {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch {
	case t.other:
		return false
	case text == "":
		if t.after != mochaStart {
			t.after = mochaBlank
		}
		return false
	case indent < 2:
	case t.row(s, line, indent):
		t.after = mochaTree
		return true
	case indent%2 == 0 && !t.list && t.suite(line[indent:], indent/2):
		return false
	}
	if t.after != mochaStart {
		t.after = mochaOther
	}
	return false
}

// row takes a row of either reporter.
func (t *mochaTests) row(s *read.Sink, line string, indent int) bool {
	outcome, title, ok := t.mark(line[indent:])
	if t.list = t.list || ok && indent == 2 && outcome == tool.Passed && len(t.suites) == 0 && isListed(title); t.list {
		return t.listed(s, line[indent:], outcome, title, indent)
	}
	depth := indent/2 - 1
	if !ok || indent%2 != 0 || depth > len(t.suites) {
		return false
	}
	t.tell(s, outcome, title, depth)
	return true
}

// mark reads the beginning of a row: "✔ adds", "1) rounds", "- ships".
func (t *mochaTests) mark(text string) (outcome read.Outcome, title string, ok bool) {
	mark, title, ok := strings.Cut(text, " ")
	if !ok {
		return "", "", false
	}
	switch mark {
	case "✔", "✓", "√":
		return tool.Passed, title, true
	case "-":
		return tool.Skipped, title, true
	}
	number, ok := strings.CutSuffix(mark, ")")
	return tool.Failed, title, ok && lex.IsDigits(number)
}

// isListed reports whether a title ends as the list reporter's row of a passed test: "cart adds: 48ms".
func isListed(title string) bool {
	i := strings.LastIndex(title, ": ")
	digits, ok := strings.CutSuffix(title[i+1:], "ms")
	return i > 0 && ok && lex.IsDigits(digits[1:])
}

// listed takes a row of the list reporter.
func (t *mochaTests) listed(s *read.Sink, text string, outcome read.Outcome, title string, indent int) bool {
	test := tool.Test{ID: title, Outcome: outcome}
	switch full, again, twice := strings.Cut(text, ":   - "); {
	case indent == 4 && twice && full == again:
		test = tool.Test{ID: full, Outcome: tool.Skipped}
	case indent != 2 || outcome == "":
		return false
	case outcome == tool.Passed && !isListed(title):
		return false
	case outcome == tool.Passed:
		i := strings.LastIndex(title, ": ")
		test.DurationMS, _ = lex.Millis(title[i+2:])
		test.ID = title[:i]
	case outcome == tool.Failed:
		test.ID = strings.TrimSuffix(title, " ") // left over from the line that this row replaced
	}
	t.ran(s, test)
	return true
}

// tell records a test of the tree. A row with a dash below other output may be that of a printed list: settle
// decides.
func (t *mochaTests) tell(s *read.Sink, outcome read.Outcome, title string, depth int) {
	test := tool.Test{Outcome: outcome}
	if outcome == tool.Passed {
		title, test.DurationMS = cutTook(title)
	}
	if test.ID = strings.Join(append(append([]string{}, t.suites[:depth]...), title), " "); t.unsure > 0 && depth >= t.unsure {
		s.Unread("tests print what may be titles of suites")
		return
	}
	if outcome == tool.Skipped && t.after == mochaOther {
		t.dashed = append(t.dashed, tool.Test{ID: strings.Clone(test.ID), Outcome: outcome})
		return
	}
	t.ran(s, test)
}

func (t *mochaTests) ran(s *read.Sink, test tool.Test) {
	if test.Outcome.Bad() {
		t.failed = append(t.failed, strings.Clone(test.ID))
		return
	}
	s.Ran(test)
}

// suite takes the title of a suite, and reports whether the line certainly is one.
func (t *mochaTests) suite(title string, depth int) bool {
	sure := t.after == mochaBlank || t.after == mochaTree || t.after == mochaStart && depth == 1
	switch {
	case depth > len(t.suites)+1, !sure && depth == 1 && len(t.suites) > 0:
		return false
	case !sure && (strings.ContainsAny(title[:1], "}]{[") || strings.ContainsAny(title[len(title)-1:], ",{[}];") || strings.HasPrefix(title, "at ")):
		return false
	case !sure && depth <= len(t.suites):
		if t.unsure == 0 || depth < t.unsure {
			t.unsure = depth
		}
		return false
	case depth <= t.unsure && sure:
		t.unsure = 0
	}
	t.suites = append(t.suites[:depth-1], strings.Clone(title))
	if sure {
		t.after = mochaTree
	}
	return sure
}

// settle records the rows that may not be tests, if mocha counts exactly as many more skipped tests.
func (t *mochaTests) settle(s *read.Sink) {
	if len(t.dashed) == 0 || s.Tests == nil {
		return
	}
	if unnamed, _ := s.Tests.Against(s.Counts); unnamed[string(tool.Skipped)] != len(t.dashed) {
		s.Unread("tests print what may be pending tests")
		return
	}
	for _, test := range t.dashed {
		s.Ran(test)
	}
}

// unlisted records a test that failed in a run that ended before its list of failures. title ends its id.
func (t *mochaTests) unlisted(s *read.Sink, title string) {
	for i, id := range t.failed {
		if strings.HasSuffix(id, title) {
			s.Ran(tool.Test{ID: id, Outcome: tool.Failed})
			s.Tests.Also(id, title)
			t.failed[i] = ""
			return
		}
	}
}
