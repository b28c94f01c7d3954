package index

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"cairn/manifest"
)

// Sections that Need names, for a question to load what it looks at.
var (
	Always   = []int{colTime, colID, colLine, colShard}
	Places   = []int{colAt, colSize}
	Texts    = []int{secTexts, secTextBytes}
	Keys     = []int{colKey}
	Commands = []int{colCommand}
	Whats    = []int{colWhat}
	Wheres   = []int{colWhere}
	Whos     = []int{colWho}
	Numbers  = []int{colDuration, colRaw, colShown}
	Flags    = []int{colFlags}
	Findings = []int{secFindings, secFindingText, secHasFrom, secHas}
)

// Need reads, of every segment, what a question is going to look at. What a
// damaged one held is read from its shards again.
func (x *Index) Need(groups ...[]int) error {
	for i := 0; i < len(x.segments); {
		if s := x.segments[i]; s.loadAll(append(groups, Always)) == nil {
			i++
		} else if err := x.remake(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *Segment) loadAll(groups [][]int) error {
	for _, group := range groups {
		if err := s.load(group...); err != nil {
			return err
		}
	}
	return nil
}

// remake takes a segment out and reads its shards anew.
func (x *Index) remake(i int) error {
	s := x.segments[i]
	if s.name == "" {
		return errDamaged // it was made just now, in memory
	}
	var live []manifest.ShardFile
	for j, f := range s.shards {
		if !s.dead[j] {
			live = append(live, f)
		}
	}
	s.close()
	os.Remove(filepath.Join(x.dir, filepath.Base(s.name)))
	x.segments = slices.Delete(x.segments, i, i+1)
	return x.catchUp(live)
}

// Each calls visit with every row, in order of time or against it, each run
// once, until visit says no. Of several rows that claim one run the one is taken
// that a reader of the manifest would be shown.
func (x *Index) Each(newest bool, visit func(s *Segment, i int) bool) error {
	w := walk{x: x, newest: newest}
	for _, s := range x.segments {
		c := &cursor{s: s, i: -1, step: 1, end: s.Len()}
		if newest {
			c.i, c.step, c.end = s.Len(), -1, -1
		}
		if c.next() {
			w.open = append(w.open, c)
		}
	}
	for len(w.open) > 0 {
		s, i := w.least()
		if len(w.open) > 0 && w.twin(s, i) {
			var err error
			if s, i, err = w.settle(s, i); err != nil {
				return err
			}
		}
		if !visit(s, i) {
			return nil
		}
	}
	return nil
}

type cursor struct {
	s            *Segment
	i, step, end int
	time         int64
	id           uint64
}

// next goes to the next row that counts.
func (c *cursor) next() bool {
	for c.i += c.step; c.i != c.end; c.i += c.step {
		if !c.s.dead[c.s.u32(colShard, c.i)] {
			c.time, c.id = int64(c.s.u64(colTime, c.i)), c.s.u64(colID, c.i)
			return true
		}
	}
	return false
}

// walk goes through several segments at once. As a rule they follow each other
// in time, so one is gone on with until another has the next row.
type walk struct {
	x      *Index
	newest bool
	open   []*cursor
	best   int     // of open: has the next row
	bound  *cursor // has the one after that; nil when best is to be looked for
}

// before is the order of the walk.
func (w *walk) before(a, b *cursor) bool {
	c := cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.id, b.id))
	return w.newest && c > 0 || !w.newest && c < 0
}

// least takes the next row of all.
func (w *walk) least() (*Segment, int) {
	if w.bound == nil || !w.before(w.open[w.best], w.bound) {
		w.look()
	}
	c := w.open[w.best]
	s, i := c.s, c.i
	if !c.next() {
		w.open, w.bound = slices.Delete(w.open, w.best, w.best+1), nil
	}
	return s, i
}

// look finds the segment that has the next row, and the one to compare it with
// from then on.
func (w *walk) look() {
	w.best, w.bound = 0, nil
	for k := 1; k < len(w.open); k++ {
		if w.before(w.open[k], w.open[w.best]) {
			w.best = k
		}
	}
	for k, c := range w.open {
		if k != w.best && (w.bound == nil || w.before(c, w.bound)) {
			w.bound = c
		}
	}
}

// twin says whether a row that follows is of the same run.
func (w *walk) twin(s *Segment, i int) bool {
	at, id := int64(s.u64(colTime, i)), s.u64(colID, i)
	for _, c := range w.open {
		if c.id == id && c.time == at {
			return true
		}
	}
	return false
}

// settle takes all the rows of one run and chooses: equal lines are one record,
// this clone's own first; of others the records themselves are looked at.
func (w *walk) settle(s *Segment, i int) (*Segment, int, error) {
	for w.twin(s, i) {
		t, j := w.least()
		switch {
		case s.u32(colLine, i) == t.u32(colLine, j):
			if t.own(j) && !s.own(i) {
				s, i = t, j
			}
		default:
			a, err := w.x.Record(s, i)
			if err != nil {
				return nil, 0, err
			}
			b, err := w.x.Record(t, j)
			if err != nil {
				return nil, 0, err
			}
			if manifest.Prefer(a, b) == b {
				s, i = t, j
			}
		}
	}
	return s, i, nil
}

func (s *Segment) own(i int) bool { return s.shards[s.u32(colShard, i)].Own }

// Record reads the record of a row.
func (x *Index) Record(s *Segment, i int) (*manifest.Record, error) {
	if err := s.load(Places...); err != nil {
		return nil, err
	}
	return x.m.ReadAt(s.shards[s.u32(colShard, i)], int64(s.u32(colAt, i)), int(s.u32(colSize, i)))
}

// After says whether a row comes after another in the order of Each.
func After(s *Segment, i int, than *Segment, j int) bool {
	return cmp.Or(cmp.Compare(s.u64(colTime, i), than.u64(colTime, j)), cmp.Compare(s.u64(colID, i), than.u64(colID, j))) > 0
}
