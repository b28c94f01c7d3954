package pytest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
)

// cutRule returns the title of a line such as "==== FAILURES ====". pytest
// fills both sides equally, one more on the right where the width is odd; a
// title that is too long has a single character on the left. A width of 0 is
// not known yet.
func cutRule(line string, fill byte, width int) (title string, ok bool) {
	if len(line) > 2*lex.MaxHeadline {
		return "", false
	}
	left := 0
	for left < len(line) && line[left] == fill {
		left++
	}
	end := len(line)
	for end > left && line[end-1] == fill {
		end--
	}
	right := len(line) - end
	if left == 0 || right == 0 || right-left > 1 || left-right > 0 || end-left < 3 || line[left] != ' ' || line[end-1] != ' ' {
		return "", false
	}
	if width > 0 {
		if n := utf8.RuneCountInString(line); n != width && (left != 1 || n < width) {
			return "", false
		}
	}
	return line[left+1 : end-1], true
}

// sectionKind is which part of a run a rule opens.
type sectionKind uint8

const (
	sectionUnknown sectionKind = iota
	sectionStart
	sectionErrors
	sectionFailures
	sectionSummary
	sectionBlocks // blocks of tests that did not fail
	sectionStop   // after a rule of "!"
	sectionOther
	sectionResults // counts as pytest-sugar prints them
)

func pytestSection(title string) sectionKind {
	switch title {
	case "test session starts":
		return sectionStart
	case "ERRORS":
		return sectionErrors
	case "FAILURES":
		return sectionFailures
	case "short test summary info":
		return sectionSummary
	case "PASSES", "XPASSES", "XFAILURES":
		return sectionBlocks
	case "warnings summary", "warnings summary (final)", "tests coverage", "rerun test summary info", "Hypothesis Statistics":
		return sectionOther
	}
	if strings.HasPrefix(title, "slowest ") {
		return sectionOther
	}
	return sectionUnknown
}

// ofRun: the title is that of a section which plugins print behind the blocks, under a
// rule like that of captured output.
func ofRun(title string) bool {
	for _, begin := range [...]string{"generated ", "coverage: ", "JSON report", "benchmark"} {
		if strings.HasPrefix(title, begin) {
			return true
		}
	}
	return false
}

// pytestCounts is the closing line.
type pytestCounts struct {
	by      map[string]int
	none    bool // "no tests ran"
	collect bool // --collect-only
}

// countNames maps the words of the closing line to the names of counts; a
// plugin's own words stand as they are.
var countNames = map[string]string{
	"errors": "error", "warning": "warnings", "subtests passed": "subtests_passed", "subtest passed": "subtests_passed",
	"subtests failed": "subtests_failed", "subtests skipped": "subtests_skipped",
}

// parsePytestCounts reads "1 failed, 2 passed in 0.12s". The line is taken
// only if it is whole, which the duration at its end shows.
func parsePytestCounts(s string) (*pytestCounts, bool) {
	if len(s) == 0 || s[0] != 'n' && (s[0] < '0' || s[0] > '9') {
		return nil, false
	}
	i := strings.LastIndex(s, " in ")
	if i < 0 || !isPytestDuration(s[i+len(" in "):]) {
		return nil, false
	}
	c := &pytestCounts{by: map[string]int{}}
	for part := range strings.SplitSeq(s[:i], ", ") {
		if !c.add(part) {
			return nil, false
		}
	}
	return c, true
}

func (c *pytestCounts) add(part string) bool {
	switch {
	case part == "no tests ran":
		c.none = true
		return true
	case strings.HasPrefix(part, "no tests collected"):
		c.none, c.collect = true, true
		return true
	case strings.HasSuffix(part, " collected"), strings.Contains(part, " collected ("):
		c.collect = true
		return true
	}
	num, word, ok := strings.Cut(part, " ")
	n, err := strconv.Atoi(num)
	if !ok || err != nil || n < 0 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz ") != "" || word == "" {
		return false
	}
	if name, known := countNames[word]; known {
		word = name
	}
	c.by[word] += n
	return true
}

// ran is how many tests have an outcome.
func (c *pytestCounts) ran() (n int) {
	for _, k := range [...]string{"passed", "failed", "error", "skipped", "xfailed", "xpassed"} {
		n += c.by[k]
	}
	return n
}

// isPytestDuration accepts "0.12s" and "75.31s (0:01:15)", whole, and "0.12
// seconds" as before version 5.
func isPytestDuration(s string) bool {
	secs, rest, _ := strings.Cut(s, " ")
	digits, found := strings.CutSuffix(secs, "s")
	if rest == "seconds" {
		digits, found, rest = secs, true, ""
	}
	whole, frac, dot := strings.Cut(digits, ".")
	if !found || !dot || !lex.IsDigits(whole) || len(frac) != 2 || !lex.IsDigits(frac) {
		return false
	}
	return rest == "" || rest[0] == '(' && rest[len(rest)-1] == ')' && strings.Contains(rest, ":")
}

// pytestLetters are the outcomes of the progress line; xdist, subtests and
// reruns included.
const pytestLetters = ".FEsxXRu,-y"

// isPytestProgress accepts a line of outcomes as -q prints it, with or without
// the percentage, and the tail of a longer one.
func isPytestProgress(line string) bool {
	letters, percent := cutPercent(line)
	letters = strings.TrimRight(letters, " ")
	return (letters != "" || percent) && strings.Trim(letters, pytestLetters) == ""
}

// cutPercent takes " [ 42%]" off the end of a progress line.
func cutPercent(line string) (rest string, ok bool) {
	if !strings.HasSuffix(line, "%]") {
		return line, false
	}
	i := strings.LastIndexByte(line, '[')
	if i < 0 || !lex.IsDigits(strings.TrimLeft(line[i+1:len(line)-2], " ")) {
		return line, false
	}
	return line[:i], true
}
