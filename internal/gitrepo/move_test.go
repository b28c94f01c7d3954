package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// movers are the ways to move the branch of a repository with files.
var movers = []struct {
	name  string
	force func(t testing.TB, dir string)
}{
	{"files", func(testing.TB, string) {}},
	{"git", func(t testing.TB, dir string) { sh(t, dir, "config", "core.hooksPath", "/nowhere") }},
}

// TestMove: both ways do the same.
func TestMove(t *testing.T) {
	for _, by := range movers {
		setup := func(t *testing.T) (string, *Branch) {
			dir := newRepo(t)
			by.force(t, dir)
			b := branch(t, discover(t, dir))
			if got := b.repo.movesByFiles(context.Background(), "refs/heads/"+b.Name()); got != (by.name == "files") {
				t.Fatalf("moves by files: %v", got)
			}
			return dir, b
		}
		want := func(t *testing.T, dir, text string) {
			t.Helper()
			if got := sh(t, dir, "show", "cairn:a"); got != text {
				t.Errorf("%q, want %q", got, text)
			}
			fsck(t, dir)
			if left, _ := filepath.Glob(dir + "/.git/cairn/*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		}
		t.Run(by.name+"/loose, packed and deleted", func(t *testing.T) {
			dir, b := setup(t)
			commitLine(t, b, "a", "1")
			commitLine(t, b, "a", "2")
			sh(t, dir, "pack-refs", "--all", "--prune")
			commitLine(t, b, "a", "3")
			sh(t, dir, "gc", "-q", "--prune=now")
			commitLine(t, b, "a", "4")
			want(t, dir, "1\n2\n3\n4")
			sh(t, dir, "branch", "-q", "-D", "cairn")
			commitLine(t, b, "a", "5")
			want(t, dir, "5")
		})
		t.Run(by.name+"/a branch in its way", func(t *testing.T) {
			for _, pack := range []bool{false, true} {
				dir, b := setup(t)
				sh(t, dir, "branch", "cairn/x")
				if pack {
					sh(t, dir, "pack-refs", "--all", "--prune")
				}
				_, err := b.Commit(context.Background(), []Change{addLine("a", "1")}, "s", "", when)
				if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "cairn/x") {
					t.Errorf("packed %v: err = %v", pack, err)
				}
				sh(t, dir, "branch", "-q", "-D", "cairn/x")
				commitLine(t, b, "a", "1")
				want(t, dir, "1")
			}
		})
		t.Run(by.name+"/in the way of a branch", func(t *testing.T) {
			for _, pack := range []bool{false, true} {
				dir, _ := setup(t)
				sh(t, dir, "branch", "team")
				if pack {
					sh(t, dir, "pack-refs", "--all", "--prune")
				}
				b := discover(t, dir).OpenBranch("team/cairn")
				_, err := b.Commit(context.Background(), []Change{addLine("a", "1")}, "s", "", when)
				if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "team") {
					t.Errorf("packed %v: err = %v", pack, err)
				}
			}
		})
		t.Run(by.name+"/slashes in the name", func(t *testing.T) {
			dir, _ := setup(t)
			b := discover(t, dir).OpenBranch("team/a/cairn")
			commitLine(t, b, "a", "1")
			commitLine(t, b, "a", "2")
			if got := sh(t, dir, "show", "team/a/cairn:a"); got != "1\n2" {
				t.Errorf("%q", got)
			}
		})
		t.Run(by.name+"/locked by somebody else", func(t *testing.T) {
			dir, b := setup(t)
			commitLine(t, b, "a", "1")
			lock := dir + "/.git/refs/heads/cairn.lock"
			write(t, lock, "")
			_, err := b.Commit(context.Background(), []Change{addLine("a", "2")}, "s", "", when)
			if !errors.Is(err, ErrRefused) {
				t.Errorf("err = %v", err)
			}
			if _, err := os.Stat(lock); err != nil {
				t.Errorf("somebody else's lock: %v", err)
			}
			os.Remove(lock)
			commitLine(t, b, "a", "2")
			want(t, dir, "1\n2")
		})
		t.Run(by.name+"/a process killed with the lock", func(t *testing.T) {
			dir, b := setup(t)
			commitLine(t, b, "a", "1")
			draft := filepath.Join(dir, ".git", "cairn", url.PathEscape(b.ref))
			write(t, draft, sh(t, dir, "rev-parse", "HEAD")+"\n")
			if err := os.Link(draft, dir+"/.git/refs/heads/cairn.lock"); err != nil {
				t.Skip(err)
			}
			if by.name == "git" { // it cannot know whose the lock is
				os.Remove(draft)
				os.Remove(dir + "/.git/refs/heads/cairn.lock")
			}
			commitLine(t, b, "a", "2")
			want(t, dir, "1\n2")
		})
		t.Run(by.name+"/a process killed behind the move", func(t *testing.T) {
			dir, b := setup(t)
			commitLine(t, b, "a", "1")
			if by.name == "files" {
				draft := filepath.Join(dir, ".git", "cairn", url.PathEscape(b.ref))
				if err := os.Link(dir+"/.git/refs/heads/cairn", draft); err != nil {
					t.Skip(err)
				}
			}
			commitLine(t, b, "a", "2")
			want(t, dir, "1\n2")
		})
		t.Run(by.name+"/cancelled", func(t *testing.T) {
			dir, b := setup(t)
			ctx, cancel := context.WithCancel(context.Background())
			_, err := b.Commit(ctx, []Change{{"a", func([]byte) []byte { cancel(); return []byte("1") }}}, "s", "", when)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v", err)
			}
			if _, err := os.Stat(dir + "/.git/refs/heads/cairn.lock"); err == nil {
				t.Error("a lock is left behind")
			}
			commitLine(t, b, "a", "1")
			want(t, dir, "1")
		})
	}
}

// TestMoveWithoutGit: a plain repository needs no git at all.
func TestMoveWithoutGit(t *testing.T) {
	dir := newRepo(t)
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	b := branch(t, discover(t, dir))
	commitLine(t, b, "a", "1")
	commitLine(t, b, "a", "2")
	t.Setenv("PATH", path)
	if got := sh(t, dir, "show", "cairn:a"); got != "1\n2" {
		t.Errorf("%q", got)
	}
	fsck(t, dir)
}

// TestMoveAskGit: what has a say in moving a branch is heard.
func TestMoveAskGit(t *testing.T) {
	ctx := context.Background()
	t.Run("a hook", func(t *testing.T) {
		dir := newRepo(t)
		hook := dir + "/.git/hooks/reference-transaction"
		write(t, hook, "#!/bin/sh\necho no such branch here >&2\nexit 1\n")
		chmod(t, hook, 0o755)
		_, err := branch(t, discover(t, dir)).Commit(ctx, []Change{addLine("a", "1")}, "s", "", when)
		if !errors.Is(err, ErrRefused) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("a reflog", func(t *testing.T) {
		dir := newRepo(t)
		write(t, dir+"/.git/logs/refs/heads/cairn", "")
		b := branch(t, discover(t, dir))
		commitLine(t, b, "a", "1")
		commitLine(t, b, "a", "2")
		if got := strings.Count(sh(t, dir, "reflog", "cairn"), "cairn: fold"); got != 2 {
			t.Errorf("%d entries", got)
		}
	})
}

// TestBothMovers: writers of both kinds at once, and git packing refs meanwhile,
// lose no commit.
func TestBothMovers(t *testing.T) {
	dir := newRepo(t)
	const writers, commits = 4, 12
	var done sync.WaitGroup
	for w := range writers {
		r := discover(t, dir)
		if w%2 == 1 {
			r.config = map[string]string{"core.hookspath": "/nowhere"} // as far as this one knows
		}
		b := branch(t, r)
		done.Go(func() {
			for i := range commits {
				_, err := b.Commit(context.Background(), []Change{addLine("a", fmt.Sprint("x", w, i))}, "s", "", when)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 10 {
		sh(t, dir, "pack-refs", "--all", "--prune")
	}
	done.Wait()
	if got := sh(t, dir, "rev-list", "--count", "cairn"); got != "48" {
		t.Errorf("%s commits, want %d", got, writers*commits)
	}
	if got := strings.Count(sh(t, dir, "show", "cairn:a"), "x"); got != writers*commits {
		t.Errorf("%d lines", got)
	}
	fsck(t, dir)
}

// TestMoverReadsUnderLock: what git packs after it has heard of a move, and before it has the lock of
// the ref, counts, although packed-refs has the size, the inode and the second of the file before.
func TestMoverReadsUnderLock(t *testing.T) {
	dir := newRepo(t)
	tree := sh(t, dir, "rev-parse", "HEAD^{tree}")
	var commits [4]string
	for i := range commits {
		commits[i] = sh(t, dir, "commit-tree", tree, "-m", fmt.Sprint(i))
	}
	set := func(oid string) {
		sh(t, dir, "update-ref", "refs/heads/cairn", oid)
		sh(t, dir, "pack-refs", "--all", "--prune")
	}
	set(commits[0])
	m, err := startMover(context.Background(), discover(t, dir).storeGit())
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	fmt.Fprintf(m.in, "start\nupdate refs/heads/cairn %s %s\n", commits[3], commits[0])
	if line, err := m.out.ReadString('\n'); err != nil || line != "start: ok\n" {
		t.Fatal(line, err)
	}
	time.Sleep(50 * time.Millisecond) // git says nothing to an update
	set(commits[1])
	set(commits[2])
	fmt.Fprint(m.in, "prepare\ncommit\n")
	if line, err := m.out.ReadString('\n'); err == nil {
		t.Errorf("git answers %q", line)
	}
	if got := sh(t, dir, "rev-parse", "cairn"); got != commits[2] {
		t.Errorf("the branch is at %s, want %s", got, commits[2])
	}
}
