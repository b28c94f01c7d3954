package pytest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/parsers/text/lex"
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
