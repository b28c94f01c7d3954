package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
)

// fewShards is how many of the newest shards are read before the index is asked, since
// frequent findings are found in the newest shards.
var fewShards = 64

// chosen yields the records that q may select, newest first: from the newest shards
// directly, then from the index. The caller checks each record itself, so the index may
// yield too many records but never too few.
func (q *query) chosen(ctx context.Context, s *place.Site, yield func(*manifest.Record, error) bool) {
	seen, cut := map[string]bool{}, false
	scan := q.scan()
	scan.MostShards, scan.Cut = fewShards, &cut
	if len(scan.Contains) == 0 && hasIndex(s) { // each record would have to be decoded: the index is faster
		q.indexed(ctx, s, seen, yield)
		return
	}
	for rec, err := range s.Manifest.Records(ctx, scan) {
		if !yield(rec, err) || err != nil {
			return
		}
		seen[rec.ID] = true
	}
	if cut {
		q.indexed(ctx, s, seen, yield)
	}
}

// indexed is like chosen but uses only the index. It leaves out the runs in seen.
func (q *query) indexed(ctx context.Context, s *place.Site, seen map[string]bool, yield func(*manifest.Record, error) bool) {
	x, err := openIndex(ctx, s, q.needs()...)
	if err != nil {
		yield(nil, err)
		return
	}
	defer x.Close()
	may := q.rowFilter(x)
	var failed error
	stopped := false
	err = q.mayBe(x).Each(true, func(seg *index.Segment, i int) bool {
		if is, _ := may(row{seg, i}); !is {
			return true
		}
		rec, err := x.Record(seg, i)
		if err != nil {
			failed = err
			return false
		}
		stopped = !seen[rec.ID] && !yield(rec, nil)
		return !stopped
	})
	err = cmp.Or(err, failed)
	if err != nil && !stopped {
		yield(nil, err)
	}
}

// needs are the sections of the index that q has to read.
func (q *query) needs() (groups [][]int) {
	for _, g := range []struct {
		is    bool
		group []int
	}{
		{len(q.Status)+len(q.Kind)+len(q.Tool) > 0, index.Whats}, {len(q.Branch)+len(q.Commits)+len(q.Trees)+len(q.Dirty) > 0, index.Wheres},
		{len(q.Agent)+len(q.Session) > 0, index.Whos}, {len(q.Command) > 0, index.Commands},
		{len(q.Dirty) > 0 || q.aboutFindings(), index.Flags}, {q.aboutFindings(), index.Findings},
	} {
		if g.is {
			groups = append(groups, g.group)
		}
	}
	return groups
}

// walkable is an index, or a selection of its rows.
type walkable interface {
	Each(newest bool, visit func(s *index.Segment, i int) bool) error
}

// mayBe are the rows that meet the rarest of q's conditions: the one on findings, else
// one on a single column.
func (q *query) mayBe(x *rows) walkable {
	column := func(of []int, want func(string) bool, words ...string) walkable {
		return x.Select(func(s *index.Segment, add func(i int)) {
			if len(words) == 1 {
				s.BeingLike(of, words[0], want, add)
			} else {
				s.Being(of, want, add)
			}
		})
	}
	switch {
	case len(q.Fingerprints) > 0:
		return x.having(q.chooseFindings(x))
	case len(q.Session) > 0:
		return column(index.Whos, q.isWho, q.Session.Plain()...)
	case len(q.Command) > 0:
		return column(index.Commands, q.Command.Words, q.Command.Plain()...)
	case len(q.Commits) > 0:
		return column(index.Wheres, q.isWhere, q.hashes()...)
	case len(q.Rule)+len(q.files) > 0:
		sets := q.chooseFindings(x)
		return x.Select(func(s *index.Segment, add func(i int)) {
			s.Having(sets[s], add)
			s.Flagged(rowMore, add)
		})
	case len(q.Trees)+len(q.Branch) > 0:
		return column(index.Wheres, q.isWhere, q.Branch.Plain()...)
	case len(q.Tool)+len(q.Kind)+len(q.Status) > 0:
		return column(index.Whats, q.isWhat)
	case len(q.Agent) > 0:
		return column(index.Whos, q.isWho, q.Agent.Plain()...)
	}
	return x
}

// hashes are the commit hashes asked for, and the beginnings of hashes.
func (q *query) hashes() []string { return append(slices.Collect(maps.Keys(q.commits)), q.begun...) }

// chooseFindings gives, for each segment, the set of findings that q may select. A text
// without patterns is first searched for in the bytes of all findings. The sets include
// findings that a record names only by their fingerprints.
func (q *query) chooseFindings(x *rows) map[*index.Segment][]bool {
	if q.chosenIn != x {
		q.chosenIn, q.sets = x, q.chooseAnew(x)
	}
	return q.sets
}

func (q *query) chooseAnew(x *rows) map[*index.Segment][]bool {
	lists := [][]string{q.files.Plain(), q.Rule.Plain()}
	if len(q.Fingerprints) > 0 {
		lists = [][]string{q.Fingerprints}
	}
	for _, texts := range lists {
		if len(texts) == 1 && texts[0] != "." {
			return x.holding(texts[0], q.mayHave)
		}
	}
	return x.choose(q.mayHave)
}

// rowFilter returns a function that says whether q may select a row, and whether that
// is sure: for some captures the index does not hold everything that q asks for. Each
// distinct text is checked once.
func (q *query) rowFilter(x *rows) func(row) (is, sure bool) {
	var sets map[*index.Segment][]bool
	if q.aboutFindings() {
		sets = q.chooseFindings(x)
	}
	what, where := memo(q.isWhat), memo(q.isWhere)
	who, command := memo(q.isWho), memo(q.Command.Words)
	described := len(q.Rule)+len(q.files) == 0
	return func(r row) (is, sure bool) {
		switch {
		case q.nothing || !q.isTime(r.s.Time(r.i)):
			return false, true
		case len(q.Status)+len(q.Kind)+len(q.Tool) > 0 && !what(r.s, r.s.What(r.i)),
			len(q.Branch)+len(q.Commits)+len(q.Trees) > 0 && !where(r.s, r.s.Where(r.i)),
			len(q.Agent)+len(q.Session) > 0 && !who(r.s, r.s.Who(r.i)),
			len(q.Command) > 0 && !command(r.s, r.s.Command(r.i)),
			len(q.Dirty) > 0 && !q.isDirty(r.s.Flags(r.i), len(r.s.TextBytes(r.s.Where(r.i))) > 0):
			return false, true
		case sets == nil:
			return true, q.Grep == ""
		}
		has, more := r.s.HasAny(r.i, sets[r.s]), r.is(rowMore)
		return has || more && len(q.Fingerprints) == 0, q.Grep == "" && (described || !more)
	}
}

// selects is rowFilter for questions that work on rows: where the index does not hold
// everything that q asks for, the record is read. It is nil if q selects every capture.
func (q *query) selects(s *place.Site, x *rows) func(row) (bool, error) {
	if len(q.needs()) == 0 && q.Grep == "" && q.Since.IsZero() && q.Until.IsZero() && !q.nothing {
		return nil
	}
	may := q.rowFilter(x)
	return func(r row) (bool, error) {
		is, sure := may(r)
		if !is || sure {
			return is, nil
		}
		rec, err := x.Record(r.s, r.i)
		if err != nil {
			return false, err
		}
		hit, err := q.match(s, rec)
		return hit != nil, err
	}
}

// memo returns is as a function of a text's number, which calls is once for each text of a segment.
func memo(is func(string) bool) func(s *index.Segment, n uint32) bool {
	known := map[*index.Segment][]int8{}
	var last *index.Segment
	var of []int8
	return func(s *index.Segment, n uint32) bool {
		if s != last {
			if last, of = s, known[s]; of == nil {
				of = make([]int8, s.Texts())
				known[s] = of
			}
		}
		if of[n] == 0 {
			if of[n] = -1; is(s.Text(n)) {
				of[n] = 1
			}
		}
		return of[n] > 0
	}
}

// undescribed says whether the record names the finding only by its fingerprint.
func (f findingRow) undescribed() bool { return f.Kind == "" && f.Message == "" }
