package render

import (
	"fmt"
	"strings"

	"cairn/result"
)

// shortRun is how many characters of a run id are printed: its time in milliseconds and ten bits more.
const shortRun = 12

// ShortRun is the part of a run id that is printed; recall accepts it as an id.
func ShortRun(id string) string { return id[:min(len(id), shortRun)] }

// Baseline compares a failed run with earlier ones, in one line without times; it is "" if nothing is certain:
//
//	2 new, 1 still failing since 3 runs (fix attempts: 2), 4 fixed, against run 01M7XQ40K3ZD on this branch
func Baseline(b *result.Baseline) string {
	if b == nil || b.Run == "" {
		return ""
	}
	words := []string{fmt.Sprintf("%d new", b.New)}
	if b.Still > 0 {
		words = append(words, stillWords(b))
	}
	if b.Fixed != nil && *b.Fixed > 0 {
		words = append(words, fmt.Sprintf("%d fixed", *b.Fixed))
	}
	return result.CleanLine(strings.Join(words, ", ") + ", against run " + ShortRun(b.Run) + " " + b.Where)
}

func stillWords(b *result.Baseline) string {
	text := fmt.Sprintf("%d still failing", b.Still)
	if b.SinceRuns == 0 {
		return text
	}
	if b.Still > 1 {
		text += ", the oldest"
	}
	more := ""
	if b.SinceMore {
		more = " or more"
	}
	text += fmt.Sprintf(" since %d%s %s", b.SinceRuns, more, plural(b.SinceRuns, "run"))
	if b.Attempts > 0 {
		text += fmt.Sprintf(" (fix attempts: %d)", b.Attempts)
	}
	return text
}

// SameTree is the line about an earlier run on the same tree, empty without one.
func SameTree(r *result.ToolResult) string {
	if r == nil || r.Baseline == nil || r.Baseline.SameTree == nil {
		return ""
	}
	t := r.Baseline.SameTree
	return result.CleanLine(fmt.Sprintf("[same tree as %s ago (%s): %s]", Span(t.Seconds), ShortRun(t.Run), t.Then)) + "\n"
}

// Span is a number of seconds in words: "4 minutes".
func Span(seconds int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"day", 86400}, {"hour", 3600}, {"minute", 60}} {
		if n := seconds / unit.size; n > 0 {
			return result.Count(n, unit.name)
		}
	}
	return result.Count(seconds, "second")
}

// Unchanged is the whole answer if the output is the same as that of an earlier run in the session: the verdict, and
// which run has the rest.
func Unchanged(r *result.ToolResult) string {
	n := r.Truncated.FindingsTotal
	what := fmt.Sprintf("the same %d %s", n, plural(n, "finding"))
	if n == 0 {
		what = "the same output"
	}
	return strings.TrimSuffix(header(r, ""), "\n") + " [unchanged: " + what + " as run " + ShortRun(r.Baseline.Unchanged) + "]\n"
}
