package pytest

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// compareValues fills what was expected and what was there, from the headline of an
// assertion and the explanation below it.
func compareValues(f *result.Finding, headline string, explanation []string) {
	for _, line := range append([]string{headline}, explanation...) {
		if compareAssert(f, line) {
			break
		}
	}
	if message, ok := strings.CutPrefix(headline, "AssertionError: "); ok && f.Operator == "" {
		// of assertEqual, whose first argument is, by the convention of its documentation, what was there
		if _, after, found := strings.Cut(message, " differ: "); found {
			message = after
		}
		if left, op, right, ok := splitComparison(message); ok && op == "!=" {
			f.Actual, f.Operator, f.Expected = left, "==", right
		}
	}
	for i, line := range explanation {
		compareLabel(f, strings.TrimSpace(line))
		if strings.TrimSpace(line) == "LHS vs RHS shown below" { // of pytest-clarity; of values of one line each
			if sides := lex.TrimBlankLines(explanation[i+1:]); len(sides) == 3 && strings.TrimSpace(sides[0]) == "" {
				f.Actual, f.Operator, f.Expected = strings.TrimSpace(sides[1]), "==", strings.TrimSpace(sides[2])
			}
		}
	}
}

// compareAssert reads "assert 450.0 == 455": what was there on the left, what was
// expected on the right; of "2 != 2", "not 2" was expected.
func compareAssert(f *result.Finding, line string) bool {
	expr, ok := strings.CutPrefix(line, "assert ")
	if !ok {
		return false
	}
	if left, op, right, ok := splitComparison(expr); ok {
		switch op {
		case "==", "is":
			f.Expected = right
		case "!=", "is not":
			f.Expected = "not " + right
		default:
			f.Expected = op + " " + right
		}
		f.Actual, f.Operator = left, op
	}
	return true
}

// compareLabel reads the words before a value in explanations: of approx, raises and
// mock, in old and new versions.
func compareLabel(f *result.Finding, line string) {
	label, value, ok := strings.Cut(line, ": ")
	if !ok {
		return
	}
	switch label {
	case "Obtained", "Actual", "Actual message", "Input":
		f.Actual = value
	case "Expected", "Expected regex", "Regex":
		f.Expected = value
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
	for _, op := range [...]string{"not in", "is not"} {
		if strings.HasPrefix(s, op+" ") {
			return op
		}
	}
	if op, _, ok := strings.Cut(s, " "); ok && lex.IsOneOf(op, "== != <= >= < > in is") {
		return op
	}
	return ""
}
