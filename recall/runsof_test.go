package recall

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
