//go:build unix

package durable

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMkdirAll(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b", "c")
	for range 2 {
		if err := MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{dir, filepath.Join(root, "a")} {
		if st, err := os.Stat(d); err != nil || st.Mode().Perm() != DirMode {
			t.Errorf("%s: %v, %v", d, st.Mode(), err)
		}
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, FileMode); err != nil {
		t.Fatal(err)
	}
	if err := MkdirAll(filepath.Join(file, "below")); err == nil {
		t.Error("a directory below a file")
	}
}

// TestSyncDirThatCannot: /proc and its like cannot sync a directory; that is no
// failure of ours.
func TestSyncDirThatCannot(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("no /proc on this system")
	}
	if err := SyncDir("/proc/self"); err != nil {
		t.Error(err)
	}
	if err := SyncDir(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a directory that is not there was synced")
	}
}
