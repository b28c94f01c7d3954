package outcomes

import "slices"

// Fewer compares the counts of two runs of one command, by the keys of a result's counts: how
// many tests the later run lacks, and how many more of its tests did not run.
func Fewer(was, is map[string]int) (gone, skipped int) {
	return max(0, Total(was)-Total(is)), max(0, LeftOut(is)-LeftOut(was))
}

// notTests are keys of a result's counts that count something other than tests.
var notTests = []string{"warning", "warnings", "info", "suites_failed", "deselected", "rerun", "total"}

// didNotRun are keys of a result's counts for tests that did not run, or whose outcome does not matter.
var didNotRun = []string{"skipped", "xfailed", "todo", "cancelled", "disabled", "ignored", "pending", "not_run", "did_not_run"}

// Total is how many tests a runner counts, or how many packages if it counts only packages.
func Total(counts map[string]int) (n int) {
	for key, count := range counts {
		if !slices.Contains(notTests, key) {
			n += count
		}
	}
	return n
}

// LeftOut is how many tests of a result's counts did not run.
func LeftOut(counts map[string]int) (n int) {
	for _, key := range didNotRun {
		n += counts[key]
	}
	return n
}
