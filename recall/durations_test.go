package recall

import (
	"testing"

	"cairn/manifest"
	"cairn/outcomes"
)

// TestDurations: a test is slower if its newest run takes twice as long, and 200 ms longer, as the median on other trees.
func TestDurations(t *testing.T) {
	over := &TestsOver{tests: map[testOf][]came{}}
	run := func(tree string) int32 {
		over.Runs = append(over.Runs, &manifest.Record{ID: "run " + tree, Key: "k", Argv: []string{"pytest"}, Git: &manifest.Git{Worktree: tree}})
		return int32(len(over.Runs) - 1)
	}
	took := func(id string, ms ...int32) { // by run, the newest first; negative: it did not run
		for i, n := range ms {
			if n >= 0 {
				over.tests[testOf{"k", "", id}] = append(over.tests[testOf{"k", "", id}], came{int32(i), n, outcomes.Passed})
			}
		}
	}
	for _, tree := range []string{"new", "new", "old1", "old2", "", "old3"} {
		run(tree)
	}
	took("slower", 900, 900, 400, 100, 5000, 450)   // median of the others: 400
	took("not twice", 799, 0, 400, 400, 0, 400)     // 1.99 times
	took("not by 200 ms", 250, 0, 60, 60, 0, 60)    // 190 ms
	took("same tree only", 900, 100)                //
	took("unknown tree only", 900, 0, 0, 0, 100, 0) //
	took("unknown before", 900, 0, 0, 0, 0, 0)      //
	took("gone", -1, 9000, 10, 10, 10, 10)          //
	d := over.durations()
	if len(d.Slower) != 1 || d.Slower[0].ID != "slower" || d.Slower[0].Now != 900 || d.Slower[0].Before != (Took{3, 100, 400, 450, 450}) || d.Slower[0].Run != "run new" {
		t.Errorf("slower: %+v", d.Slower)
	}
	if len(d.Slowest) != 6 || d.Slowest[0].ID != "unknown before" || d.Slowest[0].Took != (Took{1, 900, 900, 900, 900}) {
		t.Errorf("slowest: %+v", d.Slowest)
	}
	for n, want := range map[int]Took{1: {1, 1, 1, 1, 1}, 2: {2, 1, 1, 2, 2}, 10: {10, 1, 5, 9, 10}} {
		var ms []int64
		for i := n; i > 0; i-- {
			ms = append(ms, int64(i))
		}
		if got := tookOf(ms); got != want {
			t.Errorf("1 to %d: %+v, want %+v", n, got, want)
		}
	}
}
