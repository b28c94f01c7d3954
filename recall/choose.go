package recall

import (
	"context"
	"iter"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
)

// fewShards are read from the newest backwards before the index is asked, since a thing
// that is found often is found in the newest shards.
var fewShards = 64

// chosen yields the records that q may select, newest first: from the last few
// shards as they are, then from the index. Whoever ranges looks at each record
// itself, so the index may choose too many and never too few.
func (q Query) chosen(ctx context.Context, s *place.Site) iter.Seq2[*manifest.Record, error] {
	return func(yield func(*manifest.Record, error) bool) {
		seen, cut := map[string]bool{}, false
		scan := q.scan()
		scan.MostShards, scan.Cut = fewShards, &cut
		for rec, err := range s.Manifest.Records(ctx, scan) {
			if !yield(rec, err) || err != nil {
				return
			}
			seen[rec.ID] = true
		}
		if !cut {
			return
		}
		x, err := openIndex(ctx, s, index.Findings, index.Whats, index.Wheres, index.Flags)
		if err != nil {
			yield(nil, err)
			return
		}
		defer x.Close()
		want := q.rowFilter(x)
		var failed error
		err = q.mayBe(x).Each(true, func(seg *index.Segment, i int) bool {
			if !want(row{seg, i}) {
				return true
			}
			rec, err := x.Record(seg, i)
			if err != nil {
				failed = err
				return false
			}
			return seen[rec.ID] || yield(rec, nil)
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// walkable are the rows of an index, or a selection of them.
type walkable interface {
	Each(newest bool, visit func(s *index.Segment, i int) bool) error
}

// mayBe are the rows that the rarest of the conditions leaves: of findings, else of
// tool, kind and status, else of the place.
func (q Query) mayBe(x *rows) walkable {
	switch {
	case q.Fingerprint != "":
		return x.having(x.holding(q.Fingerprint, q.mayHave))
	case q.Tool+q.Kind+q.Status != "":
		return x.Select(func(s *index.Segment, add func(i int)) { s.Being(index.Whats, q.mayBeWhat, add) })
	case q.Branch+q.Commit != "":
		return x.Select(func(s *index.Segment, add func(i int)) { s.Being(index.Wheres, q.mayBeWhere, add) })
	}
	return x
}

// mayBeWhat looks at status, kinds and tools, as whatOf writes them.
func (q Query) mayBeWhat(text string) bool {
	p := strings.SplitN(text, part, 3)
	return len(p) < 3 || (q.Status == "" || slices.Contains(strings.Split(q.Status, ","), p[0])) &&
		(q.Kind == "" || slices.Contains(strings.Split(p[1], also), q.Kind)) &&
		(q.Tool == "" || slices.ContainsFunc(strings.Split(p[2], also), func(name string) bool { return name == q.Tool || strings.HasPrefix(name, q.Tool+"-") }))
}

// mayBeWhere looks at branch and commit.
func (q Query) mayBeWhere(text string) bool {
	p := strings.SplitN(text+part+part, part, 3)
	return (q.Branch == "" || p[0] == q.Branch) && strings.HasPrefix(p[1], q.Commit)
}

// rowFilter says which rows a query may select. Each distinct text is looked at
// once.
func (q Query) rowFilter(x *rows) func(row) bool {
	var sets map[*index.Segment][]bool
	if q.aboutFindings() {
		if q.Fingerprint != "" {
			sets = x.holding(q.Fingerprint, q.mayHave)
		} else {
			sets = x.choose(q.mayHave)
		}
	}
	what, where := memo(q.mayBeWhat), memo(q.mayBeWhere)
	return func(r row) bool {
		at := r.s.Time(r.i)
		switch {
		case !q.Since.IsZero() && at.Before(q.Since) || !q.Until.IsZero() && !at.Before(q.Until):
			return false
		case !what(r.s, r.s.What(r.i)) || !where(r.s, r.s.Where(r.i)):
			return false
		case sets == nil || r.s.HasAny(r.i, sets[r.s]):
			return true
		}
		return q.Fingerprint == "" && r.is(rowMore) // the record does not describe all it has
	}
}

// mayHave says whether a finding may be one that is asked for. One that is known
// by its fingerprint only may have any rule and any place.
func (q Query) mayHave(f findingRow) bool {
	if q.Fingerprint != "" && f.Fingerprint != q.Fingerprint {
		return false
	}
	if f.Message == "" && f.Rule == "" && f.Location == "" {
		return true
	}
	return (q.Rule == "" || f.Rule == q.Rule || f.RuleName == q.Rule) &&
		(q.File == "" || slices.ContainsFunc(f.Paths, func(path string) bool { return path == q.File || strings.HasSuffix(path, "/"+q.File) }))
}

// memo looks at each text of each segment once.
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
