package read

import (
	"maps"
	"regexp"
	"strings"
	"sync"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// Counts reads "3 failed, 2 passed", "Tests: 3 failed, 12 total", "2 errors and 1 warning": each number and the
// word behind it, in lower case. Other text is skipped; a number without a word is not counted.
func Counts(line string) map[string]int {
	counts := map[string]int{}
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;|()[]=·•.", r) })
	for i := 0; i+1 < len(words); i++ {
		n := strings.TrimSuffix(words[i], ":")
		if !lex.IsDigits(n) || len(n) > 9 {
			continue
		}
		if word := strings.ToLower(strings.TrimRight(words[i+1], ":!")); word != "" && lex.Letter(word[0]) != 0 {
			counts[word] += lex.Atoi(n)
		}
	}
	return counts
}

// ErrorsIn is the number of errors in "✖ 3 problems (2 errors, 1 warning)".
func ErrorsIn(line string) int {
	n := Counts(line)
	return n["errors"] + n["error"]
}

// CountsBehind reads "Tests run: 13, Failures: 8, Errors: 1": each word, in lower case, and the number behind it.
func CountsBehind(line string) map[string]int {
	counts := map[string]int{}
	for part := range strings.SplitSeq(line, ",") {
		name, n, ok := strings.Cut(part, ":")
		if n = strings.TrimRight(strings.TrimSpace(n), ".)!"); ok && n != "" && lex.IsDigits(n) && len(n) <= 9 {
			counts[strings.ToLower(strings.TrimSpace(name))] += lex.Atoi(n)
		}
	}
	return counts
}

// FailuresIn is how many failures a line of counts reports, whatever the tool: "12 tests, 9 failures", "FAILED
// (failures=4)", "Run: 5  Errors: 1", "# fail 2". It is 0 for prose, which has one number among many words, and for
// expected failures.
func FailuresIn(line string) (most int) {
	if len(line) > 200 || titled(line) || len(numbers().FindAllString(line, 2)) < 2 && !brief(line) {
		return 0
	}
	for _, m := range failuresBehind().FindAllStringSubmatch(line, -1) {
		if !lex.IsOneOf(strings.ToLower(m[1]), "expected known allowed ignored") {
			most = max(most, countOf(m[2]))
		}
	}
	for _, at := range failuresBefore().FindAllStringSubmatchIndex(line, -1) {
		if rest := strings.TrimLeft(line[at[1]:], " "); rest == "" || rest[0] != ':' && rest[0] != '=' { // otherwise the number after the word is meant
			most = max(most, countOf(line[at[2]:at[3]]))
		}
	}
	return most
}

// titled reports whether a line is the verdict of a passed test, whose title may hold any words.
func titled(line string) bool {
	return lex.HasAnyPrefix(strings.TrimLeft(line, " \t"), "✓", "✔", "√", "ok ", "PASS", "[       OK ]", "--- PASS")
}

// brief reports whether a line has few words, and the number is the first or comes right after it.
func brief(line string) bool {
	words := strings.Fields(strings.ToLower(line))
	for len(words) > 0 && strings.IndexFunc(words[0], func(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' }) < 0 {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	first := strings.Trim(words[0], ":(")
	return lex.IsDigits(first) || lex.IsOneOf(first, "found total failed failures fail errors error compiled with tests")
}

func countOf(digits string) int {
	if len(digits) > 9 {
		return 0
	}
	return lex.Atoi(digits)
}

var (
	numbers        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d+\b`) })
	failuresBefore = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[^\w.:-])(\d+) (?:tests? |specs? |test\(s\) )?(?:failed|failures?|failing|errors?)\b`)
	})
	failuresBehind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:(?:\b(\w+) +)?\b(?:failed|failures?|failing|errors?) *[:=] *|^# fail +)(\d+)\b`)
	})
)

// totals are the counts of the closing lines so far.
type totals struct {
	before map[string]int // by runs that have ended
	listed int            // how many failures were read above the last closing line
	bad    int            // how many failures the last closing line counts
	over   bool           // the last closing line certainly ended a run
}

// Total takes the counts of a closing line; bad of them are failures and errors. Normally the last closing line
// replaces earlier ones, since a test may print another program's. But a line that counts exactly the failures
// listed above it, or below it, ended a run, as in a loop over files or over the apps of an umbrella project; then
// the next closing line is another run's, and is added.
func (s *Sink) Total(bad int, counts map[string]int) {
	t, failures := &s.totals, s.Failures()
	if t.over || t.bad > 0 && failures-t.listed == t.bad {
		t.before = maps.Clone(s.Counts)
	}
	clear(s.Counts)
	maps.Copy(s.Counts, t.before)
	for key, n := range counts {
		s.Counts[key] += n
	}
	t.over = bad > 0 && failures-t.listed == bad
	t.listed, t.bad = failures, bad
	s.Claim(bad)
}

// Sum takes the closing line of a test runner that says how many tests there were, and how many of them did not pass.
func (s *Sink) Sum(l tool.Line, tests, failed, errors, skipped int) bool {
	s.Scores(map[string]int{"failed": failed, "error": errors, "skipped": skipped, "passed": max(0, tests-failed-errors-skipped)}, "")
	return s.Ended(l)
}

// Counted takes a test of a runner that prints no counts of its own.
func (s *Sink) Counted(t tool.Test) {
	s.Ran(t)
	s.Count(string(t.Outcome), 1)
	s.Tested = true
}

// Fails takes the number of tests that failed, as the tool counts them.
func (s *Sink) Fails(n int) {
	s.Count("failed", n)
	s.Claim(n)
}

// Ended takes the closing line of a run of tests.
func (s *Sink) Ended(l tool.Line) bool {
	s.Tested = true
	return s.Close(l)
}

// Anew takes the head of a run: counts above it belong to another run.
func (s *Sink) Anew() { s.totals.over = s.totals.over || s.closed }
