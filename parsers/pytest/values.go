package pytest

import (
	"strings"

	"cairn/result"
)

// compareValues fills what was expected and what was there, from the headline of an
// assertion and the explanation below it.
func compareValues(f *result.Finding, headline string, explanation []string) {
	if !compareAssert(f, headline) {
		for _, line := range explanation {
			if compareAssert(f, line) {
				break
			}
		}
	}
	if f.Operator == "" {
		compareUnittest(f, headline)
	}
	for _, line := range explanation {
		compareLabel(f, strings.TrimSpace(line))
	}
}

// compareAssert reads "assert 450.0 == 455": what was there on the left, what
// was expected on the right.
func compareAssert(f *result.Finding, line string) bool {
	expr, ok := strings.CutPrefix(line, "assert ")
	if !ok {
		return false
	}
	left, op, right, ok := splitComparison(expr)
	if ok {
		f.Actual, f.Operator, f.Expected = left, op, wanted(op, right)
	}
	return true
}

// wanted is what a comparison asks for: of "2 != 2", "not 2" was expected.
func wanted(op, right string) string {
	switch op {
	case "==", "is":
		return right
	case "!=", "is not":
		return "not " + right
	}
	return op + " " + right
}

// compareUnittest reads "AssertionError: 'a' != 'b'" of assertEqual, whose
// first argument is, by the convention of its documentation, what was there.
func compareUnittest(f *result.Finding, headline string) {
	msg, ok := strings.CutPrefix(headline, "AssertionError: ")
	if !ok {
		return
	}
	if _, after, found := strings.Cut(msg, " differ: "); found {
		msg = after
	}
	if left, op, right, ok := splitComparison(msg); ok && op == "!=" {
		f.Actual, f.Operator, f.Expected = left, "==", right
	}
}

// assertLabels are the words before a value in explanations: of approx, raises and
// mock, in old and new versions.
var assertLabels = [...]struct {
	label    string
	expected bool
}{
	{"Obtained: ", false}, {"Expected: ", true}, {"Actual: ", false},
	{"Expected regex: ", true}, {"Actual message: ", false}, {"Regex: ", true}, {"Input: ", false},
}

func compareLabel(f *result.Finding, line string) {
	for _, l := range assertLabels {
		value, ok := strings.CutPrefix(line, l.label)
		if !ok {
			continue
		}
		if l.expected {
			f.Expected = value
		} else {
			f.Actual = value
		}
		return
	}
}

// splitComparison divides an expression at its only comparison outside of
// quotes and brackets.
func splitComparison(expr string) (left, op, right string, ok bool) {
	depth := 0
	var quote byte
	for i := 0; i < len(expr); i++ {
		c := expr[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ' ' && depth <= 0:
			found := operatorAt(expr[i+1:])
			if found == "" {
				continue
			}
			if ok {
				return "", "", "", false // a chain
			}
			left, op, right, ok = expr[:i], found, strings.TrimSpace(expr[i+1+len(found):]), true
			i += len(found)
		}
	}
	return left, op, right, ok && left != "" && right != ""
}

// operatorAt is the comparison that s begins with, and a blank after it.
func operatorAt(s string) string {
	for _, op := range [...]string{"==", "!=", "<=", ">=", "<", ">", "not in", "in", "is not", "is"} {
		if rest, ok := strings.CutPrefix(s, op); ok && strings.HasPrefix(rest, " ") {
			return op
		}
	}
	return ""
}
