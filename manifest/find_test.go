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

// A line that only a newer cairn can read claims its id, and one that a crash cut off
// does not.
func TestHas(t *testing.T) {
	f := newFixture(t)
	known, newer, torn, none := "01BX5ZZKBKACTAV9WEVGEMMVR0", "01BX5ZZKBKACTAV9WEVGEMMVR1", "01BX5ZZKBKACTAV9WEVGEMMVR2", "01BX5ZZKBKACTAV9WEVGEMMVR3"
	if err := f.Append(ctx, &Record{ID: known, Time: noon}); err != nil {
		t.Fatal(err)
	}
	if err := f.AppendLine(ctx, []byte(`{"v":99,"id":"`+newer+`","time":"2026-01-02T03:04:05.000000Z","said":1}`)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`{"v":99,"id":"` + torn + `","time":"2026-01-02T03:04:05.000000Z","sa`, "{}", "[1]", "{\"v\":1}\n{}"} {
		if err := f.AppendLine(ctx, []byte(line)); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%q was appended: %v", line, err)
		}
	}
	f.write(shardPath(dayOf(noon), "tornoff1", 1), `{"v":2,"id":"`+torn+`","time":"2026-01-02T03:04:05.000000Z","sa`)
	for id, want := range map[string]bool{known: true, newer: true, torn: false, none: false} {
		if has, err := f.Has(ctx, id); has != want || err != nil {
			t.Errorf("%s: %v, %v", id, has, err)
		}
	}
}
