package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// caseBlock reads the lines below the head of a failed test, which all runners of unittest's cases print alike: a
// traceback, then more of the exception's message, often the difference of two values.
type caseBlock struct {
	trace read.Traceback
	below []string // lines after the exception

	inBlock bool // below a head; used only by readers that call close
}

// maxBelow bounds the lines that are kept after an exception.
const maxBelow = 60

// take adds a line of the block to the last finding.
func (b *caseBlock) take(s *read.Sink, l tool.Line) {
	f := s.Last()
	if l.Text != "" { // an empty line may be behind the last block
		s.Cover(l)
	}
	if f == nil { // stderr has begun, within a block of stdout
		return
	}
	f.RawSpan.End = max(f.RawSpan.End, l.End)
	word, linked := read.CutLink(l.Text)
	switch {
	case takeExample(f, l.Text), isDoctest(f) && strings.HasPrefix(l.Text, "  File "): // the whole docstring's place
	case linked && b.trace.Whole():
		f.Related = append([]result.Related{{Message: word + thrown(f), At: f.At}}, f.Related...)
	case b.trace.Line(l.Text):
		if b.trace.Whole() {
			t := b.raised(s)
			f.Rule, f.Message, f.At, f.Frames = t.Rule, t.Message, t.At, t.Frames
			b.below = b.below[:0]
		}
	case b.trace.Whole():
		lex.Keep(&b.below, maxBelow, l.Text)
	case f.Message == "" && l.Text != "" && !isRule(l.Text, '-'):
		if class, _, ok := strings.Cut(l.Text, ": "); ok && lex.IsIdentifier(class) && strings.HasSuffix(class, "Error") {
			f.Rule, f.Message = class, l.Text // a test that could not be loaded
		}
	}
}

// raised is the finding of the traceback.
func (b *caseBlock) raised(s *read.Sink) result.Finding {
	f := b.trace.Finding(s.Files())
	f.Message = strings.TrimPrefix(f.Message, "builtins.") // of trial
	return f
}

// isDoctest reports whether a docstring's examples failed, which doctest.DocTestSuite makes tests.
func isDoctest(f *result.Finding) bool {
	return strings.HasPrefix(f.Message, "AssertionError: Failed doctest test for ")
}

// takeExample adds the place of a failed doctest example. The traceback above it has no place
// outside of the standard library.
func takeExample(f *result.Finding, line string) bool {
	at, id, ok := read.CutExample(line)
	switch {
	case !ok:
	case f.At == nil:
		f.At = &at
	default:
		f.Related = append(f.Related, result.Related{Message: "failed example of " + id, At: &at})
	}
	return ok
}

// close ends the block that is open.
func (b *caseBlock) close(s *read.Sink) {
	if b.inBlock {
		b.endBlock(s)
		s.Break()
	}
	b.inBlock = false
}

// endBlock ends the block of the last finding.
func (b *caseBlock) endBlock(s *read.Sink) {
	if f := s.Last(); f != nil {
		b.tell(f)
	}
}

// tell moves the lines after the exception to the finding, as its diff or its detail.
func (b *caseBlock) tell(f *result.Finding) {
	text := lex.JoinBounded(lex.TrimBlankLines(b.below), 2048)
	if example := new(read.DocOutput); isDoctest(f) {
		for _, line := range b.below {
			if line == "Failed example:" && example.Told() {
				break // the second; the finding has the first one's values
			}
			example.Line(line)
		}
		example.Fill(f)
	}
	if strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "+ ") || strings.Contains(text, "\n- ") || strings.Contains(text, "\n+ ") {
		f.Diff = text
	} else {
		f.Detail = text
	}
	if b.below = b.below[:0]; f.Message == "" {
		f.Message = "failed"
	}
}

// badCase returns the finding of a failed test. word is the runner's verdict, and id names the test in
// the runner's arguments.
func badCase(word, id string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(strings.HasPrefix(strings.ToUpper(word), "ERROR")), RawSeverity: word, ID: id, Name: lex.LastPart(id)}
	return f
}

// tallyWords adds the counts in "failures=2, errors=1" to the sink (see Scores), and returns them.
func tallyWords(s *read.Sink, list, means string) map[string]int {
	n := read.CountsBehind(strings.ReplaceAll(strings.Trim(list, "()"), "=", ":"))
	s.Scores(n, means)
	return n
}

// tellUnnamed reports n unexpected successes that are counted but not named, in one finding; many
// runners name them only with -v.
func tellUnnamed(s *read.Sink, l tool.Line, n int) {
	if n > 0 {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "unexpected success of a test that is not named"})
		s.Claim(1 - n)
		s.Break()
	}
}

// cutUnittestHead reads the first line of a block:
//
//	FAIL: test_fill (tests.test_tank.TankTest.test_fill)      3.11 on
//	FAIL: test_fill (tests.test_tank.TankTest)                before
//	FAIL: test_rows (tests.test_tank.TankTest.test_rows) (n=1)
//	ERROR: setUpClass (tests.test_tank.TankTest)
//	ERROR: tests.test_x (unittest.loader._FailedTest.tests.test_x)
//	ERROR: _ErrorHolder                                       nose2, if the setup of a class failed
//
// The finding's id is the test's name as an argument of unittest.
func cutUnittestHead(line string) (f result.Finding, ok bool) {
	if line == "ERROR: _ErrorHolder" {
		return result.Finding{Kind: result.TestFailure, Severity: result.SevError, RawSeverity: "ERROR", Name: "setUpClass"}, true
	}
	word, rest, ok := strings.Cut(line, ": ")
	name, rest, has := strings.Cut(rest, " (")
	class, params, closed := strings.Cut(rest, ")")
	if !ok || !has || !closed || name == "" || strings.ContainsAny(name, " \t\"'") || class != "" && !isTestClass(class, name) {
		return f, false
	}
	f = result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: word, Name: name}
	switch word {
	case "FAIL":
	case "ERROR":
		f.Severity = result.SevError
	case "UNEXPECTED SUCCESS":
		f.Message = "unexpected success"
	default:
		return f, false
	}
	f.ID, f.Params = unittestID(name, class), strings.TrimSpace(params)
	if f.Params != "" {
		if f.Params[0] != '(' && f.Params[0] != '[' {
			return f, false
		}
		f.ID += " " + f.Params
	}
	return f, true
}

// cutDottedHead reads the first line of a block in the form of testtools and subunit2pyunit, which is
// below "====": "FAIL: tests.test_tank.TankTest.test_rows (n=1)".
func cutDottedHead(line string) (f result.Finding, ok bool) {
	word, rest, _ := strings.Cut(line, ": ")
	id, params, _ := strings.Cut(rest, " ")
	class, name, ok := lex.CutLast(id, ".")
	if !ok || !isDotted(id) || params != "" && params[0] != '(' {
		return f, false
	}
	return cutUnittestHead(strings.TrimSpace(word + ": " + name + " (" + class + ") " + params))
}

// isTestClass reports whether class, from the parentheses behind a test's name, is a dotted class, or, since Python
// 3.11, ends with the test. A class made at run time may have other characters: "ZoneInfoTest[Africa/Accra]_Fast".
func isTestClass(class, name string) bool {
	return isDotted(class) || strings.HasSuffix(class, "."+name) && !strings.ContainsAny(class, " \t\"'")
}

// withoutParams returns the id of the test of which id is a subtest: "a.T.test_x" for "a.T.test_x (n=1)".
func withoutParams(id string) string {
	of, _, _ := strings.Cut(id, " ")
	return of
}

func unittestID(name, class string) string {
	class = strings.TrimPrefix(class, "__main__.")
	switch {
	case lex.LastPart(name) == "FunctionTestCase":
		return class
	case class == "":
		return name
	case strings.Contains(class, "_FailedTest"), strings.Contains(class, ".LoadTestsFailure"), strings.Contains(class, ".ModuleImportFailure"):
		return name
	case name == "setUpClass", name == "tearDownClass", name == "setUpModule", name == "tearDownModule", lex.LastPart(class) == name:
		return class
	}
	return class + "." + name
}

// isDotted reports whether s is a class or test with its modules: identifiers joined by ".".
func isDotted(s string) bool {
	if s == "" {
		return false
	}
	s = strings.ReplaceAll(s, "<locals>", "locals")
	for part := range strings.SplitSeq(s, ".") {
		if !lex.IsIdentifier(part) {
			return false
		}
	}
	return true
}

// isXMLRunner recognises a JUnit document of xmlrunner by the order of a suite's attributes, which no other runner has.
func isXMLRunner(tag *tool.SuiteTag) bool {
	return !tag.All && strings.HasPrefix(strings.Join(tag.Attrs, " "), "name tests file time timestamp ")
}

// xmlRunnerID returns the id as unittest's own rows have it. The id of "setUpClass (test_a.S)" is the class.
func xmlRunnerID(n *tool.CaseNames) (id string, suites []string) {
	if f, ok := cutUnittestHead("ERROR: " + n.Name); ok && n.Class == "" {
		return f.ID, nil
	}
	return strings.TrimPrefix(n.Class+"."+n.Name, "."), nil
}

// unittestAgain returns the arguments that run the test id alone: the command's own, with id in place of the
// tests. It is nil for discovered tests, whose ids may be relative to another directory.
func unittestAgain(id string, own []string) []string {
	words := own[:1:1]
	for _, word := range own[1:] {
		switch {
		case lex.IsOneOf(word, "discover -k -s -t -p"):
			return nil
		case strings.HasPrefix(word, "-"):
			words = append(words, word)
		}
	}
	return append(words, id)
}
