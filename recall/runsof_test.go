package recall

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/recall/index"
)

// TestRunsUnreadable: where a record that the index has cannot be read, an older run is not taken for the newest.
func TestRunsUnreadable(t *testing.T) {
	b := newBook(t)
	b.capture("passed\n", pytest(), key("k1"), on("c1", "main"))
	b.capture("failed\n", pytest("test_a"), key("k1"), on("c1", "main"))
	r, err := OpenRuns(t.Context(), b.Site)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if found, err := r.On([]string{"c1"}, 10); err != nil || len(found) != 2 {
		t.Fatalf("%d runs, %v", len(found), err)
	}
	gone := 0
	err = filepath.WalkDir(filepath.Join(b.Dir, "manifest"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".jsonl") {
			gone++
			return os.Truncate(name, 10)
		}
		return err
	})
	if err != nil || gone == 0 {
		t.Fatalf("%d shards, %v", gone, err)
	}
	if found, err := r.On([]string{"c1"}, 10); err == nil {
		t.Errorf("%d runs on a commit, and no error", len(found))
	}
	if found, err := r.Of([]string{"k1"}, 10); err == nil {
		t.Errorf("%d runs of a key, and no error", len(found["k1"]))
	}
	if found, err := r.Saying("py", 10); err == nil && len(found) > 0 {
		t.Errorf("%d runs of a line, and no error", len(found))
	}
}

// TestRunsNewest: the newest of each key, also where the newest rows of a key are all of one run.
func TestRunsNewest(t *testing.T) {
	b := newBook(t)
	var k1, k2 []string
	for range 9 {
		k1 = append([]string{b.capture("passed\n", pytest(), key("k1"), on("c1", "main")).ID}, k1...)
	}
	k2 = append(k2, b.capture("failed\n", pytest("test_a"), key("k2"), on("c1", "main")).ID)
	last := b.capture("passed\n", pytest(), key("k1"), on("c1", "main"))
	k1 = append([]string{last.ID}, k1...)
	for range 7 { // more rows than Of looks at in one go for three
		if err := b.Manifest.Append(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenRuns(t.Context(), b.Site)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := r.On([]string{"c1"}, 100); err != nil || len(n) != 11 {
		t.Fatalf("%d runs, %v: not 11", len(n), err)
	}
	found, err := r.Of([]string{"k1", "k2", "k3"}, 3)
	if err != nil || !slices.Equal(ids(found["k1"]), k1[:3]) || !slices.Equal(ids(found["k2"]), k2) || len(found) != 2 {
		t.Errorf("%v, %v: not %v and %v", found, err, k1[:3], k2)
	}
	for _, s := range r.x.Segments() {
		n := 0
		if there := s.Newest(index.Keys, []string{"k2", "k3", "k1"}, 2, func(int) { n++ }); n != 3 || !there["k1"] || there["k2"] || len(there) != 2 {
			t.Errorf("%d rows of %v", n, there)
		}
	}
}

func ids(records []*manifest.Record) (ids []string) {
	for _, rec := range records {
		ids = append(ids, rec.ID)
	}
	return ids
}
