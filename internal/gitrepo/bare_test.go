package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// TestPlainBare: whatever became of a store, it is opened as git would open it.
func TestPlainBare(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name  string
		plain bool // known without asking git
		spoil func(t *testing.T, dir string)
	}{
		{"as it was made", true, func(*testing.T, string) {}},
		{"with a branch of ours", true, func(t *testing.T, dir string) {
			r, err := InitBare(ctx, dir)
			if err != nil {
				t.Fatal(err)
			}
			commitLine(t, r.OpenBranch("cairn"), "m/a", "x\n")
		}},
		{"configured", false, func(t *testing.T, dir string) { sh(t, dir, "config", "cairn.branch", "x") }},
		{"bare no more", false, func(t *testing.T, dir string) { sh(t, dir, "config", "core.bare", "false") }},
		{"with a working tree elsewhere", false, func(t *testing.T, dir string) { sh(t, dir, "config", "core.worktree", "/tmp") }},
		{"with a commit on HEAD", false, func(t *testing.T, dir string) {
			sh(t, dir, "update-ref", "refs/heads/main", sh(t, dir, "commit-tree", "-m", "x", sh(t, dir, "hash-object", "-w", "-t", "tree", os.DevNull)))
		}},
		{"with a packed commit on HEAD", false, func(t *testing.T, dir string) {
			sh(t, dir, "update-ref", "refs/heads/main", sh(t, dir, "commit-tree", "-m", "x", sh(t, dir, "hash-object", "-w", "-t", "tree", os.DevNull)))
			sh(t, dir, "pack-refs", "--all")
		}},
		{"with another HEAD", false, func(t *testing.T, dir string) { sh(t, dir, "symbolic-ref", "HEAD", "refs/heads/other") }},
		{"without objects", false, func(t *testing.T, dir string) { os.Rename(dir+"/objects", dir+"/gone") }},
		{"with a damaged HEAD", false, func(t *testing.T, dir string) { write(t, dir+"/HEAD", "") }},
		{"with a damaged config", false, func(t *testing.T, dir string) { write(t, dir+"/config", "[core\n") }},
		{"with a config of another format", false, func(t *testing.T, dir string) {
			write(t, dir+"/config", "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			isolate(t)
			made := filepath.Join(realTemp(t), "made")
			if _, err := InitBare(ctx, made); err != nil {
				t.Fatal(err)
			}
			c.spoil(t, made)
			dir := filepath.Join(filepath.Dir(made), "moved")
			if err := os.Rename(made, dir); err != nil {
				t.Fatal(err)
			}
			link := dir + "-link"
			if err := os.Symlink(dir, link); err != nil {
				t.Skip(err)
			}
			for _, at := range []string{dir, link} {
				got := plainBare(at)
				if (got != nil) != c.plain {
					t.Fatalf("plainBare(%s) = %+v", at, got)
				}
				if got == nil {
					continue
				}
				want, err := askBare(ctx, at)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v, git says %+v, %v", at, got, want, err)
				}
			}
		})
	}
	t.Run("without git", func(t *testing.T) {
		isolate(t)
		dir := filepath.Join(realTemp(t), "store")
		if _, err := InitBare(ctx, dir); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", t.TempDir())
		if r := plainBare(dir); r != nil {
			t.Errorf("%+v", r)
		}
	})
}

// TestInitBareWithin: where the directory is there already nothing is made
// beside it, since it may be all that may be written to.
func TestInitBareWithin(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "store")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(parent, long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(parent, 0o755)
	if _, err := InitBare(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(parent) // root may write all the same: then its time tells
	if err != nil || time.Since(info.ModTime()) < time.Minute {
		t.Errorf("something was made beside the directory: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".making*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
