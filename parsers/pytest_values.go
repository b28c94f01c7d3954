package parsers

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
		f.Actual, f.Operator, f.Expected = left, op, right
	}
	return true
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

// doctestValues are the two outputs that a failed doctest shows.
type doctestValues struct {
	expected, got []string
	size          int
	in            *[]string
	unexpected    string // "UNEXPECTED EXCEPTION: …"
}

func (v *doctestValues) open() bool { return v.in != nil }
func (v *doctestValues) told() bool { return len(v.expected)+len(v.got) > 0 || v.unexpected != "" }

// line reads the headings and what is indented below them.
func (v *doctestValues) line(line string) bool {
	switch {
	case line == "Expected:":
		v.in = &v.expected
	case line == "Got:":
		v.in = &v.got
	case line == "Expected nothing":
		v.expected = append(v.expected, "nothing")
	case line == "Got nothing":
		v.got = append(v.got, "nothing")
	case strings.HasPrefix(line, "UNEXPECTED EXCEPTION: "):
		v.unexpected = line
	case v.in != nil && strings.HasPrefix(line, "    "):
		if v.size += len(line); v.size < 2*result.MaxValue {
			*v.in = append(*v.in, line[4:])
		}
	default:
		return false
	}
	return true
}

// end closes what an empty line ends.
func (v *doctestValues) end() {
	if v.in == &v.got {
		v.in = nil
	}
}

func (v *doctestValues) message() string {
	if v.unexpected != "" {
		return v.unexpected
	}
	return "expected " + strings.Join(v.expected, " ") + ", got " + strings.Join(v.got, " ")
}

func (v *doctestValues) fill(f *result.Finding) {
	if len(v.expected)+len(v.got) > 0 {
		f.Expected, f.Actual = strings.Join(v.expected, "\n"), strings.Join(v.got, "\n")
	}
}
