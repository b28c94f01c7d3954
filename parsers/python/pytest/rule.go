package pytest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// cutRule returns the title of a line such as "==== FAILURES ====". pytest fills both sides equally, with one more on
// the right if the width is odd; a title that is too long has one character on the left. width is 0 if it is not known
// yet.
func cutRule(line string, fill byte, width int) (title string, ok bool) {
	if len(line) > 2*lex.MaxHeadline {
		return "", false
	}
	left, end := 0, len(line)
	for left < end && line[left] == fill {
		left++
	}
	for end > left && line[end-1] == fill {
		end--
	}
	right := len(line) - end
	if left == 0 || right < left || right > left+1 || end-left < 3 || line[left] != ' ' || line[end-1] != ' ' {
		return "", false
	}
	if width > 0 {
		if n := utf8.RuneCountInString(line); n != width && (left != 1 || n < width) {
			return "", false
		}
	}
	return line[left+1 : end-1], true
}

// section is the part of a run that a rule opens.
type section uint8

const (
	unknown section = iota
	atStart
	inErrors
	inFailures
	inSummary
	inBlocks // blocks of tests that did not fail
	stopping // after a rule of "!"
	inOther
	inResults // the counts of pytest-sugar
)

func sectionOf(title string) section {
	switch title {
	case "test session starts":
		return atStart
	case "ERRORS":
		return inErrors
	case "FAILURES":
		return inFailures
	case "short test summary info":
		return inSummary
	case "PASSES", "XPASSES", "XFAILURES":
		return inBlocks
	case "warnings summary", "warnings summary (final)", "tests coverage", "rerun test summary info", "Hypothesis Statistics":
		return inOther
	}
	if strings.HasPrefix(title, "slowest ") {
		return inOther
	}
	return unknown
}

// ofRun says whether plugins print a section with this title after the blocks, under a rule like that of captured
// output.
func ofRun(title string) bool {
	return lex.HasAnyPrefix(title, "generated ", "coverage: ", "JSON report", "benchmark")
}

// counts are the numbers in the closing line.
type counts struct {
	by      map[string]int
	none    bool // "no tests ran"
	collect bool // --collect-only
}

// cutCounts reads "1 failed, 2 passed in 0.12s". The line must be whole, which the duration at its end shows.
func cutCounts(s string) (*counts, bool) {
	if len(s) == 0 || s[0] != 'n' && (s[0] < '0' || s[0] > '9') {
		return nil, false
	}
	i := strings.LastIndex(s, " in ")
	if i < 0 || !isDuration(s[i+len(" in "):]) {
		return nil, false
	}
	c := &counts{by: map[string]int{}}
	for part := range strings.SplitSeq(s[:i], ", ") {
		if !c.add(part) {
			return nil, false
		}
	}
	return c, true
}

// add reads one count. A plugin may use a word of its own, which becomes the count's name.
func (c *counts) add(part string) bool {
	none := strings.HasPrefix(part, "no tests collected")
	if none || part == "no tests ran" || strings.HasSuffix(part, " collected") || strings.Contains(part, " collected (") {
		c.none = c.none || none || part == "no tests ran"
		c.collect = c.collect || part != "no tests ran"
		return true
	}
	num, word, _ := strings.Cut(part, " ")
	n, err := strconv.Atoi(num)
	if err != nil || n < 0 || word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz ") != "" {
		return false
	}
	switch {
	case word == "errors":
		word = "error"
	case word == "warning":
		word = "warnings"
	case lex.HasAnyPrefix(word, "subtest passed", "subtests "):
		word = "subtests_" + word[strings.IndexByte(word, ' ')+1:]
	}
	c.by[word] += n
	return true
}

// ran is how many tests have an outcome.
func (c *counts) ran() int {
	return c.by["passed"] + c.by["failed"] + c.by["error"] + c.by["skipped"] + c.by["xfailed"] + c.by["xpassed"]
}

// isDuration accepts "0.12s" and "75.31s (0:01:15)", and "0.12 seconds" as before version 5.
func isDuration(s string) bool {
	secs, rest, _ := strings.Cut(s, " ")
	digits, found := strings.CutSuffix(secs, "s")
	if rest == "seconds" {
		digits, found, rest = secs, true, ""
	}
	whole, frac, _ := strings.Cut(digits, ".")
	if !found || !lex.IsDigits(whole) || len(frac) != 2 || !lex.IsDigits(frac) {
		return false
	}
	return rest == "" || rest[0] == '(' && rest[len(rest)-1] == ')' && strings.Contains(rest, ":")
}

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
