package manifest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func contextWithCancel() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

func TestFind(t *testing.T) {
	f := newFixture(t)
	var recs []*Record
	for i := range 5 {
		f.clock.t = noon.Add(time.Duration(i) * 40 * 24 * time.Hour)
		recs = append(recs, f.add(0))
	}
	odd := makeLine(t, noon, func(r *Record) { r.ID = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" })
	f.write(shardPath(dayOf(noon), "oddd", 1), odd+"\n")
	tests := []struct {
		name, prefix, want string
		err                error
		ambiguous          int
	}{
		{"whole id", recs[2].ID, recs[2].ID, nil, 0},
		{"lower case", strings.ToLower(recs[3].ID), recs[3].ID, nil, 0},
		{"a prefix that is enough", recs[4].ID[:12], recs[4].ID, nil, 0},
		{"an id that is not of its time", "7ZZZ", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", nil, 0},
		{"one letter for all", "0", "", nil, 5},
		{"nobody", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", ErrNotFound, 0},
		{"nothing", "", "", ErrNotFound, 0},
		{"too long", recs[2].ID + "0", "", ErrNotFound, 0},
		{"not an id", `x" or "1`, "", ErrNotFound, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := f.Find(ctx, tt.prefix)
			var amb *AmbiguousError
			switch {
			case tt.ambiguous > 0:
				if !errors.As(err, &amb) || amb.Total != tt.ambiguous || amb.Candidates[0] != recs[4].ID {
					t.Errorf("got %v", err)
				}
			case !errors.Is(err, tt.err):
				t.Errorf("got %v, want %v", err, tt.err)
			case err == nil && r.ID != tt.want:
				t.Errorf("got %s, want %s", r.ID, tt.want)
			}
		})
	}
}

func TestFindObject(t *testing.T) {
	f := newFixture(t)
	oid := func(s string) string { return "sha256:" + strings.Repeat(s, 16) }
	put := func(change func(*Record)) string {
		r := capture(0)
		change(r)
		if err := f.Append(ctx, r); err != nil {
			t.Fatal(err)
		}
		f.clock.add(time.Second)
		return r.ID
	}
	a := put(func(r *Record) { r.Raw.OID = oid("aaaa"); r.Raw.Order = oid("aaab") })
	b := put(func(r *Record) { r.Raw.OID = oid("aaaa") })
	c := put(func(r *Record) {
		r.Raw.OID = oid("cccc")
		r.Artifacts = []Artifact{{Path: "x", OID: oid("dddd")}}
		r.ResultOID = oid("eeee")
	})
	put(func(r *Record) { r.Raw = nil; r.Type = TypePin; r.Target = oid("ffff") })
	tests := []struct {
		name, prefix string
		want         []string
		ambiguous    bool
	}{
		{"raw of two runs", oid("aaaa"), []string{b, a}, false},
		{"without the scheme", "cccc", []string{c}, false},
		{"an artifact", "sha256:dddd", []string{c}, false},
		{"a full result", "EEEE", []string{c}, false},
		{"two objects", "aaa", nil, true},
		{"a pin names, it has not", "ffff", nil, false},
		{"not hex", "xyz", nil, false},
		{"nothing", "sha256:", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			recs, err := f.FindObject(ctx, tt.prefix)
			var amb *AmbiguousError
			if errors.As(err, &amb) != tt.ambiguous {
				t.Errorf("got %v", err)
			}
			if !tt.ambiguous && errors.Is(err, ErrNotFound) != (tt.want == nil) {
				t.Errorf("got %v", err)
			}
			wantIDs(t, idsOf(recs...), tt.want...)
		})
	}
}
