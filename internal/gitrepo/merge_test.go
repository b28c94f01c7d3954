package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

func unionLines(_ string, versions [][]byte) []byte { return joinLines(versions...) }

// TestMergeTips: two clones that know nothing of each other, then meet.
func TestMergeTips(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) { testMergeTips(t, format) })
	}
}

func testMergeTips(t *testing.T, format string) {
	ctx := context.Background()
	dir := newRepo(t, "--object-format="+format)
	clone := dir + "-clone"
	sh(t, dir, "clone", "-q", dir, clone)
	mine, theirs := branch(t, discover(t, dir)), branch(t, discover(t, clone))
	commitLine(t, mine, "m/2026/mine", "1")
	ours := commitLine(t, mine, "m/both", "mine")
	commitLine(t, theirs, "m/2026/theirs", "2")
	commitLine(t, theirs, "m/both", "theirs")
	other := commitLine(t, theirs, "top", "3")
	sh(t, dir, "fetch", "-q", clone, "+refs/heads/cairn:refs/remotes/clone/cairn")

	merge := func(tips ...string) (string, error) {
		return mine.MergeTips(ctx, tips, unionLines, "join the records of clone", when)
	}
	merged, err := merge(other)
	if err != nil {
		t.Fatal(err)
	}
	r := discover(t, dir)
	for path, want := range map[string]string{"m/2026/mine": "1\n", "m/2026/theirs": "2\n", "m/both": "mine\ntheirs\n", "top": "3\n"} {
		if got := readFile(t, r, merged, path); got != want {
			t.Errorf("%s = %q", path, got)
		}
	}
	if got := sh(t, dir, "log", "-1", "--format=%P|%s", "cairn"); got != ours+" "+other+"|join the records of clone" {
		t.Errorf("merge commit %s", got)
	}
	t.Run("again is nothing", func(t *testing.T) {
		for _, tips := range [][]string{{other}, {ours, other, merged, other}, nil} {
			if got, err := merge(tips...); got != merged || err != nil {
				t.Errorf("%v: %s, %v", tips, got, err)
			}
		}
	})
	t.Run("the other side moves there", func(t *testing.T) {
		sh(t, clone, "fetch", "-q", dir, "+refs/heads/cairn:refs/remotes/origin/cairn")
		got, err := theirs.MergeTips(ctx, []string{merged}, unionLines, "s", when)
		if got != merged || err != nil || sh(t, clone, "rev-parse", "cairn") != merged {
			t.Errorf("%s, %v", got, err)
		}
	})
	t.Run("a branch begins at the one tip there is", func(t *testing.T) {
		b := r.OpenBranch("fresh")
		if got, err := b.MergeTips(ctx, []string{other}, unionLines, "s", when); got != other || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	})
	t.Run("a branch begins at several", func(t *testing.T) {
		b := r.OpenBranch("fresh2")
		got, err := b.MergeTips(ctx, []string{other, ours}, unionLines, "s", when)
		if err != nil || readFile(t, r, got, "m/both") != "theirs\nmine\n" {
			t.Errorf("%s, %v", got, err)
		}
	})
	t.Run("file against directory", func(t *testing.T) {
		b := r.OpenBranch("odd")
		odd := commitLine(t, b, "m", "a file")
		if got, err := merge(odd); !errors.Is(err, ErrBadPath) {
			t.Errorf("%s, %v", got, err)
		}
	})
	t.Run("not an id", func(t *testing.T) {
		if _, err := merge("refs/remotes/clone/cairn"); err == nil {
			t.Error("no error")
		}
	})
	t.Run("not there", func(t *testing.T) {
		if _, err := merge("12" + other[2:]); err == nil {
			t.Error("no error")
		}
	})
	fsck(t, dir)
}

// TestMergeThreeClones: whichever clone merges, in whatever order, the files are the same.
func TestMergeThreeClones(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	r := discover(t, dir)
	var tips []string
	for i := range 3 {
		b := r.OpenBranch(fmt.Sprint("writer", i))
		commitLine(t, b, "m/shared", fmt.Sprint("line ", i))
		tips = append(tips, commitLine(t, b, fmt.Sprint("m/own", i), "x"))
	}
	trees := map[string]bool{}
	sorted := func(_ string, versions [][]byte) []byte {
		slices.SortFunc(versions, func(a, b []byte) int { return slices.Compare(a, b) })
		return joinLines(versions...)
	}
	for i, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		b := r.OpenBranch(fmt.Sprint("merged", i))
		got, err := b.MergeTips(ctx, []string{tips[order[0]], tips[order[1]], tips[order[2]]}, sorted, "s", when)
		if err != nil {
			t.Fatal(err)
		}
		trees[sh(t, dir, "rev-parse", got+"^{tree}")] = true
	}
	if len(trees) != 1 {
		t.Errorf("%d different trees", len(trees))
	}
}

func TestInitBare(t *testing.T) {
	ctx := context.Background()
	use := func(t *testing.T, r *Repo) {
		t.Helper()
		if !r.Bare || r.ObjectFormat != "sha1" || r.Commit != "" || r.TopLevel != "" {
			t.Errorf("%+v", r)
		}
		commitLine(t, branch(t, r), "m/a", "1")
		fsck(t, r.GitDir)
	}
	t.Run("first use, and the second", func(t *testing.T) {
		isolate(t)
		dir := filepath.Join(realTemp(t), "state", "cairn")
		for range 2 {
			r, err := InitBare(ctx, dir)
			if err != nil {
				t.Fatal(err)
			}
			use(t, r)
		}
		if st, _ := os.Stat(dir); st.Mode().Perm() != 0o700 {
			t.Errorf("mode %v", st.Mode())
		}
		if left, _ := filepath.Glob(dir + ".tmp*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	t.Run("whatever the environment and configuration say", func(t *testing.T) {
		dir := newRepo(t)
		sh(t, "/", "config", "--global", "init.defaultBranch", "cairn")
		sh(t, "/", "config", "--global", "safe.bareRepository", "explicit")
		t.Setenv("GIT_DIR", dir+"/.git")
		t.Setenv("GIT_WORK_TREE", dir)
		t.Setenv("GIT_INDEX_FILE", dir+"/.git/index")
		t.Setenv("GIT_OBJECT_DIRECTORY", dir+"/.git/objects")
		t.Setenv("GIT_DEFAULT_HASH", "sha256")
		before := snapshot(t, dir, nil)
		store := filepath.Join(realTemp(t), "cairn")
		r, err := InitBare(ctx, store)
		if err != nil {
			t.Fatal(err)
		}
		if r.objectDir != filepath.Join(store, "objects") {
			t.Errorf("objects in %s", r.objectDir)
		}
		commitLine(t, branch(t, r), "m/a", "1")
		if after := snapshot(t, dir, nil); after != before {
			t.Errorf("the user's repository changed: %s", firstDifference(before, after))
		}
	})
	t.Run("files are there already", func(t *testing.T) {
		isolate(t)
		dir := filepath.Join(realTemp(t), "cairn")
		write(t, dir+"/cairn/objects/x", "kept")
		r, err := InitBare(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		use(t, r)
		if got := readAll(t, dir+"/cairn/objects/x"); got != "kept" {
			t.Errorf("%q", got)
		}
	})
	for _, filled := range []bool{false, true} {
		t.Run(fmt.Sprintf("many at once, filled=%v", filled), func(t *testing.T) {
			isolate(t)
			dir := filepath.Join(realTemp(t), "cairn")
			if filled {
				write(t, dir+"/cairn/x", "kept")
			}
			var wg sync.WaitGroup
			for i := range 12 {
				wg.Go(func() {
					r, err := InitBare(ctx, dir)
					if err != nil {
						t.Error(err)
						return
					}
					b := r.OpenBranch("cairn")
					if _, err := b.Commit(ctx, []Change{addLine("m/a", fmt.Sprint(i))}, "s", "", when); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if got := sh(t, dir, "rev-list", "--count", "cairn"); got != "12" {
				t.Errorf("%s commits", got)
			}
			fsck(t, dir)
		})
	}
	t.Run("a file is in the way", func(t *testing.T) {
		isolate(t)
		dir := filepath.Join(realTemp(t), "cairn")
		write(t, dir, "not a directory")
		if _, err := InitBare(ctx, dir); err == nil {
			t.Error("no error")
		}
	})
}
