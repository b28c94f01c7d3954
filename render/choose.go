package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/result"
)

// Limits above which findings are read by a query, not by eye: maxLines lines of findings, and maxAdded places that are
// added to these lines.
const (
	maxLines = 100
	maxAdded = 1000
)

// choose selects the findings to show: at most maxLines rows, failures before warnings and the first of each rule before
// further ones, and at most maxAdded findings that join one of these rows. Both lists keep their order.
func choose(all []result.Finding) (shown, left []result.Finding) {
	if len(all) <= maxLines {
		return all, nil
	}
	row := rowsOf(all)
	var best []int
	times, nth := map[string]int{}, make([]int, len(all))
	for i, f := range all {
		if row[i] == i {
			what := cmp.Or(f.Rule, f.Message)
			best, nth[i] = append(best, i), times[what]
			times[what]++
		}
	}
	slices.SortStableFunc(best, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(all[a]), rank(all[b])), cmp.Compare(nth[a], nth[b]))
	})
	chosen := make([]bool, len(all))
	for _, i := range best[:min(len(best), maxLines)] {
		chosen[i] = true
	}
	places := maxAdded
	for i, f := range all {
		if row[i] != i && chosen[row[i]] && places > 0 {
			chosen[i] = true
			places--
		}
		if chosen[i] {
			shown = append(shown, f)
		} else {
			left = append(left, f)
		}
	}
	return shown, left
}

// rowsOf is, for each finding, the index of the first finding in the same row (see grouping): one with the same text,
// at another place of the same file.
func rowsOf(all []result.Finding) []int {
	in, placeless := map[string]int{}, map[string]bool{}
	for _, f := range all {
		in[pathOf(f)]++
		placeless[pathOf(f)] = placeless[pathOf(f)] || lineOf(f) == ""
	}
	type said struct {
		path, rest string
		at         result.Location
	}
	row, first, seen := make([]int, len(all)), map[said]int{}, map[said]bool{}
	for i, f := range all {
		row[i] = i
		path := pathOf(f)
		if placeless[path] || in[path] < leastGrouped {
			continue
		}
		f.Location = ""
		s := said{path: path, rest: Line(f)}
		if j, known := first[s]; known {
			row[i] = j
		} else {
			first[s] = i
		}
		if s.at = *f.At; seen[s] {
			row[i] = i
		}
		seen[s] = true
	}
	return row
}

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
