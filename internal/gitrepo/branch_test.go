package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCommitContent(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	r := discover(t, dir)
	b := branch(t, r)
	set := func(path, text string) Change {
		return Change{path, func([]byte) []byte { return []byte(text) }}
	}
	remove := func(path string) Change { return Change{path, func([]byte) []byte { return nil }} }

	for _, step := range []struct {
		name    string
		changes []Change
		want    string // "path=content" of every file, or "error <kind>"
	}{
		{"no change makes no branch", nil, ""},
		{"removing nothing makes no branch", []Change{remove("x/y")}, ""},
		{"files in directories", []Change{set("m/2026/a", "1"), set("m/2026/b", "2"), set("top", "3")}, "m/2026/a=1 m/2026/b=2 top=3"},
		{"names sort as git sorts them", []Change{set("m.x", "4"), set("m-x/y", "5"), set("m0", "6")}, "m-x/y=5 m.x=4 m/2026/a=1 m/2026/b=2 m0=6 top=3"},
		{"two changes of one file see each other", []Change{addLine("top", "L1"), addLine("top", "L2")}, "m-x/y=5 m.x=4 m/2026/a=1 m/2026/b=2 m0=6 top=3L1\nL2\n"},
		{"an empty file is a file", []Change{set("top", "")}, "m-x/y=5 m.x=4 m/2026/a=1 m/2026/b=2 m0=6 top="},
		{"a directory goes with its last file", []Change{remove("m-x/y"), remove("m.x"), remove("m0"), remove("top"), remove("m/2026/b")}, "m/2026/a=1"},
		{"equal content is no commit", []Change{set("m/2026/a", "1")}, "m/2026/a=1"},
		{"file where a directory is", []Change{set("m/2026", "x")}, "error"},
		{"directory where a file is", []Change{set("m/2026/a/b", "x")}, "error"},
		{"both at once", []Change{set("n", "x"), set("n/a", "x")}, "error"},
		{"outside", []Change{set("../x", "x")}, "error"},
		{".git", []Change{set("m/.GIT/config", "x")}, "error"},
		{"absolute", []Change{set("/x", "x")}, "error"},
		{"empty name", []Change{set("m//x", "x")}, "error"},
		{"the last file goes", []Change{remove("m/2026/a")}, ""},
		{"an empty tree stays empty", []Change{remove("m/2026/a")}, ""},
		{"and can be filled again", []Change{set("m/a", "1")}, "m/a=1"},
	} {
		t.Run(step.name, func(t *testing.T) {
			before, _ := b.Tip(ctx)
			oid, err := b.Commit(ctx, step.changes, "s", "", when)
			if step.want == "error" {
				if now, _ := b.Tip(ctx); !errors.Is(err, ErrBadPath) || now != before {
					t.Fatalf("err = %v, branch %s -> %s", err, before, now)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if oid != "" {
				files, err := r.Files(ctx, oid)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					got = append(got, f.Path+"="+readFile(t, r, oid, f.Path))
				}
			}
			if s := strings.Join(got, " "); s != step.want {
				t.Errorf("files %q, want %q", s, step.want)
			}
			if strings.Contains(step.name, " no ") && oid != before || strings.Contains(step.name, "stays") && oid != before {
				t.Errorf("commit %s made for nothing", oid)
			}
		})
	}
	fsck(t, dir)
}

func TestCommitMessageAndPeople(t *testing.T) {
	ctx := context.Background()
	show := func(t *testing.T, dir, format string) string {
		return sh(t, dir, "log", "-1", "--date=iso", "--format="+format, "cairn")
	}
	zone := when.In(time.FixedZone("", 5*3600+1800))
	for _, c := range []struct {
		name, subject, body string
		setup               func(t *testing.T, dir string)
		want                string
	}{
		{"plain", "pytest failed: 1 failed, 120 passed", "", nil, "pytest failed: 1 failed, 120 passed||"},
		{"body", "two captures", "a\n\nb\n\n", nil, "two captures|a\n\nb\n|"},
		{"subject of many lines", "one\n\n two\tthree ", "", nil, "one two three||"},
		{"control characters and broken text", "a\x00b\x1b[31mc\xff", "x\x00\x1b]0;t\x07y", nil, "ab[31mc\uFFFD|x]0;ty\n|"},
		{"nothing", " ", "", nil, "update||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			b := branch(t, discover(t, dir))
			if _, err := b.Commit(ctx, []Change{addLine("a", "x")}, c.subject, c.body, zone); err != nil {
				t.Fatal(err)
			}
			if got := show(t, dir, "%s|%b|"); got != c.want {
				t.Errorf("message %q, want %q", got, c.want)
			}
			if got := show(t, dir, "%ad %cd"); got != "2023-11-15 03:43:20 +0530 2023-11-15 03:43:20 +0530" {
				t.Errorf("dates %s", got)
			}
			fsck(t, dir)
		})
	}
	for _, c := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  string
	}{
		{"user of the configuration", nil, "Ada Lovelace <ada@example.org> Ada Lovelace <ada@example.org>"},
		{"environment", func(t *testing.T, dir string) {
			t.Setenv("GIT_AUTHOR_NAME", "Grace <Hopper>\n")
			t.Setenv("GIT_COMMITTER_EMAIL", "ci@example.org")
		}, "Grace Hopper <ada@example.org> Ada Lovelace <ci@example.org>"},
		{"author of the repository", func(t *testing.T, dir string) { sh(t, dir, "config", "Author.Name", "Bot") }, "Bot <ada@example.org> Ada Lovelace <ada@example.org>"},
		{"nobody", func(t *testing.T, dir string) { sh(t, dir, "config", "--global", "--unset", "user.email") }, "cairn <cairn@localhost> cairn <cairn@localhost>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			if c.setup != nil {
				c.setup(t, dir)
			}
			commitLine(t, branch(t, discover(t, dir)), "a", "x")
			if got := show(t, dir, "%an <%ae> %cn <%ce>"); got != c.want {
				t.Errorf("people %q, want %q", got, c.want)
			}
			fsck(t, dir)
		})
	}
}

// TestEqualInputEqualCommit: no clock and no chance in a commit.
func TestEqualInputEqualCommit(t *testing.T) {
	var oids []string
	for range 2 {
		b := branch(t, discover(t, newRepo(t)))
		commitLine(t, b, "m/a", "x")
		oids = append(oids, commitLine(t, b, "m/b", "y"))
	}
	if oids[0] != oids[1] {
		t.Errorf("%s and %s", oids[0], oids[1])
	}
}

// TestNothingElseTouched: index, HEAD, working tree, stash, other refs and
// their logs are the same bytes before and after; no commit hook runs.
func TestNothingElseTouched(t *testing.T) {
	dir := newRepo(t)
	write(t, dir+"/code.txt", "stashed\n")
	sh(t, dir, "stash", "-q")
	write(t, dir+"/code.txt", "staged\n")
	sh(t, dir, "add", "code.txt")
	write(t, dir+"/code.txt", "in the working tree\n")
	write(t, dir+"/untracked", "u\n")
	for _, hook := range []string{"post-commit", "pre-commit", "post-checkout", "commit-msg", "post-index-change", "prepare-commit-msg"} {
		hookScript(t, dir, hook, "echo "+hook+" >> '"+dir+"/hook-ran'; exit 1")
	}
	sh(t, dir, "config", "commit.gpgSign", "true")
	sh(t, dir, "config", "gpg.program", "/bin/false")
	// as in a hook of `git commit -a`:
	t.Setenv("GIT_INDEX_FILE", dir+"/.git/index")
	t.Setenv("GIT_REFLOG_ACTION", "commit")

	mayChange := func(rel string) bool {
		return strings.HasPrefix(rel, ".git/objects/") || rel == ".git/objects" || rel == ".git" || rel == ".git/cairn" || rel == ".git/refs/heads" || strings.HasPrefix(rel, ".git/refs/heads/cairn")
	}
	before := snapshot(t, dir, mayChange)
	r := discover(t, dir)
	b := branch(t, r)
	for _, line := range []string{"one", "two", "three"} {
		commitLine(t, b, "m/a", line)
	}
	ctx := context.Background()
	if dirty, err := r.Dirty(ctx); !dirty || err != nil {
		t.Errorf("Dirty = %v, %v", dirty, err)
	}
	if _, err := r.ChangedSince(ctx, r.Commit, []string{"code.txt"}); err != nil {
		t.Error(err)
	}
	tip, _ := b.Tip(ctx)
	if _, err := r.FilesChanged(ctx, sh(t, dir, "rev-parse", tip+"^"), tip); err != nil {
		t.Error(err)
	}
	if after := snapshot(t, dir, mayChange); after != before {
		t.Errorf("something else changed:\n%s", firstDifference(before, after))
	}
	fsck(t, dir)
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := 0; i < len(x) || i < len(y); i++ {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return strings.Join(append(x[min(i, len(x)):min(i+1, len(x))], y[min(i, len(y)):min(i+1, len(y))]...), "\n")
		}
	}
	return ""
}

func hookScript(t *testing.T, dir, name, script string) {
	t.Helper()
	path := filepath.Join(dir, ".git", "hooks", name)
	write(t, path, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestReflog: none is started, the user's own goes on.
func TestReflog(t *testing.T) {
	dir := newRepo(t)
	sh(t, dir, "config", "core.logAllRefUpdates", "always")
	b := branch(t, discover(t, dir))
	commitLine(t, b, "a", "1")
	log := dir + "/.git/logs/refs/heads/cairn"
	if _, err := os.Stat(log); err == nil {
		t.Error("a reflog was started")
	}
	write(t, log, "")
	commitLine(t, b, "a", "2")
	if got := sh(t, dir, "log", "-g", "--format=%gs", "cairn"); got != "cairn: fold" {
		t.Errorf("reflog %q", got)
	}
}

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		kind  error
		words string
	}{
		{"foreign lock", func(t *testing.T, dir string) {
			write(t, dir+"/.git/refs/heads/cairn.lock", "")
		}, ErrRefused, "cairn.lock"},
		{"branch below our name", func(t *testing.T, dir string) {
			sh(t, dir, "branch", "cairn/x")
		}, ErrRefused, "cairn/x"},
		{"packed branch below our name", func(t *testing.T, dir string) {
			sh(t, dir, "branch", "cairn/x")
			sh(t, dir, "pack-refs", "--all")
		}, ErrRefused, "cairn/x"},
		{"reference-transaction hook", func(t *testing.T, dir string) {
			hookScript(t, dir, "reference-transaction", `[ "$1" = prepared ] && { echo "not on my watch" >&2; exit 1; }; exit 0`)
		}, ErrRefused, "not on my watch"},
		{"broken ref", func(t *testing.T, dir string) {
			write(t, dir+"/.git/refs/heads/cairn", "")
		}, ErrRefused, "broken"},
		{"symbolic ref", func(t *testing.T, dir string) {
			sh(t, dir, "symbolic-ref", "refs/heads/cairn", "refs/heads/main")
		}, ErrRefused, "symbolic"},
		{"checked out", func(t *testing.T, dir string) {
			sh(t, dir, "checkout", "-q", "-b", "cairn")
		}, ErrCheckedOut, ".git"},
		{"checked out and unborn", func(t *testing.T, dir string) {
			sh(t, dir, "symbolic-ref", "HEAD", "refs/heads/cairn")
		}, ErrCheckedOut, ".git"},
		{"checked out in a linked worktree", func(t *testing.T, dir string) {
			sh(t, dir, "worktree", "add", "-q", "-b", "cairn", dir+"-linked")
		}, ErrCheckedOut, "worktrees/repo-linked"},
		{"being rebased", func(t *testing.T, dir string) {
			sh(t, dir, "branch", "cairn")
			write(t, dir+"/.git/rebase-merge/head-name", "refs/heads/cairn\n")
		}, ErrCheckedOut, ".git"},
		{"tip object missing", func(t *testing.T, dir string) {
			write(t, dir+"/.git/refs/heads/cairn", strings.Repeat("12", 20)+"\n")
		}, ErrMissing, strings.Repeat("12", 20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRepo(t)
			c.setup(t, dir)
			refs := func() string { return snapshot(t, dir+"/.git/refs", nil) }
			before := refs()
			b := branch(t, discover(t, dir))
			_, err := b.Commit(ctx, []Change{addLine("a", "x")}, "s", "", when)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("err = %v, want %v with %q", err, c.kind, c.words)
			}
			if after := refs(); after != before {
				t.Errorf("refs changed: %s", firstDifference(before, after))
			}
		})
	}
}

// TestAfterRefusal: the same Branch works again once the trouble is over.
func TestAfterRefusal(t *testing.T) {
	dir := newRepo(t)
	b := branch(t, discover(t, dir))
	commitLine(t, b, "a", "1")
	lock := dir + "/.git/refs/heads/cairn.lock"
	write(t, lock, "")
	if _, err := b.Commit(context.Background(), []Change{addLine("a", "2")}, "s", "", when); !errors.Is(err, ErrRefused) {
		t.Fatalf("err = %v", err)
	}
	os.Remove(lock)
	commitLine(t, b, "a", "3")
	if got := sh(t, dir, "show", "cairn:a"); got != "1\n3" {
		t.Errorf("content %q", got)
	}
}

// TestBareHeadOnBranch: the HEAD of a bare repository is nothing checked out.
func TestBareHeadOnBranch(t *testing.T) {
	dir := newRepo(t)
	bare := dir + ".git"
	sh(t, dir, "clone", "-q", "--bare", dir, bare)
	sh(t, bare, "symbolic-ref", "HEAD", "refs/heads/cairn")
	commitLine(t, branch(t, discover(t, bare)), "a", "1")
	linked := dir + "-linked"
	sh(t, bare, "worktree", "add", "-q", linked, "main")
	commitLine(t, branch(t, discover(t, linked)), "a", "2")
	if got := sh(t, bare, "show", "cairn:a"); got != "1\n2" {
		t.Errorf("content %q", got)
	}
}

func TestBranchNames(t *testing.T) {
	dir := newRepo(t)
	names := []string{"cairn", "team/cairn", "ca.irn", "Ünïcode", "x@y", "-x", "", "a..b", "a b", "a/", "/a", "a//b", ".a", "a/.b", "a.lock", "a.lock/b",
		"a.", "HEAD", "a@{b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", `a\b`, "a\x7f", "a\nb"}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			_, err := tryGit(dir, "check-ref-format", "--branch", name)
			if got := validBranch(name); got != (err == nil) {
				t.Errorf("valid = %v, git says %v", got, err)
			}
			b := discover(t, dir).OpenBranch(name)
			if _, terr := b.Tip(context.Background()); errors.Is(terr, ErrBadBranch) != (err != nil) {
				t.Errorf("Tip: %v", terr)
			}
		})
	}
}

func TestRemotes(t *testing.T) {
	ctx := context.Background()
	dir := newRepo(t)
	one, two := sh(t, dir, "rev-parse", "HEAD"), sh(t, dir, "commit-tree", "-m", "x", "HEAD^{tree}")
	for ref, oid := range map[string]string{
		"refs/remotes/origin/cairn":      one,
		"refs/remotes/fork/cairn":        one,
		"refs/remotes/fork/main":         one,
		"refs/remotes/fork/old/cairn":    two, // the branch old/cairn of fork
		"refs/remotes/fork/cairn2":       two,
		"refs/heads/team/cairn":          two,
		"refs/remotes/team/cairn/branch": two,
	} {
		sh(t, dir, "update-ref", ref, oid)
	}
	check := func(t *testing.T, want ...RemoteTip) {
		t.Helper()
		r := discover(t, dir)
		got, err := r.OpenBranch("cairn").Remotes(ctx)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Remotes = %v, %v; want %v", got, err, want)
		}
		asked, err := r.askRefs(ctx, "refs/remotes/*/cairn")
		if err != nil || len(asked) != len(want) {
			t.Errorf("git says %v, %v", asked, err)
		}
	}
	t.Run("loose", func(t *testing.T) {
		check(t, RemoteTip{"refs/remotes/fork/cairn", one}, RemoteTip{"refs/remotes/origin/cairn", one})
	})
	sh(t, dir, "pack-refs", "--all", "--prune")
	t.Run("packed", func(t *testing.T) {
		check(t, RemoteTip{"refs/remotes/fork/cairn", one}, RemoteTip{"refs/remotes/origin/cairn", one})
	})
	sh(t, dir, "update-ref", "refs/remotes/origin/cairn", two)
	sh(t, dir, "update-ref", "-d", "refs/remotes/fork/cairn")
	t.Run("both", func(t *testing.T) {
		check(t, RemoteTip{"refs/remotes/origin/cairn", two})
	})
	write(t, dir+"/.git/refs/remotes/bad/cairn", "rubbish\n")
	t.Run("a broken one does not hide the others", func(t *testing.T) {
		check(t, RemoteTip{"refs/remotes/origin/cairn", two})
	})
}
