package gitrepo

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestManyCommitters: 16 committers of 20 lines each without any lock among
// them, while shell scripts move the same branch with git's own commands,
// and gc and pack-refs run. Nothing is lost.
func TestManyCommitters(t *testing.T) {
	// CI has them all: they take half a minute.
	committers, each, shells, shellEach := 8, 8, 2, 6
	if os.Getenv("CAIRN_TEST_THOROUGH") != "" {
		committers, each, shells, shellEach = 16, 20, 3, 10
	}
	dir := newRepo(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	want := map[string]int{}
	for c := range committers {
		for i := range each {
			want[fmt.Sprintf("c%d line %d", c, i)]++
		}
		wg.Go(func() {
			b := discover(t, dir).OpenBranch("cairn")
			for i := range each {
				// one file of its own, and one that all write to
				line := fmt.Sprintf("c%d line %d", c, i)
				changes := []Change{addLine(fmt.Sprintf("m/2026/own-%d", c), line), addLine("m/all", line)}
				if _, err := b.Commit(ctx, changes, line, "", when); err != nil {
					t.Errorf("committer %d: %v", c, err)
					return
				}
			}
		})
	}
	for s := range shells {
		for i := range shellEach {
			want[fmt.Sprintf("s%d line %d", s, i)]++
		}
		wg.Go(func() {
			cmd := exec.Command("sh", "-c", shellCommitter, "sh", fmt.Sprint("s", s), fmt.Sprint(shellEach))
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("shell: %v\n%s", err, out)
			}
		})
	}
	done := make(chan struct{})
	var keeper sync.WaitGroup
	keeper.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			tryGit(dir, "pack-refs", "--all", "--prune")
			if i%20 == 2 {
				tryGit(dir, "gc", "-q")
			}
		}
	})
	wg.Wait()
	close(done)
	keeper.Wait()

	r := discover(t, dir)
	tip, err := r.OpenBranch("cairn").Tip(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for line := range strings.Lines(readFile(t, r, tip, "m/all")) {
		got[strings.TrimSpace(line)]++
	}
	for line, n := range want {
		if got[line] != n {
			t.Errorf("%q is there %d times", line, got[line])
		}
	}
	for c := range committers {
		if n := strings.Count(readFile(t, r, tip, fmt.Sprintf("m/2026/own-%d", c)), "\n"); n != each {
			t.Errorf("own file %d has %d lines", c, n)
		}
	}
	if n := sh(t, dir, "rev-list", "--count", "cairn"); n != fmt.Sprint(len(want)) {
		t.Errorf("%s commits, want %d", n, len(want))
	}
	fsck(t, dir)
}

// shellCommitter adds lines to m/all the way a script would: plumbing and a
// compare-and-swap.
const shellCommitter = `
i=0
while [ $i -lt $2 ]; do
	old=$(git rev-parse -q --verify refs/heads/cairn) || old=
	{ [ -z "$old" ] || git cat-file blob $old:m/all 2>/dev/null; echo "$1 line $i"; } > .git/tmp-$1
	blob=$(git hash-object -w .git/tmp-$1) || continue # git gc may take a directory git just made
	export GIT_INDEX_FILE=.git/index-$1
	rm -f $GIT_INDEX_FILE
	[ -z "$old" ] || git read-tree $old || continue # git gc may take a directory git just made
	git update-index --add --cacheinfo 100644,$blob,m/all || continue # git gc may take a directory git just made
	tree=$(git write-tree) || continue # git gc may take a directory git just made
	new=$(git commit-tree -m "$1 line $i" ${old:+-p $old} $tree) || continue # git gc may take a directory git just made
	git update-ref refs/heads/cairn $new ${old:-0000000000000000000000000000000000000000} 2>/dev/null && i=$((i+1))
done
`

// TestPruneMeanwhile: `git gc --prune=now` takes what no ref names, also what
// is being committed; the branch is whole nevertheless.
func TestPruneMeanwhile(t *testing.T) {
	dir := newRepo(t)
	b := branch(t, discover(t, dir))
	pruned := false
	_, err := b.Commit(context.Background(), []Change{addLine("m/a", "1"), {"m/b", func([]byte) []byte {
		pruned = true
		sh(t, dir, "prune", "--expire=now") // the blob of m/a is written, and goes
		return []byte("2")
	}}}, "s", "", when)
	if err != nil || !pruned {
		t.Fatal(err)
	}
	fsck(t, dir)
}

// TestLostRace: the branch moves between the reading of the tip and the move.
func TestLostRace(t *testing.T) {
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprint("packed=", packed), func(t *testing.T) {
			dir := newRepo(t)
			b, other := branch(t, discover(t, dir)), branch(t, discover(t, dir))
			calls := 0
			_, err := b.Commit(context.Background(), []Change{{"a", func(old []byte) []byte {
				if calls++; calls <= 3 {
					commitLine(t, other, "a", fmt.Sprint("other ", calls))
					if packed {
						sh(t, dir, "pack-refs", "--all", "--prune")
					}
				}
				return joinLines(old, []byte("mine\n"))
			}}}, "s", "", when)
			if err != nil || calls != 4 {
				t.Errorf("%d calls, %v", calls, err)
			}
			if got := sh(t, dir, "show", "cairn:a"); got != "other 1\nother 2\nother 3\nmine" {
				t.Errorf("%q", got)
			}
			fsck(t, dir)
		})
	}
	t.Run("deleted meanwhile", func(t *testing.T) {
		dir := newRepo(t)
		b := branch(t, discover(t, dir))
		commitLine(t, b, "a", "1")
		once := sync.OnceFunc(func() { sh(t, dir, "branch", "-q", "-D", "cairn") })
		if _, err := b.Commit(context.Background(), []Change{{"b", func([]byte) []byte { once(); return []byte("2") }}}, "s", "", when); err != nil {
			t.Fatal(err)
		}
		if got := sh(t, dir, "ls-tree", "-r", "--name-only", "cairn"); got != "b" {
			t.Errorf("%q", got)
		}
	})
	t.Run("checked out meanwhile", func(t *testing.T) {
		dir := newRepo(t)
		b := branch(t, discover(t, dir))
		commitLine(t, b, "a", "1")
		sh(t, dir, "checkout", "-q", "cairn")
		if _, err := b.Commit(context.Background(), []Change{addLine("a", "2")}, "s", "", when); err == nil {
			t.Error("no error")
		}
		if got := sh(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("status %q", got)
		}
	})
}

// TestKilled ends a committing process with SIGKILL at many moments: every commit
// it had acknowledged is there, and the repository is whole and not locked.
func TestKilled(t *testing.T) {
	dir := newRepo(t)
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	acknowledged := 0
	for round := range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killedEnv+"="+dir, fmt.Sprintf("%s_ROUND=%d", killedEnv, round))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n <= round%4 && lines.Scan(); n++ {
			acknowledged++
		}
		for range round * 20_000 { // a little later in the next commit each time
			runtime.Gosched()
		}
		cmd.Process.Kill()
		for lines.Scan() {
			acknowledged++
		}
		cmd.Wait()
	}
	commitLine(t, branch(t, discover(t, dir)), "m/a", "the last")
	got := strings.Count(sh(t, dir, "show", "cairn:m/a"), "\n") + 1
	if acknowledged < rounds || got < acknowledged+1 {
		t.Errorf("%d lines, %d were acknowledged", got, acknowledged)
	}
	fsck(t, dir)
}

// killedEnv names the repository that the test program shall commit to for
// ever, telling of each commit on stdout.
const killedEnv = "GITREPO_TEST_COMMIT_TO"

func commitForever(dir string) error {
	r, err := Discover(context.Background(), dir)
	if err != nil {
		return err
	}
	b := r.OpenBranch("cairn")
	for i := 0; ; i++ {
		line := fmt.Sprintf("round %s line %d", os.Getenv(killedEnv+"_ROUND"), i)
		if _, err := b.Commit(context.Background(), []Change{addLine("m/a", line)}, line, "", when); err != nil {
			return err
		}
		fmt.Println(line)
	}
}
