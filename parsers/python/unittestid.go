package python

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
