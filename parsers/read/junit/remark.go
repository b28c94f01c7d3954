package junit

import (
	"strings"

	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
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
