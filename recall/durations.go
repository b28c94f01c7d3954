package recall

import (
	"cmp"
	"slices"
	"strings"
)

// Took is how the durations of a test are distributed, in milliseconds.
type Took struct {
	Runs     int   `json:"runs"`
	Shortest int64 `json:"min_ms"`
	Median   int64 `json:"median_ms"`
	P90      int64 `json:"p90_ms"`
	Longest  int64 `json:"max_ms"`
}

func tookOf(ms []int64) (t Took) {
	if t.Runs = len(ms); t.Runs == 0 {
		return t
	}
	slices.Sort(ms)
	t.Shortest, t.Longest = ms[0], ms[len(ms)-1]
	t.Median, t.P90 = (ms[(len(ms)-1)/2]+ms[len(ms)/2])/2, ms[(len(ms)*9-1)/10]
	return t
}

// took is the distribution of the test's durations over all runs in which the duration is known.
func (t *TestSeries) took() Took {
	var ms []int64
	for _, c := range t.came {
		if c.took > 0 {
			ms = append(ms, int64(c.took))
		}
	}
	return tookOf(ms)
}

// Durations are how long tests take, over the newest runs that kept a list.
type Durations struct {
	Runs    int        `json:"runs"`                     // runs with a list
	Away    int        `json:"runs_elsewhere,omitempty"` // further runs whose list is not in this clone
	Slowest []SlowTest `json:"slowest"`
	Slower  []Slower   `json:"slower"` // tests whose durations grew most
}

// SlowTest is one of the slowest tests.
type SlowTest struct {
	ID      string `json:"id"`
	Command string `json:"command"` // of the newest run that has the test
	Took
}

// mostSlow is how many tests are named at most.
const mostSlow = 10

func (o *TestsOver) durations() Durations {
	newest := map[string]int32{}
	for i := len(o.Runs) - 1; i >= 0; i-- {
		newest[o.Runs[i].Key] = int32(i)
	}
	d := Durations{Runs: len(o.Runs), Away: o.Away, Slowest: []SlowTest{}, Slower: []Slower{}}
	o.Each(func(t *TestSeries) {
		if slower := t.slower(newest); slower != nil {
			d.Slower = append(d.Slower, *slower)
		}
		if newest[t.Command.Key] != t.came[0].run {
			return // the newest run of the command does not have the test
		}
		if took := t.took(); took.Runs > 0 {
			d.Slowest = append(d.Slowest, SlowTest{t.ID, CommandLine(t.Command), took})
		}
	})
	slices.SortFunc(d.Slowest, func(a, b SlowTest) int {
		return cmp.Or(cmp.Compare(b.Took.Median, a.Took.Median), strings.Compare(a.ID, b.ID), strings.Compare(a.Command, b.Command))
	})
	slices.SortFunc(d.Slower, func(a, b Slower) int {
		return cmp.Or(cmp.Compare(b.Now-b.Before.Median, a.Now-a.Before.Median), strings.Compare(a.ID, b.ID), strings.Compare(a.Command, b.Command))
	})
	seen := map[string]bool{} // a test that several commands run is named once
	d.Slowest = slices.DeleteFunc(d.Slowest, func(t SlowTest) bool {
		was := seen[t.ID]
		seen[t.ID] = true
		return was
	})
	d.Slowest = d.Slowest[:min(len(d.Slowest), mostSlow)]
	return d
}

// A test has become slower if it takes slowerTimes as long as before and slowerMillis longer.
const (
	slowerTimes  = 2
	slowerMillis = 200
	slowerRuns   = 20 // how many of the newest runs on other trees are compared with
)

// Slower is a test that has become slower.
type Slower struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Run     string `json:"run"`    // the newest run
	Now     int64  `json:"now_ms"` // the duration in that run
	Before  Took   `json:"before"` // the durations in the last runs on other trees
}

// slower compares the test's duration in its command's newest run with the last runs on other trees; nil if the test
// has not become slower.
func (t *TestSeries) slower(newest map[string]int32) *Slower {
	now := t.came[0]
	rec := t.over.Runs[now.run]
	if newest[rec.Key] != now.run {
		return nil // the newest run of the command does not have the test
	}
	tree := treeAsFound(rec)
	if now.took == 0 || tree == treeUnknown {
		return nil
	}
	var before []int64
	for _, c := range t.came[1:] {
		if then := treeAsFound(t.over.Runs[c.run]); c.took > 0 && then != tree && then != treeUnknown && len(before) < slowerRuns {
			before = append(before, int64(c.took))
		}
	}
	took := tookOf(before)
	if took.Runs == 0 || int64(now.took) < slowerTimes*took.Median || int64(now.took)-took.Median < slowerMillis {
		return nil
	}
	return &Slower{t.ID, CommandLine(rec), rec.ID, int64(now.took), took}
}
