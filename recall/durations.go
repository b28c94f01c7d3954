package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
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

// Runs finds a few captures by their command or their tree. The caller must close it. A record that
// cannot be read makes each question fail, since otherwise an older run would be taken for the newest.
type Runs struct{ x *index.Index }

// OpenRuns opens the record of a site.
func OpenRuns(ctx context.Context, s *place.Site) (*Runs, error) {
	x, err := openRows(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := x.Need(index.Texts, index.Wheres); err != nil {
		x.Close()
		return nil, err
	}
	return &Runs{x}, nil
}

// Close closes the index.
func (r *Runs) Close() { r.x.Close() }

// On returns at most most captures, newest first, that ran on one of the commits or
// trees in hashes; a tree is that of all files that git does not ignore.
func (r *Runs) On(hashes []string, most int) ([]*manifest.Record, error) {
	here := func(text string) bool {
		_, rest, _ := strings.Cut(text, part)
		commit, _, _ := strings.Cut(rest, part)
		return slices.Contains(hashes, commit) || slices.Contains(hashes, text[strings.LastIndex(text, part)+1:])
	}
	return r.newest(most, func(s *index.Segment, add func(i int)) {
		s.BeingAfter(index.Wheres, part[0], hashes, here, add)
	})
}

// Of returns at most most captures of each command key, newest first.
func (r *Runs) Of(keys []string, most int) (map[string][]*manifest.Record, error) {
	if err := r.x.Need(index.Texts, index.Keys); err != nil {
		return nil, err
	}
	// The newest rows of a key in each segment are enough, unless some of them do not count.
	of, cut, err := r.of(keys, most, 2*most)
	if err == nil && slices.ContainsFunc(cut, func(key string) bool { return len(of[key]) < most }) {
		of, _, err = r.of(keys, most, math.MaxInt)
	}
	return of, err
}

// of looks at the newest rows of each key in a segment, at most rows of them. cut are the keys that have more rows in
// some segment.
func (r *Runs) of(keys []string, most, rows int) (of map[string][]*manifest.Record, cut []string, failed error) {
	of = map[string][]*manifest.Record{}
	var there []string
	chosen := r.x.Select(func(s *index.Segment, add func(i int)) {
		for key, more := range s.Newest(index.Keys, keys, rows, add) {
			if there = append(there, key); more {
				cut = append(cut, key)
			}
		}
	})
	err := chosen.Each(true, func(s *index.Segment, i int) bool {
		key := s.Text(s.Key(i))
		if len(of[key]) >= most {
			return true
		}
		rec, err := r.x.Record(s, i)
		if failed = err; err == nil && rec.Type == manifest.TypeCapture {
			of[key] = append(of[key], rec)
		}
		return err == nil && slices.ContainsFunc(there, func(key string) bool { return len(of[key]) < most })
	})
	return of, cut, errors.Join(err, failed)
}

// Saying returns the newest captures whose command line contains text and more than it.
func (r *Runs) Saying(text string, most int) ([]*manifest.Record, error) {
	if err := r.x.Need(index.Texts, index.Commands); err != nil {
		return nil, err
	}
	return r.newest(most, func(s *index.Segment, add func(i int)) {
		s.BeingLike(index.Commands, text, func(line string) bool { return line != text }, add)
	})
}

func (r *Runs) newest(most int, choose func(s *index.Segment, add func(i int))) (found []*manifest.Record, err error) {
	var failed error
	err = r.x.Select(choose).Each(true, func(s *index.Segment, i int) bool {
		rec, err := r.x.Record(s, i)
		if failed = err; err == nil && rec.Type == manifest.TypeCapture {
			found = append(found, rec)
		}
		most--
		return err == nil && most > 0
	})
	return found, errors.Join(err, failed)
}
