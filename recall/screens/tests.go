package screens

import (
	"fmt"
	"strings"

	"cairn/outcomes"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// TestCounts counts the outcomes of a test over all its runs, in one line.
func TestCounts(past recall.TestPast) string {
	runs, sum := past.Runs, recall.SumOf(past.Runs)
	var words []string
	for _, o := range outcomes.All {
		if n := sum.Counts[string(o)]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, o))
		}
	}
	line := fmt.Sprintf("%s: %s", result.Count(len(runs), "run"), strings.Join(words, ", "))
	if sum.FirstFailed != "" {
		line += fmt.Sprintf("; failed first at %s, last at %s", render.ShortRun(sum.FirstFailed), render.ShortRun(sum.LastFailed))
	}
	if t := sum.Took; t.Runs > 0 {
		line += fmt.Sprintf("; took %s to %s, median %s, 90 %% at most %s (%s)", Millis(t.Shortest), Millis(t.Longest), Millis(t.Median), Millis(t.P90), result.Count(t.Runs, "run"))
	}
	if past.Quiet > 0 {
		line += fmt.Sprintf("; beside these, %s of the same commands passed without a list of tests", result.Count(past.Quiet, "run"))
	}
	switch {
	case sum.Counts[string(outcomes.Flaky)] > 0:
		return line + "; flaky: it passed on a retry"
	case sum.Flaky:
		return line + "; flaky: it passed and failed on one tree"
	}
	return line
}

// TestsChange is the tests that changed in one way.
type TestsChange struct {
	Word, counted string
	Tests         outcomes.List
}

// TestsOf lists the tests by the way in which they changed.
func TestsOf(t *recall.TestsThen) []TestsChange {
	if t == nil || t.Change == nil {
		return nil
	}
	c := t.Change
	return []TestsChange{
		{"gone", "gone", c.Gone}, {"skipped", "newly skipped", c.Skipped}, {"xfailed", "newly expected to fail", c.XFailed},
		{"passed", "newly passed", c.Passed}, {"added", "added", c.New},
	}
}

// mostTests is how many tests of one change are shown to people.
const mostTests = 20

// TestChanges lists how the tests differ.
func TestChanges(t *recall.TestsThen) string {
	var b strings.Builder
	show := func(word string, n int, one func(i int) string) {
		for i := range min(n, mostTests) {
			fmt.Fprintf(&b, "%-7s %s\n", word, result.CleanLine(one(i)))
		}
		if n > mostTests {
			fmt.Fprintf(&b, "[… %d more %s: --format json]\n", n-mostTests, word)
		}
	}
	for _, list := range TestsOf(t) {
		show(list.Word, len(list.Tests), func(i int) string { return list.Tests[i].ID })
	}
	if t != nil && t.Change != nil {
		show("moved", len(t.Change.Moved), func(i int) string {
			return t.Change.Moved[i].From.ID + " → " + t.Change.Moved[i].To.ID + " (a guess)"
		})
	}
	return b.String()
}

// countTests counts the tests that changed, by the way in which they did; "" if none did.
func countTests(t *recall.TestsThen) string {
	if t == nil {
		return ""
	}
	var words []string
	say := func(n int, what string) {
		if n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, what))
		}
	}
	for _, list := range TestsOf(t) {
		say(len(list.Tests), list.counted)
	}
	if t.Change != nil {
		say(len(t.Change.Moved), "renamed or moved (a guess)")
	}
	say(t.Fewer, "fewer")
	say(t.Skipped, "more skipped or expected to fail")
	if len(words) == 0 {
		return ""
	}
	return "; tests: " + strings.Join(words, ", ")
}
