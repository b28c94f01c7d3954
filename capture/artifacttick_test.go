package capture

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFileTick: a file whose time lags behind the clock by a timer's tick was written
// by the run, one of a second before was not.
func TestFileTick(t *testing.T) {
	name := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(name, []byte("<testsuite/>"), 0o644); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	s := &search{dir: filepath.Dir(name)}
	for _, c := range []struct {
		changed time.Duration
		want    error
	}{{time.Millisecond, nil}, {-4 * time.Millisecond, nil}, {-9 * time.Millisecond, nil}, {-time.Second, errStale}, {time.Hour, errStale}} {
		at := started.Add(c.changed)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.fresh(found{path: name}, stampOf(info), started, started.Add(time.Millisecond)); err != c.want {
			t.Errorf("a file changed %v after the start: %v, want %v", c.changed, err, c.want)
		}
	}
}
