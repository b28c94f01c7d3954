package fleets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	for _, made := range []string{"a/.git", "a/below/.git", "b/c/.git", ".hidden/d/.git", "bare.git/objects", "bare.git/refs", "no/objects"} {
		if err := os.MkdirAll(filepath.Join(dir, made), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bare.git", "HEAD"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := Discover(dir)
	for i := range found {
		found[i] = filepath.ToSlash(found[i][len(dir)+1:])
	}
	if want := "a b/c bare.git"; err != nil || strings.Join(found, " ") != want {
		t.Errorf("%v %v, want %s", found, err, want)
	}
}
