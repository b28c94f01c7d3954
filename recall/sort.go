package recall

import (
	"cmp"
	"context"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
)

// orderBy is the sort key of each order; captures with the least key come first.
var orderBy = map[string]func(row) int64{
	"oldest":   func(r row) int64 { return r.s.Time(r.i).UnixMicro() },
	"slowest":  func(r row) int64 { return -r.s.Duration(r.i) },
	"fastest":  func(r row) int64 { return r.s.Duration(r.i) },
	"largest":  func(r row) int64 { return -r.s.Raw(r.i) },
	"smallest": func(r row) int64 { return r.s.Raw(r.i) },
}

// sorted yields the records that q may select in another order than newest first.
// Captures with equal keys come newest first.
func (q *query) sorted(ctx context.Context, s *place.Site, yield func(*manifest.Record, error) bool) {
	x, err := openIndex(ctx, s, append(q.needs(), index.Numbers)...)
	if err != nil {
		yield(nil, err)
		return
	}
	defer x.Close()
	type ranked struct {
		row
		by int64
	}
	var all []ranked
	may, by := q.rowFilter(x), orderBy[q.Sort]
	err = q.mayBe(x).Each(true, func(seg *index.Segment, i int) bool {
		r := row{seg, i}
		if is, _ := may(r); is {
			all = append(all, ranked{r, by(r)})
		}
		return true
	})
	if err != nil {
		yield(nil, err)
		return
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.by, b.by) })
	for _, r := range all {
		rec, err := x.Record(r.s, r.i)
		if !yield(rec, err) || err != nil {
			return
		}
	}
}
