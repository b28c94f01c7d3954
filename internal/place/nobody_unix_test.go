//go:build unix

package place

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/nobodytest"
)

// A cairn directory that this user can neither write to nor look into, as one that a
// command of root's has made, hides nothing of what waits elsewhere.
func TestDirectoryOfAnother(t *testing.T) {
	if os.Geteuid() == 0 {
		nobodytest.Run(t)
		return
	}
	env, out := surroundings(t)
	r := repo(t, filepath.Join(out, "r"))
	dir := mkdir(t, filepath.Join(r, ".git", "cairn"))
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	waits(t, find(t, r, env), r, env)
	p := ask(t, FindToRead, r, env)
	if p.ReadOnly || p.Dir != p.Waiting(env)[0] || !strings.Contains(p.Note, "captures of this repository wait in") {
		t.Errorf("to read: %+v", p)
	}
}
