package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"cairn/manifest"
)

// always are the sections that any walk over the rows and Record may need: which of two
// rows of one run counts is decided during the walk, when it is too late to rebuild a
// damaged segment.
var always = []int{colTime, colID, colLine, colShard, colAt, colSize}

// Sections that a question passes to Need to load.
var (
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

// Need loads the given sections of every segment. If a segment is damaged, its rows are
// made again from the shards.
func (x *Index) Need(groups ...[]int) error {
	groups = append(groups, always)
	x.loadAtOnce(groups)
	for i := 0; i < len(x.segments); {
		if s := x.segments[i]; s.loadAll(groups) == nil {
			i++
		} else if err := x.remake(i); err != nil {
			return err
		} else {
			i = 0 // segments may have been written and joined
		}
	}
	return nil
}

// loadAtOnce loads and checks several segments at a time. An error is ignored here:
// Need meets it again.
func (x *Index) loadAtOnce(groups [][]int) {
	x.AtOnce(func(s *Segment) { _ = s.loadAll(groups) })
}

// AtOnce calls visit for each segment, in several goroutines.
func (x *Index) AtOnce(visit func(s *Segment)) {
	next := make(chan *Segment)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(x.segments)) {
		all.Go(func() {
			for s := range next {
				visit(s)
			}
		})
	}
	for _, s := range x.segments {
		next <- s
	}
	close(next)
	all.Wait()
}

func (s *Segment) loadAll(groups [][]int) error {
	for _, group := range groups {
		if err := s.load(group...); err != nil {
			return err
		}
	}
	return nil
}

// remake removes segment i and reads its shards again.
func (x *Index) remake(i int) error {
	s := x.segments[i]
	if s.name == "" {
		return errDamaged // the segment was made just now, in memory
	}
	s.close()
	os.Remove(filepath.Join(x.dir, filepath.Base(s.name)))
	x.segments = slices.Delete(x.segments, i, i+1)
	fresh, err := x.fresh()
	if err != nil {
		return err
	}
	return x.catchUp(fresh)
}

// Each calls visit with one row of each run, in order of time or in reverse (see each
// for rows from the future), until visit returns false. If several rows have the id of
// one run, Each takes the row whose record a reader of the manifest would get.
func (x *Index) Each(newest bool, visit func(s *Segment, i int) bool) error {
	return x.each(newest, nil, visit)
}

// each is Each for the rows in only, or for all if only is nil. The time of a row from
// the future is wrong, so both orders treat it as the oldest. There are rarely any.
func (x *Index) each(newest bool, only map[*Segment][]uint64, visit func(s *Segment, i int) bool) error {
	horizon := x.horizon()
	if !slices.ContainsFunc(x.segments, func(s *Segment) bool { return s.Len() > 0 && int64(s.u64(colTime, s.Len()-1)) >= horizon }) {
		return x.inOrder(newest, only, visit)
	}
	stopped := false
	half := func(future bool) error {
		return x.inOrder(newest, only, func(s *Segment, i int) bool {
			if future != (int64(s.u64(colTime, i)) >= horizon) {
				return true
			}
			stopped = !visit(s, i)
			return !stopped
		})
	}
	if err := half(!newest); err != nil || stopped {
		return err
	}
	return half(newest)
}

// Apart says whether rows of different segments are certainly rows of different runs, and all shards are unchanged:
// then only Twin rows share a run.
func (x *Index) Apart() bool {
	sorted := slices.DeleteFunc(slices.Clone(x.segments), func(s *Segment) bool { return s.Len() == 0 })
	slices.SortFunc(sorted, func(a, b *Segment) int { return cmp.Compare(int64(a.u64(colTime, 0)), int64(b.u64(colTime, 0))) })
	for k, s := range sorted {
		if slices.Contains(s.dead, true) || k > 0 && int64(sorted[k-1].u64(colTime, sorted[k-1].Len()-1)) >= int64(s.u64(colTime, 0)) {
			return false
		}
	}
	return true
}

// Twin says whether a row is of the same run as the row before it.
func (s *Segment) Twin(i int) bool {
	return i > 0 && s.u64(colTime, i) == s.u64(colTime, i-1) && s.u64(colID, i) == s.u64(colID, i-1)
}

// horizon is the time from which a row counts as from the future, in the unit of colTime.
func (x *Index) horizon() int64 { return x.m.Horizon().UnixMicro() }

// inOrder visits the rows in order of time, rows from the future included.
func (x *Index) inOrder(newest bool, only map[*Segment][]uint64, visit func(s *Segment, i int) bool) error {
	w := walk{x: x, newest: newest}
	for _, s := range x.segments {
		c := &cursor{s: s, only: only[s], i: -1, step: 1, end: s.Len(), mixed: slices.Contains(s.dead, true)}
		if newest {
			c.i, c.step, c.end = s.Len(), -1, -1
		}
		if c.next() {
			w.open = append(w.open, c)
		}
	}
	for len(w.open) > 0 {
		c := w.open[w.least()]
		s, i := c.s, c.i
		at, id := c.time, c.id
		w.advance()
		if w.bound != nil && w.bound.id == id && w.bound.time == at || c.i != c.end && c.id == id && c.time == at {
			var err error
			if s, i, err = w.choose(s, i, at, id); err != nil {
				return err
			}
		}
		if !visit(s, i) {
			return nil
		}
		w.rest()
	}
	return nil
}

// cursor is the position of a walk in one segment.
type cursor struct {
	s            *Segment
	only         []uint64 // the rows to visit, one bit each; nil for all
	i, step, end int
	mixed        bool // some of its shards changed or are gone
	time         int64
	id           uint64
}

// next moves to the next row to visit; false at the end.
func (c *cursor) next() bool {
	times, ids, shards := c.s.body[colTime], c.s.body[colID], c.s.body[colShard]
	all := !c.mixed
	for c.i += c.step; c.i != c.end; c.i += c.step {
		if c.only != nil {
			if c.i = nextIn(c.only, c.i, c.step, c.end); c.i == c.end {
				break
			}
		}
		if all || !c.s.dead[binary.LittleEndian.Uint32(shards[4*c.i:])] {
			c.time, c.id = int64(binary.LittleEndian.Uint64(times[8*c.i:])), binary.LittleEndian.Uint64(ids[8*c.i:])
			return true
		}
	}
	return false
}

// walk goes through several segments at once. As a rule the segments follow each other in
// time, so it stays with one segment until another has the next row.
type walk struct {
	x      *Index
	newest bool
	open   []*cursor
	best   int        // index in open of the cursor with the next row
	bound  *cursor    // the cursor with the first row of all others; nil if there are none
	looked bool       // best and bound are valid
	done   []*Segment // segments whose last row is being visited
}

// before says whether the walk visits a before b.
func (w *walk) before(a, b *cursor) bool {
	if a.time != b.time {
		return (a.time < b.time) != w.newest
	}
	return a.id != b.id && (a.id < b.id) != w.newest
}

// least is the index in open of the segment with the next row.
func (w *walk) least() int {
	if w.looked && (w.bound == nil || !w.before(w.bound, w.open[w.best])) {
		return w.best
	}
	w.best, w.bound, w.looked = 0, nil, true
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
	return w.best
}

// advance moves beyond the next row.
func (w *walk) advance() {
	if c := w.open[w.best]; !c.next() {
		w.done = append(w.done, c.s)
		w.open, w.looked = slices.Delete(w.open, w.best, w.best+1), false
	}
}

// rest releases the memory of segments that the walk has left.
func (w *walk) rest() {
	for _, s := range w.done {
		s.Rest()
	}
	w.done = w.done[:0]
}

// choose takes all further rows of the same run and chooses one. If their lines are
// equal, this clone's own row is chosen; if the lines differ, the records themselves
// are compared.
func (w *walk) choose(s *Segment, i int, at int64, id uint64) (*Segment, int, error) {
	for len(w.open) > 0 {
		c := w.open[w.least()]
		if c.time != at || c.id != id {
			break
		}
		t, j := c.s, c.i
		w.advance()
		if s.u32(colLine, i) == t.u32(colLine, j) {
			if t.own(j) && !s.own(i) {
				s, i = t, j
			}
			continue
		}
		a, err := w.record(s, i)
		if err != nil {
			return nil, 0, err
		}
		b, err := w.record(t, j)
		if err != nil {
			return nil, 0, err
		}
		if a == nil || b != nil && manifest.Prefer(a, b) == b {
			s, i = t, j
		}
	}
	return s, i, nil
}

// record is the record of a row, or nil if its shard was removed after Open.
func (w *walk) record(s *Segment, i int) (*manifest.Record, error) {
	rec, err := w.x.Record(s, i)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rec, err
}

func (s *Segment) own(i int) bool { return s.folderOf(int(s.u32(colShard, i))).own }

// Record reads the record of a row.
func (x *Index) Record(s *Segment, i int) (*manifest.Record, error) {
	return x.m.ReadAt(s.shard(int(s.u32(colShard, i))), int64(s.u32(colAt, i)), int(s.u32(colSize, i)))
}

// After says whether a row comes after another in the order of Each.
func (x *Index) After(s *Segment, i int, than *Segment, j int) bool {
	horizon := x.horizon()
	if future := int64(s.u64(colTime, i)) >= horizon; future != (int64(than.u64(colTime, j)) >= horizon) {
		return !future
	}
	return cmp.Or(cmp.Compare(s.u64(colTime, i), than.u64(colTime, j)), cmp.Compare(s.u64(colID, i), than.u64(colID, j))) > 0
}
