package manifest

import (
	"path/filepath"
	"slices"
	"testing"
)

// syncs notes which shards are synced.
type syncs struct {
	f    *fixture
	list []string
}

type notedShard struct {
	shardFile
	sync func()
}

func (s notedShard) Sync() error {
	s.sync()
	return s.shardFile.Sync()
}

func noteSyncs(f *fixture) *syncs {
	y := &syncs{f: f}
	f.openShard = func(path string, create bool) (shardFile, error) {
		s, err := openShard(path, create)
		return notedShard{s, func() { y.list = append(y.list, filepath.Base(path)) }}, err
	}
	return y
}

// check says which shards were synced since the last check.
func (y *syncs) check(what string, want ...string) {
	y.f.t.Helper()
	if !slices.Equal(y.list, want) {
		y.f.t.Errorf("%s: synced %q, want %q", what, y.list, want)
	}
	y.list = nil
}

func (f *fixture) addUnsynced(exit int) *Record {
	f.t.Helper()
	r := capture(exit)
	if err := f.AppendUnsynced(ctx, r); err != nil {
		f.t.Fatal(err)
	}
	return r
}

// A line that is not synced is read like all others. Only the last shard of a day may
// hold such lines; Sync makes it durable, and no line is on the branch that is not.
func TestAppendUnsynced(t *testing.T) {
	f := newFixture(t)
	y := noteSyncs(f)
	f.add(0)
	first, last := filepath.Base(f.own(1)), filepath.Base(f.own(2))
	y.check("a new shard", first)
	ids := f.ids(Query{})
	for len(y.list) == 0 {
		ids = append(ids, f.addUnsynced(1).ID)
	}
	y.check("the next shard", first, last)
	ids = append(ids, f.addUnsynced(0).ID)
	y.check("a line more")
	slices.Sort(ids)
	if got := f.ids(Query{}); !slices.Equal(got, ids) || len(ids) < 20 {
		t.Errorf("%d records are read, want %d", len(got), len(ids))
	}
	if err := f.Sync(noon, noon); err != nil {
		t.Error(err)
	}
	y.check("Sync", last)
	if r := f.fold(FoldOptions{}); r.Folded != len(ids) {
		t.Errorf("%+v", r)
	}
	y.check("a fold", last)
	f.fold(FoldOptions{})
	y.check("a fold of nothing")
	if err := newFixture(t).Sync(noon); err != nil {
		t.Errorf("nothing to sync: %v", err)
	}
}
