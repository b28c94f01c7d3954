package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"
)

// foldState remembers what is on the branch, so that a fold looks only at
// what came after. It is a hint that the next fold checks: without it, or
// when branch or writer are others, every shard is compared with the branch,
// and when the tip moved, those that moved with it.
type foldState struct {
	Branch string       `json:"branch"`
	Writer string       `json:"writer"`
	Tip    string       `json:"tip"`
	At     time.Time    `json:"at"`   // of the last fold
	Days   map[day]mark `json:"days"` // how far the writer's shards are folded

	Refused   string    `json:"refused,omitempty"` // why the fold after At could not be
	RefusedAt time.Time `json:"refused_at,omitzero"`
}

// mark is a place in the shards of one day: all before shard N, and of N the
// first Size bytes.
type mark struct {
	N    int   `json:"n"`
	Size int64 `json:"size"`
}

// keepDays bounds the marks that are remembered. A day that is older and is
// appended to again (a clock that went back, a repaired capture) is compared
// with the branch.
const keepDays = 32

func (m *Manifest) loadFold() foldState {
	var st foldState
	b, err := os.ReadFile(m.path(foldFile))
	if err != nil || json.Unmarshal(b, &st) != nil || st.Days == nil {
		return foldState{Days: map[day]mark{}}
	}
	return st
}

func (m *Manifest) saveFold(st foldState) error {
	b, err := json.Marshal(st)
	if err == nil {
		err = replace(m.path(foldFile), append(b, '\n'), false)
	}
	if err != nil {
		return fmt.Errorf("remembering what was folded: %w", err)
	}
	return nil
}

// equal says whether two states remember the same.
func (st *foldState) equal(other foldState) bool {
	return st.Branch == other.Branch && st.Writer == other.Writer && st.Tip == other.Tip && st.At.Equal(other.At) &&
		st.Refused == other.Refused && maps.Equal(st.Days, other.Days)
}

// trim forgets the marks of old days that have nothing pending.
func (st *foldState) trim(pending []day) {
	var days []day
	for d := range st.Days {
		if !slices.Contains(pending, d) {
			days = append(days, d)
		}
	}
	slices.Sort(days)
	for i := 0; len(days)-i > keepDays; i++ {
		delete(st.Days, days[i])
	}
}

// newest is the latest day with a mark, "" without one.
func (st *foldState) newest() day {
	var last day
	for d := range st.Days {
		last = max(last, d)
	}
	return last
}

// end is the place after the last line of the writer on d.
func (m *Manifest) end(d day, writer string, from mark) (mark, error) {
	n, err := m.lastShard(d, writer, from.N)
	if err != nil || n == 0 {
		return mark{}, err
	}
	fi, err := os.Stat(m.path(shardPath(d, writer, n)))
	if err != nil {
		return mark{}, fmt.Errorf("looking at the last shard of %s: %w", d, err)
	}
	return mark{N: n, Size: fi.Size()}, nil
}
