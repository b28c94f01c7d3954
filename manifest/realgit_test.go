package manifest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/gitrepo"
)

// isolate keeps the user's git configuration out of a test.
func isolate(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	for _, kv := range [][2]string{
		{"HOME", home}, {"XDG_CONFIG_HOME", home}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"GIT_CONFIG_GLOBAL", os.DevNull},
		{"GIT_AUTHOR_NAME", "Ann"}, {"GIT_AUTHOR_EMAIL", "ann@example.org"},
		{"GIT_COMMITTER_NAME", "Ann"}, {"GIT_COMMITTER_EMAIL", "ann@example.org"},
	} {
		t.Setenv(kv[0], kv[1])
	}
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// inRepo is the manifest of the repository that dir belongs to.
func inRepo(t *testing.T, dir string) *fixture {
	t.Helper()
	repo, err := gitrepo.Discover(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	branch := repo.OpenBranch("cairn")
	f := newFixtureAt(t, filepath.Join(repo.CommonDir, "cairn"), nil)
	f.opts.Branch = branch
	return f
}

func newRepo(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	runGit(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...)
	return dir
}

func TestRealGit(t *testing.T) {
	isolate(t)
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			dir := newRepo(t, "--object-format="+format)
			f := inRepo(t, dir)
			a := f.add(1)
			wantReport(t, f.fold(FoldOptions{}), 1, 0, "")
			b, c := f.add(0), f.add(1)
			wantReport(t, f.fold(FoldOptions{}), 2, 0, "")
			wantReport(t, f.fold(FoldOptions{Check: true}), 0, 0, "")
			wantIDs(t, f.ids(Query{}), a.ID, b.ID, c.ID)
			if got, want := runGit(t, dir, "log", "--format=%s", "cairn"), "2 captures: 1 failed, 1 passed [pytest]\npytest failed: 1 failed, 120 passed"; got != want {
				t.Errorf("log\n%s\nwant\n%s", got, want)
			}
			if got := runGit(t, dir, "show", "cairn:"+f.own(1)) + "\n"; got != f.read(f.own(1)) {
				t.Error("the shard on the branch is another")
			}
			runGit(t, dir, "fsck", "--strict")

			os.RemoveAll(f.dir) // a clone that has the branch and nothing else
			wantIDs(t, f.ids(Query{}), a.ID, b.ID, c.ID)
		})
	}
}

func TestCloneFetchMergePush(t *testing.T) {
	isolate(t)
	hub := newRepo(t, "--bare")
	one, two := newRepo(t), newRepo(t)
	for _, dir := range []string{one, two} {
		runGit(t, dir, "remote", "add", "origin", hub)
	}
	f, g := inRepo(t, one), inRepo(t, two)
	g.clock.add(time.Second)
	a, b := f.add(1), g.add(0)
	f.fold(FoldOptions{})
	g.fold(FoldOptions{})
	runGit(t, one, "push", "-q", "origin", "cairn")
	runGit(t, two, "fetch", "-q")
	wantIDs(t, g.ids(Query{}), a.ID, b.ID) // a plain fetch is enough
	wantIDs(t, f.ids(Query{}), a.ID)
	if r, err := g.Merge(ctx); err != nil || r.Commit == "" || r.Why != "" {
		t.Fatalf("merge: %+v %v", r, err)
	}
	runGit(t, two, "push", "-q", "origin", "cairn")
	runGit(t, one, "fetch", "-q")
	wantIDs(t, f.ids(Query{}), a.ID, b.ID)
	if r, err := f.Merge(ctx); err != nil || r.Why != "" {
		t.Fatalf("merge: %+v %v", r, err)
	}
	if runGit(t, one, "rev-parse", "cairn") != runGit(t, two, "rev-parse", "cairn") {
		t.Error("the second merge was not a fast-forward")
	}
	wantReport(t, f.fold(FoldOptions{}), 0, 0, "")
	wantReport(t, g.fold(FoldOptions{Check: true}), 0, 0, "")
	wantIDs(t, g.ids(Query{}), a.ID, b.ID)
	if len(f.warnings)+len(g.warnings) != 0 {
		t.Errorf("warnings %q %q", f.warnings, g.warnings)
	}
}

func TestBranchCheckedOut(t *testing.T) {
	isolate(t)
	dir := newRepo(t)
	f := inRepo(t, dir)
	a := f.add(0)
	f.fold(FoldOptions{})
	runGit(t, dir, "checkout", "-q", "cairn")
	b := f.add(1)
	wantReport(t, f.fold(FoldOptions{}), 0, 1, "checked out")
	wantIDs(t, f.ids(Query{}), a.ID, b.ID)
	runGit(t, dir, "checkout", "-q", "--detach")
	wantReport(t, f.fold(FoldOptions{}), 1, 0, "")
}

// TestWorktreesAppendAndFoldAtOnce has several linked worktrees capture at the
// same time, while git itself moves the branch.
func TestWorktreesAppendAndFoldAtOnce(t *testing.T) {
	isolate(t)
	dir := newRepo(t)
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	const trees, each = 4, 12
	var all []*fixture
	for i := range trees {
		tree := filepath.Join(t.TempDir(), "tree")
		runGit(t, dir, "worktree", "add", "-q", "-b", "b"+string(rune('0'+i)), tree)
		all = append(all, inRepo(t, tree))
	}
	var wg sync.WaitGroup
	for i, f := range all {
		wg.Go(func() {
			for n := range each {
				if err := f.Append(ctx, capture(n%2)); err != nil {
					t.Error(err)
				}
				if r, err := f.Fold(ctx, FoldOptions{Wait: n%3 == 0}); err != nil {
					t.Error(r, err)
				}
				if i == 0 && n%4 == 0 {
					exec.Command("git", "-C", dir, "pack-refs", "--all").Run()
				}
			}
		})
	}
	wg.Wait()
	f := all[0]
	if r := f.fold(FoldOptions{Wait: true}); r.Pending != 0 || r.Why != "" {
		t.Errorf("report %+v", r)
	}
	writers, _ := filepath.Glob(f.path(shardsDir + "/*/*/*/*"))
	if len(writers) != 1 {
		t.Errorf("shards %v, want one", writers)
	}
	if got := strings.Count(runGit(t, dir, "show", "cairn:"+f.own(1)), "\n") + 1; got != trees*each {
		t.Errorf("%d lines on the branch, want %d", got, trees*each)
	}
	runGit(t, dir, "fsck", "--strict")
	if s := runGit(t, dir, "status", "--porcelain"); s != "" {
		t.Errorf("the working tree was touched: %s", s)
	}
}
