package render

import (
	"cmp"
	"slices"

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
