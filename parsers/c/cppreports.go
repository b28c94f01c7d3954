package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// catch2Reports describes the JUnit reports of Catch2, which count assertions as tests. Only the text of a failure
// has the expansion of the expression:
//
//	<failure message="divide(9,2) == 5" type="CHECK">
//	FAILED:
//	  CHECK( divide(9,2) == 5 )
//	with expansion:
//	  4 == 5
//	at math_test.cpp:7
var catch2Reports = &tool.Dialect{
	CountsMore: true, Expected: "TEST_CASE tagged with !mayfail",
	Suite: func(tag *tool.SuiteTag) bool {
		attrs := strings.Replace(strings.Join(tag.Attrs, " "), " skipped", "", 1) // since version 3
		return !tag.All && attrs == "name errors failures tests hostname time timestamp"
	},
	Message: func(message string, text []string) string {
		said := saidOf(text)
		if len(said) < 2 {
			return message
		}
		return strings.Join(said, " ")
	},
}

// doctestReports describes doctest's JUnit, which counts assertions as tests. A failure's text says more than its
// attribute.
var doctestReports = &tool.Dialect{
	CountsMore: true,
	Suite:      func(tag *tool.SuiteTag) bool { return tag.Has("doctest_version") },
	Message: func(message string, text []string) string {
		return cmp.Or(strings.Join(saidOf(text), " "), message)
	},
}

// saidOf returns the first lines of a failure's text, without empty lines and its place.
func saidOf(text []string) (said []string) {
	for _, line := range text {
		line = strings.TrimSpace(line)
		if len(said) < 5 && line != "" && line != "FAILED:" && !isPlaceLine(strings.TrimPrefix(line, "at ")) {
			said = append(said, line)
		}
	}
	return said
}

// boostReports describes Boost.Test's JUnit: the text has the message behind a label, and an id has suites before the
// test.
//
//	ASSERTION FAILURE:
//	- file   : bt.cc
//	- line   : 6
//	- message: check 1 + 1 == 3 has failed
var boostReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && strings.Join(tag.Attrs, " ") == "tests skipped errors failures id name time"
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		return strings.ReplaceAll(n.Class, ".", "/") + "/" + n.Name, strings.Split(n.Class, ".")
	},
	Message: func(message string, text []string) string {
		for i, line := range text {
			if said, ok := lex.CutLabel(strings.TrimLeft(line, "- "), "message"); ok {
				return said
			}
			if strings.HasPrefix(line, "EXCEPTION STACK TRACE: ") && i+1 < len(text) {
				return text[i+1]
			}
		}
		return message
	},
}

// isPlaceLine reports whether a line is only a place, "math_test.cpp:7" or "text_test.cpp:8:".
func isPlaceLine(line string) bool {
	path, _, ok := place.CutLineNumber(strings.TrimSuffix(line, ":"))
	return ok && !strings.Contains(path, " ")
}
