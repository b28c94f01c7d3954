package recall

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

func TestFreshness(t *testing.T) {
	dir := repo(t)
	write(t, filepath.Join(dir, "sub", "b.py"), "two\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "two")
	age(t, dir)

	about := func(files ...string) *result.ToolResult {
		r := &result.ToolResult{}
		for _, f := range files {
			r.Findings = append(r.Findings, result.Finding{At: &result.Location{Path: f, Line: 1}}, result.Finding{At: &result.Location{Path: f, Line: 2}})
		}
		r.Findings = append(r.Findings, result.Finding{At: &result.Location{Path: "/usr/lib/x.py", External: true}}, result.Finding{})
		return r
	}
	s := open(t, dir)
	clean, dirty := false, true
	record := func(d *bool) *manifest.Record {
		return &manifest.Record{Time: start, Git: &manifest.Git{Commit: s.Repo.Commit, Tree: s.Repo.Tree, Branch: "main", Dirty: d}}
	}
	check := func(name string, s *place.Site, rec *manifest.Record, r *result.ToolResult, want string) {
		t.Helper()
		if got := Freshness(t.Context(), s, rec, r); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	both := about("a.py", "sub/b.py")
	check("same tree", s, record(&clean), both, "same tree as now")
	check("same tree, from below", open(t, filepath.Join(dir, "sub")), record(&clean), both, "same tree as now")
	check("not known whether dirty", s, record(nil), both, "0 of 2 files named have changed since")
	check("not known whether dirty, no files", s, record(nil), nil, "same commit")
	check("dirty then", s, record(&dirty), both, "0 of 2 files named have changed since")
	check("dirty then, no files", s, record(&dirty), nil, "same commit, with changes")
	check("no git", s, &manifest.Record{Time: start}, both, "")

	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", "-b", "topic", linked)
	write(t, filepath.Join(linked, "a.py"), "changed there\n")
	git(t, linked, "commit", "-q", "-a", "-m", "three")
	age(t, linked)
	check("another branch in a linked worktree", open(t, linked), record(&clean), both, "1 of 2 files named have changed since")
	check("and dirty then", open(t, linked), record(&dirty), both, "1 of 2 files named have changed since")
	check("another commit, no files", open(t, linked), record(&clean), nil, "another commit: "+s.Repo.Commit[:12])
	unknown := record(&clean)
	unknown.Git.Commit, unknown.Git.Tree = "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789"
	check("a commit that is not here", s, unknown, both, "another commit: 012345678901")

	// git compares contents: what was written again is known by its time
	write(t, filepath.Join(dir, "new.py"), "not tracked\n")
	check("a file git does not track", s, record(&clean), about("new.py", "a.py"), "1 of 2 files named have changed since")
	write(t, filepath.Join(dir, "a.py"), "changed\n")
	check("changed", s, record(&clean), both, "1 of 2 files named have changed since")
	age(t, dir)
	check("changed under an old time", s, record(&clean), both, "1 of 2 files named have changed since")
	if err := os.Remove(filepath.Join(dir, "sub", "b.py")); err != nil {
		t.Fatal(err)
	}
	check("deleted", s, record(&clean), both, "2 of 2 files named have changed since")
	check("changed, no files named", s, record(&clean), nil, "same commit, with changes")
}

// A file that git does not track is compared by nothing but its times, of which a
// program can set only one.
func TestFreshnessOfUntracked(t *testing.T) {
	dir := repo(t)
	file := filepath.Join(dir, "new.py")
	write(t, file, "not tracked\n")
	s := open(t, dir)
	clean := false
	r := &result.ToolResult{Findings: []result.Finding{{At: &result.Location{Path: "new.py", Line: 1}}}}
	check := func(name string, at time.Time, want string) {
		t.Helper()
		rec := &manifest.Record{Time: at, Git: &manifest.Git{Commit: s.Repo.Commit, Tree: s.Repo.Tree, Branch: "main", Dirty: &clean}}
		if got := Freshness(t.Context(), s, rec, r); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	time.Sleep(50 * time.Millisecond) // the times of a file system lag behind the clock
	ran := time.Now()
	check("unchanged", ran, "same tree as now")
	check("by a clock that is ahead", ran.Add(time.Hour), "1 of 1 files named have changed since")
	time.Sleep(50 * time.Millisecond)
	write(t, file, "changed\n")
	if err := os.Chtimes(file, start, ran.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	check("changed, and its time set back", ran, "1 of 1 files named have changed since")
}

// age makes every file of a working tree older than the captures of a test.
func age(t *testing.T, dir string) {
	t.Helper()
	old := start.Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" && d.IsDir() {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFreshnessWithoutTree(t *testing.T) {
	away(t)
	bare := t.TempDir()
	git(t, bare, "init", "-q", "--bare")
	rec := &manifest.Record{Time: start, Git: &manifest.Git{Commit: "c0ffee"}}
	for _, dir := range []string{bare, t.TempDir()} {
		if got := Freshness(t.Context(), open(t, dir), rec, pytest("a")); got != "" {
			t.Errorf("%s: %q", dir, got)
		}
	}
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	rec.Git.Commit = ""
	if got := Freshness(t.Context(), open(t, empty), rec, pytest("a")); got != "1 of 1 files named have changed since" {
		t.Errorf("no commit then, none now: %q", got)
	}
}
