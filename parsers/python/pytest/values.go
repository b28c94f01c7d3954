package pytest

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// compareValues sets expected and actual from the headline of an assertion and the explanation below it.
func compareValues(f *result.Finding, headline string, explanation []string) {
	for _, line := range append([]string{headline}, explanation...) {
		if compareAssert(f, line) {
			break
		}
	}
	if message, ok := strings.CutPrefix(headline, "AssertionError: "); ok && f.Operator == "" {
		// in assertEqual the first argument is, by the convention of its documentation, the actual value
		if _, after, found := strings.Cut(message, " differ: "); found {
			message = after
		}
		if left, op, right, ok := splitComparison(message); ok && op == "!=" {
			f.Actual, f.Operator, f.Expected = left, "==", right
		}
	}
	if strings.Contains(headline, "[- snapshot]") && strings.Contains(headline, "[+ received]") {
		compareSnapshot(f, explanation)
	}
	for i, line := range explanation {
		compareLabel(f, strings.TrimSpace(line))
		if strings.TrimSpace(line) == "LHS vs RHS shown below" { // pytest-clarity, for values of one line each
			if sides := lex.TrimBlankLines(explanation[i+1:]); len(sides) == 3 && strings.TrimSpace(sides[0]) == "" {
				f.Actual, f.Operator, f.Expected = strings.TrimSpace(sides[1]), "==", strings.TrimSpace(sides[2])
			}
		}
	}
}

// compareSnapshot reads the difference below syrupy's "assert [+ received] == [- snapshot]".
func compareSnapshot(f *result.Finding, explanation []string) {
	var kept, got []string
	for _, line := range explanation {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "- "); ok {
			kept = append(kept, strings.TrimSpace(text))
		} else if text, ok := strings.CutPrefix(line, "+ "); ok {
			got = append(got, strings.TrimSpace(text))
		} else if strings.HasPrefix(line, "Snapshot '") {
			kept = append(kept, line) // "Snapshot 'test_name' does not exist!"
		}
	}
	f.Expected, f.Actual, f.Operator = lex.JoinBounded(kept, result.MaxValue), lex.JoinBounded(got, result.MaxValue), "=="
}

// compareAssert reads "assert 450.0 == 455": the actual value is on the left, the expected one on the right. For "2 !=
// 2", the expected value is "not 2".
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

// compareLabel reads a labelled value in explanations of approx, raises and mock, in old and new versions.
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

// splitComparison splits an expression at its only comparison outside of quotes and brackets.
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

// operatorAt returns the comparison operator that s begins with, if a blank follows it.
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
