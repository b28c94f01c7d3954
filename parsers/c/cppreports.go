package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// catch2Reports: Catch2 counts assertions as tests, and what an expression was expanded to stands in the text only:
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

// doctestReports: doctest counts assertions as tests, and its text says more than the attribute does.
var doctestReports = &tool.Dialect{
	CountsMore: true,
	Suite:      func(tag *tool.SuiteTag) bool { return tag.Has("doctest_version") },
	Message: func(message string, text []string) string {
		return cmp.Or(strings.Join(saidOf(text), " "), message)
	},
}

// saidOf are the first lines of the text of a failure that say something, without its place.
func saidOf(text []string) (said []string) {
	for _, line := range text {
		line = strings.TrimSpace(line)
		if len(said) < 5 && line != "" && line != "FAILED:" && !isPlaceLine(strings.TrimPrefix(line, "at ")) {
			said = append(said, line)
		}
	}
	return said
}

// boostReports: Boost.Test's text has the message behind a label, and suites before tests.
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

// isPlaceLine: the line is a place alone, "math_test.cpp:7" or "text_test.cpp:8:".
func isPlaceLine(line string) bool {
	path, _, ok := place.CutLineNumber(strings.TrimSuffix(line, ":"))
	return ok && !strings.Contains(path, " ")
}
