package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kinds are the repositories that must work: each returns the directory to
// start from and what Discover must say of it, "-" where it does not matter.
var kinds = []struct {
	name string
	make func(t *testing.T) (dir string, want Repo)
}{
	{"plain, below the root", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		return filepath.Join(d, "sub"), Repo{TopLevel: d, Prefix: "sub", GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"linked worktree", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		w := filepath.Join(filepath.Dir(d), "linked")
		sh(t, d, "worktree", "add", "-q", "-b", "side", w)
		return w, Repo{TopLevel: w, GitDir: d + "/.git/worktrees/linked", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "side"}
	}},
	{"worktree of a bare repository", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		bare, w := filepath.Join(filepath.Dir(d), "b.git"), filepath.Join(filepath.Dir(d), "linked")
		sh(t, d, "clone", "-q", "--bare", d, bare)
		sh(t, bare, "worktree", "add", "-q", "-b", "side", w)
		return w, Repo{TopLevel: w, GitDir: bare + "/worktrees/linked", CommonDir: bare, ObjectFormat: "sha1", Branch: "side"}
	}},
	{"submodule", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		super := filepath.Join(filepath.Dir(d), "super")
		sh(t, "/", "init", "-q", super)
		sh(t, super, "submodule", "--quiet", "add", d, "mod")
		return filepath.Join(super, "mod"), Repo{TopLevel: super + "/mod", GitDir: super + "/.git/modules/mod", CommonDir: super + "/.git/modules/mod", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"separate git dir", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		w, g := filepath.Join(filepath.Dir(d), "w"), filepath.Join(filepath.Dir(d), "g")
		sh(t, d, "clone", "-q", "--separate-git-dir", g, d, w)
		return w, Repo{TopLevel: w, GitDir: g, CommonDir: g, ObjectFormat: "sha1", Branch: "main"}
	}},
	{"bare", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		bare := filepath.Join(filepath.Dir(d), "b.git")
		sh(t, d, "clone", "-q", "--bare", d, bare)
		return bare, Repo{GitDir: bare, CommonDir: bare, ObjectFormat: "sha1", Bare: true, Branch: "main"}
	}},
	{"below a bare repository", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		bare := filepath.Join(filepath.Dir(d), "b.git")
		sh(t, d, "clone", "-q", "--bare", d, bare)
		return filepath.Join(bare, "refs"), Repo{GitDir: bare, CommonDir: bare, ObjectFormat: "sha1", Bare: true, Branch: "main"}
	}},
	{"inside .git", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		return d + "/.git/refs", Repo{GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"shallow", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		sh(t, d, "commit", "-q", "--allow-empty", "-m", "second")
		s := filepath.Join(filepath.Dir(d), "shallow")
		sh(t, d, "clone", "-q", "--depth", "1", "file://"+d, s)
		return s, Repo{TopLevel: s, GitDir: s + "/.git", CommonDir: s + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"packed refs and objects only", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		b := discover(t, d).OpenBranch("cairn")
		commitLine(t, b, "manifest/a.jsonl", "packed before")
		sh(t, d, "gc", "-q")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"unborn", func(t *testing.T) (string, Repo) {
		isolate(t)
		d := realTemp(t)
		sh(t, d, "init", "-q", "-b", "trunk")
		write(t, d+"/HEAD", "a file that git could take for the commit\n")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "trunk", Commit: "-none"}
	}},
	{"detached HEAD", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		sh(t, d, "checkout", "-q", "--detach")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1"}
	}},
	{"sha256", func(t *testing.T) (string, Repo) {
		d := newRepo(t, "--object-format=sha256")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha256", Branch: "main"}
	}},
	{"reftable", func(t *testing.T) (string, Repo) {
		isolate(t)
		if out, err := tryGit(realTemp(t), "init", "-q", "--ref-format=reftable"); err != nil {
			t.Skipf("this git knows no reftable: %s", strings.TrimSpace(strings.SplitN(out, "\n", 2)[0]))
		}
		d := newRepo(t, "--ref-format=reftable")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"after sparse-checkout set", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		sh(t, d, "sparse-checkout", "set", "other")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"clone --shared", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		b := discover(t, d).OpenBranch("cairn")
		commitLine(t, b, "manifest/a.jsonl", "of the other repository")
		s := filepath.Join(filepath.Dir(d), "shared")
		sh(t, d, "clone", "-q", "--shared", d, s)
		sh(t, s, "branch", "-q", "cairn", "origin/cairn")
		return s, Repo{TopLevel: s, GitDir: s + "/.git", CommonDir: s + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"partial clone", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		sh(t, d, "config", "uploadpack.allowFilter", "true")
		b := discover(t, d).OpenBranch("cairn")
		commitLine(t, b, "manifest/a.jsonl", "of the other repository")
		p := filepath.Join(filepath.Dir(d), "partial")
		sh(t, d, "clone", "-q", "--filter=tree:0", "file://"+d, p)
		sh(t, p, "branch", "-q", "cairn", "origin/cairn")
		return p, Repo{TopLevel: p, GitDir: p + "/.git", CommonDir: p + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"symlinked .git", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		moved := filepath.Join(filepath.Dir(d), "moved")
		if err := os.Rename(d+"/.git", moved); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(moved, d+"/.git"); err != nil {
			t.Skip(err)
		}
		return d, Repo{TopLevel: d, GitDir: "-", CommonDir: "-", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"reached through a symlink", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		link := filepath.Join(realTemp(t), "link")
		if err := os.Symlink(d+"/sub", link); err != nil {
			t.Skip(err)
		}
		return link, Repo{TopLevel: d, Prefix: "sub", GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"GIT_DIR set", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		w := realTemp(t)
		t.Setenv("GIT_DIR", d+"/.git")
		t.Setenv("GIT_WORK_TREE", w)
		return w, Repo{TopLevel: w, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"relative GIT_DIR and GIT_INDEX_FILE, as in a hook", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		t.Setenv("GIT_DIR", ".git")
		t.Setenv("GIT_INDEX_FILE", ".git/index")
		t.Setenv("GIT_PREFIX", "")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"core.worktree", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		w := realTemp(t)
		sh(t, d, "config", "core.worktree", w)
		return d, Repo{TopLevel: w, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"read-only working tree", func(t *testing.T) (string, Repo) {
		d := newRepo(t)
		chmod(t, d, 0o555)
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
	{"newline and space in the path", func(t *testing.T) (string, Repo) {
		isolate(t)
		d := filepath.Join(realTemp(t), "a\n--b c")
		sh(t, "/", "init", "-q", d)
		sh(t, d, "commit", "-q", "--allow-empty", "-m", "x")
		return d, Repo{TopLevel: d, GitDir: d + "/.git", CommonDir: d + "/.git", ObjectFormat: "sha1", Branch: "main"}
	}},
}

func chmod(t testing.TB, dir string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
}

func TestDiscoverKinds(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			dir, want := k.make(t)
			got := discover(t, dir)
			for _, f := range []struct{ name, got, want string }{
				{"TopLevel", got.TopLevel, want.TopLevel}, {"Prefix", got.Prefix, want.Prefix},
				{"GitDir", got.GitDir, want.GitDir}, {"CommonDir", got.CommonDir, want.CommonDir},
				{"ObjectFormat", got.ObjectFormat, want.ObjectFormat}, {"Branch", got.Branch, want.Branch},
			} {
				if f.got != f.want && f.want != "-" {
					t.Errorf("%s = %q, want %q", f.name, f.got, f.want)
				}
			}
			if got.Bare != want.Bare {
				t.Errorf("Bare = %v", got.Bare)
			}
			wantCommit, wantTree := "", ""
			if want.Commit != "-none" {
				wantCommit, wantTree = sh(t, dir, "rev-parse", "HEAD"), sh(t, dir, "rev-parse", "HEAD^{tree}")
			}
			if got.Commit != wantCommit || got.Tree != wantTree {
				t.Errorf("Commit %q Tree %q, git says %q %q", got.Commit, got.Tree, wantCommit, wantTree)
			}
			if objects := sh(t, dir, "rev-parse", "--path-format=absolute", "--git-path", "objects"); got.objectDir != objects {
				t.Errorf("objectDir = %q, git says %q", got.objectDir, objects)
			}
		})
	}
}

// TestStoreKinds: in every kind of repository the branch takes commits, gives them
// back and leaves git content.
func TestStoreKinds(t *testing.T) {
	ctx := context.Background()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			dir, _ := k.make(t)
			r := discover(t, dir)
			b := branch(t, r)
			before, err := b.Tip(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if dirty, err := r.Dirty(ctx); err != nil {
				t.Errorf("Dirty = %v, %v", dirty, err)
			}
			first := commitLine(t, b, "manifest/a.jsonl", "one")
			second := commitLine(t, b, "manifest/a.jsonl", "two")
			if got := sh(t, dir, "rev-parse", "refs/heads/cairn"); got != second {
				t.Errorf("git says the branch is at %s, not %s", got, second)
			}
			if got := sh(t, dir, "rev-parse", second+"^"); got != first {
				t.Errorf("parent is %s, want %s", got, first)
			}
			if before != "" && sh(t, dir, "rev-parse", first+"^") != before {
				t.Errorf("%s was left behind", before)
			}
			if got := readFile(t, r, second, "manifest/a.jsonl"); !strings.HasSuffix(got, "one\ntwo\n") {
				t.Errorf("content %q", got)
			}
			if tip, err := b.Tip(ctx); tip != second || err != nil {
				t.Errorf("Tip = %s, %v", tip, err)
			}
			fsck(t, dir)
		})
	}
}

// readFile reads a file of a commit through Files and ReadBlobs.
func readFile(t testing.TB, r *Repo, commit, path string) string {
	t.Helper()
	files, err := r.Files(context.Background(), commit)
	if err != nil {
		t.Fatalf("Files: %v", err)
	}
	for _, f := range files {
		if f.Path != path {
			continue
		}
		var text string
		err := r.ReadBlobs(context.Background(), []string{f.OID}, func(_ string, data []byte) error {
			text = string(data)
			return nil
		})
		if err != nil {
			t.Fatalf("ReadBlobs: %v", err)
		}
		if f.Size >= 0 && f.Size != int64(len(text)) {
			t.Errorf("%s has size %d, read %d", path, f.Size, len(text))
		}
		return text
	}
	t.Fatalf("%s has no file %s", commit, path)
	return ""
}

func TestDiscoverErrors(t *testing.T) {
	ctx := context.Background()
	t.Run("no repository", func(t *testing.T) {
		isolate(t)
		if _, err := Discover(ctx, realTemp(t)); !errors.Is(err, ErrNotRepository) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("ceiling", func(t *testing.T) {
		dir := newRepo(t)
		t.Setenv("GIT_CEILING_DIRECTORIES", dir)
		if _, err := Discover(ctx, dir+"/sub"); !errors.Is(err, ErrNotRepository) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("GIT_DIR that is none", func(t *testing.T) {
		dir := newRepo(t)
		t.Setenv("GIT_DIR", "/nowhere")
		if _, err := Discover(ctx, dir); !errors.Is(err, ErrNotRepository) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("no git program", func(t *testing.T) {
		dir := newRepo(t)
		t.Setenv("PATH", realTemp(t))
		if r, err := Discover(ctx, dir); err != nil || r.Commit == "" {
			t.Errorf("a plain repository: %v, %v", r, err)
		}
		t.Setenv("GIT_DIR", dir+"/.git")
		if _, err := Discover(ctx, dir); !errors.Is(err, ErrNoGit) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("no directory", func(t *testing.T) {
		isolate(t)
		_, err := Discover(ctx, filepath.Join(realTemp(t), "gone"))
		if err == nil || errors.Is(err, ErrNotRepository) || errors.Is(err, ErrNoGit) || !strings.Contains(err.Error(), "gone") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("owned by somebody else", func(t *testing.T) {
		dir := newRepo(t)
		t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own switch for its tests
		if _, err := Discover(ctx, dir); !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), "safe.directory") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("bare repositories forbidden", func(t *testing.T) {
		dir := filepath.Join(filepath.Dir(newRepo(t)), "b.git")
		sh(t, "/", "init", "-q", "--bare", dir)
		sh(t, "/", "config", "--global", "safe.bareRepository", "explicit")
		if _, err := Discover(ctx, dir); !errors.Is(err, ErrUnsafe) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("git older than --path-format", func(t *testing.T) {
		if err := notFoundError("x", "--path-format=absolute\n.git\n", nil); !errors.Is(err, ErrOldGit) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		dir := newRepo(t)
		t.Setenv("GIT_DIR", dir+"/.git") // only git knows
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := Discover(ctx, dir); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
	})
}
