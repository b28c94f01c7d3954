package junit

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// remark is the message that the author of an assertion added, which GoogleTest prints below its own words:
//
//	Expected equality of these values:
//	  r.pop()
//	    Which is: 1
//	  2
//	oldest first
//
// text begins with the assertion's first line. The result is one line, "" if there is no message or the assertion
// is another library's.
func remark(text []string) string {
	i := assertionLen(text)
	if i == 0 {
		return ""
	}
	var words []string
	for _, line := range text[i:] {
		line = strings.TrimSpace(line)
		if _, framed := frame.Cut(line); framed || line == "Google Test trace:" || isMark(line) || len(words) == maxJoined {
			break
		}
		if line != "" {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

// isMark reports whether a line belongs to the report around the test, such as "[  FAILED  ] Ring.Pops": runners of
// programs pass on everything that a test prints.
func isMark(line string) bool { return len(line) > 12 && line[0] == '[' && line[11] == ']' }

// assertionLen is how many lines GoogleTest's own words take; 0 for another library.
func assertionLen(text []string) int {
	first := strings.TrimSpace(text[0])
	switch {
	case first == "Expected equality of these values:":
		return 1 + valuesLen(text[1:])
	case strings.HasPrefix(first, "Expected: (") && strings.Contains(first, "), actual: "):
		return 1
	case strings.HasPrefix(first, "Value of: ") && linesBegin(text[1:], "Actual: ", "Expected: "),
		strings.HasPrefix(first, "Expected: ") && strings.Contains(first, " throws ") && linesBegin(text[1:], "Actual: it throws "):
		return 1 + min(len(text)-1, strings.Count(first, "Value of: ")+1)
	case strings.HasPrefix(first, "The difference between ") && strings.HasSuffix(first, ", where"):
		n := 1
		for n < len(text) && strings.Contains(text[n], " evaluates to ") {
			n++
		}
		return n
	}
	return 0
}

// valuesLen is how many lines the values take: indented lines, and the difference of two texts up to a blank line.
func valuesLen(text []string) (n int) {
	for n < len(text) && lex.LeadingBlanks(text[n]) > 0 {
		n++
	}
	if n == len(text) || text[n] != diffHead {
		return n
	}
	for n < len(text) && strings.TrimSpace(text[n]) != "" {
		n++
	}
	return n
}

// diffHead is GoogleTest's heading of the difference of two texts.
const diffHead = "With diff:"

func linesBegin(text []string, with ...string) bool {
	if len(text) < len(with) {
		return false
	}
	for i, prefix := range with {
		if !strings.HasPrefix(strings.TrimSpace(text[i]), prefix) {
			return false
		}
	}
	return true
}

// fillJUnitValues finds the expected and the actual value, in the words of various libraries.
func fillJUnitValues(f *result.Finding, message, body []string) {
	for _, text := range [][]string{message, body} {
		for i, s := range text {
			if i == maxValueLines {
				break
			}
			if valuesInLine(f, strings.TrimSpace(s)) {
				return
			}
		}
		if valuesInLines(f, text) {
			return
		}
	}
}

// maxValueLines bounds the lines of a text that are searched for values.
const maxValueLines = 200

// valueWords are the text around the two values of a line.
var valueWords = [...]struct{ before, between, after string }{
	{"expected: <", "> but was: <", ">"},
	{"expected:<", "> but was:<", ">"},
	{"expected: ", " but was: ", ""},
	{"expected [", "] but found [", "]"},
	{"expected same:<", "> was not:<", ">"},
}

func valuesInLine(f *result.Finding, s string) bool {
	for _, w := range valueWords {
		_, rest, ok := strings.Cut(s, w.before)
		expected, rest, both := strings.Cut(rest, w.between)
		if !ok || !both {
			continue
		}
		f.Expected, f.Actual = expected, strings.TrimSuffix(rest, w.after)
		return true
	}
	if rest, ok := strings.CutPrefix(s, "Failed asserting that "); ok {
		return assertedValues(f, strings.TrimSuffix(rest, "."))
	}
	return false
}

func assertedValues(f *result.Finding, s string) bool {
	for _, between := range [...]string{" matches expected ", " is identical to ", " is equal to "} {
		if actual, expected, ok := strings.Cut(s, between); ok && !strings.HasPrefix(actual, "two ") {
			f.Actual, f.Expected = actual, expected
			return true
		}
	}
	return false
}

// valuesInLines reads values that are on lines of their own.
func valuesInLines(f *result.Finding, text []string) bool {
	var expected, actual string
	for i, s := range text {
		if i == maxValueLines {
			break
		}
		s = strings.TrimSpace(s)
		if v, ok := lex.CutLabel(s, "expected", "want"); ok && expected == "" && v != "" {
			expected = strings.TrimSuffix(v, ",")
		}
		if v, ok := lex.CutLabel(s, "received", "actual", "but was", "got"); ok && actual == "" && v != "" {
			actual = strings.TrimSuffix(v, ",")
		}
		if v, ok := strings.CutPrefix(s, "but: was "); ok && actual == "" {
			actual = v
		}
	}
	if expected == "" || actual == "" {
		return valuesInDiff(f, text)
	}
	f.Expected, f.Actual = expected, actual
	return true
}

// valuesInDiff reads a diff in which a single line replaces a single line.
func valuesInDiff(f *result.Finding, text []string) bool {
	var minus, plus []string
	begun, swapped := false, false
	for _, s := range text {
		s = strings.TrimSpace(s)
		switch {
		case isDiffHead(s):
			begun, swapped = true, s == "+ expected - actual" || strings.HasPrefix(s, "=> Diff (- obtained, ")
			minus, plus = nil, nil
		case !begun || strings.HasPrefix(s, "+++ ") || s == "+ Received" || strings.HasPrefix(s, "+ Received  "):
		case strings.HasPrefix(s, "-"):
			minus = append(minus, strings.TrimSpace(s[1:]))
		case strings.HasPrefix(s, "+"):
			plus = append(plus, strings.TrimSpace(s[1:]))
		}
	}
	if len(minus) != 1 || len(plus) != 1 {
		return false
	}
	f.Expected, f.Actual = strings.TrimSuffix(minus[0], ","), strings.TrimSuffix(plus[0], ",")
	if swapped {
		f.Expected, f.Actual = f.Actual, f.Expected
	}
	return true
}

// isDiffHead recognises the legend of a diff.
func isDiffHead(s string) bool {
	return strings.HasPrefix(s, "=> Diff (") || s == "- Expected" || s == "--- Expected" || strings.HasPrefix(s, "- Expected  ") || s == "+ expected - actual" || s == "+ actual - expected"
}
