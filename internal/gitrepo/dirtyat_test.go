package gitrepo

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// age makes what was done so far lie clearly before a time, and gives that time.
func age() time.Time {
	time.Sleep(3 * clockSlack / 2)
	return time.Now()
}

func TestDirtyAt(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after func(t *testing.T, dir string)
		dirty, known  bool
	}{
		{name: "clean", known: true},
		{name: "changed before", before: modify("code.txt", "x"), dirty: true, known: true},
		{name: "touched before", before: touch("code.txt"), known: true},
		{name: "staged before", before: func(t *testing.T, d string) { modify("new.txt", "x")(t, d); sh(t, d, "add", ".") }, dirty: true, known: true},
		{name: "deleted before", before: remove("sub/more.txt"), dirty: true, known: true},
		{name: "untracked before", before: modify("new.txt", "x"), known: true},
		{name: "changed by the command", after: modify("code.txt", "x")},
		{name: "deleted by the command", after: remove("sub/more.txt")},
		{name: "written by the command as it was", after: modify("code.txt", "one\n")},
		{name: "put back by the command", before: modify("code.txt", "x"), after: modify("code.txt", "one\n")},
		{name: "put back with an old time", before: modify("code.txt", "x"), after: func(t *testing.T, d string) {
			modify("code.txt", "one\n")(t, d)
			os.Chtimes(filepath.Join(d, "code.txt"), when.Add(time.Hour), when.Add(time.Hour))
		}},
		{name: "one before, one by the command", before: modify("code.txt", "x"), after: modify("sub/more.txt", "y"), dirty: true, known: true},
		{name: "committed by the command", before: modify("code.txt", "x"), after: func(t *testing.T, d string) { sh(t, d, "commit", "-qam", "x") }},
		{name: "stashed by the command", before: modify("code.txt", "x"), after: func(t *testing.T, d string) { sh(t, d, "stash", "-q") }},
		{name: "new files of the command", after: modify("new.txt", "x"), known: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := newRepo(t)
			for _, name := range []string{"code.txt", "sub/more.txt"} { // git tells times of one second apart
				os.Chtimes(filepath.Join(dir, name), when, when)
			}
			sh(t, dir, "update-index", "--refresh")
			if tt.before != nil {
				tt.before(t, dir)
			}
			start := age()
			r := discover(t, dir)
			if tt.after != nil {
				tt.after(t, dir)
			}
			dirty, known, err := r.DirtyAt(t.Context(), start)
			if dirty != tt.dirty || known != tt.known || err != nil {
				t.Errorf("dirty %v, known %v, %v; want %v, %v", dirty, known, err, tt.dirty, tt.known)
			}
		})
	}
}

func modify(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), text) }
}

func touch(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		now := time.Now()
		if err := os.Chtimes(filepath.Join(dir, name), now, now); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
