package manifest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/gitrepo"
)

// TestMain lets the test binary be the processes of the tests below.
func TestMain(m *testing.M) {
	if spec := os.Getenv("MANIFEST_TEST_APPEND"); spec != "" {
		appendAsChild(spec)
		return
	}
	os.Exit(m.Run())
}

// appendAsChild appends records and prints the id of each that was
// acknowledged. spec is "dir|count|bytes|tree"; count 0 goes on until killed.
// With a working tree it folds now and then, as helpers do.
func appendAsChild(spec string) {
	part := strings.Split(spec, "|")
	count, _ := strconv.Atoi(part[1])
	size, _ := strconv.Atoi(part[2])
	o := Options{}
	if part[3] != "" {
		repo, err := gitrepo.Discover(ctx, part[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		branch := repo.OpenBranch("cairn")
		o.Branch = branch
	}
	m := Open(part[0], o)
	for i := 0; count == 0 || i < count; i++ {
		r := capture(i % 2)
		r.Argv = []string{strings.Repeat("x", size)}
		if err := m.Append(ctx, r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(r.ID)
		if o.Branch == nil || i%8 != 7 && i != count-1 {
			continue
		}
		if r, err := m.Fold(ctx, FoldOptions{}); err != nil || r.Trouble {
			fmt.Fprintln(os.Stderr, r, err)
			os.Exit(1)
		}
	}
}

// child starts the test binary as a process that appends.
func child(t *testing.T, dir string, count, size int, tree string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("MANIFEST_TEST_APPEND=%s|%d|%d|%s", dir, count, size, tree))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// capturesEach is how many captures each of many processes makes: CAIRN_TEST_THOROUGH
// asks for more, as CI does.
func capturesEach() int {
	if os.Getenv("CAIRN_TEST_THOROUGH") != "" {
		return 50
	}
	return 10
}

func TestManyProcessesAppendAtOnce(t *testing.T) {
	processes, each := 64, capturesEach()
	f := newFixture(t)
	acked := make([][]string, processes)
	var wg sync.WaitGroup
	for p := range processes {
		cmd, out := child(t, f.dir, each, 100, "")
		wg.Go(func() {
			for out.Scan() {
				acked[p] = append(acked[p], out.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v", p, err)
			}
		})
	}
	wg.Wait()
	f.checkAll(acked, processes*each)
	if writers, _ := filepath.Glob(f.path(shardsDir + "/*/*/*/*-1.jsonl")); len(writers) > 2 { // one a day
		t.Errorf("several writers: %v", writers)
	}
	wantReport(t, f.fold(FoldOptions{Wait: true}), processes*each, 0, "")
	if got := len(f.fake.lines()); got != processes*each {
		t.Errorf("%d lines on the branch, want %d", got, processes*each)
	}
}

func TestManyProcessesFoldAtOnce(t *testing.T) {
	isolate(t)
	processes, each := 64, capturesEach()
	dir := newRepo(t)
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	trees := []string{dir}
	for range 3 {
		tree := filepath.Join(t.TempDir(), "tree")
		runGit(t, dir, "worktree", "add", "-q", "--detach", tree)
		trees = append(trees, tree)
	}
	f := inRepo(t, dir)
	acked := make([][]string, processes)
	var wg sync.WaitGroup
	for p := range processes {
		cmd, out := child(t, f.dir, each, 100, trees[p%len(trees)])
		wg.Go(func() {
			for out.Scan() {
				acked[p] = append(acked[p], out.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v", p, err)
			}
		})
	}
	wg.Wait()
	f.checkAll(acked, processes*each)
	if r := f.fold(FoldOptions{Wait: true}); r.Pending != 0 || r.Why != "" {
		t.Errorf("report %+v", r)
	}
	commits := runGit(t, dir, "rev-list", "--count", "cairn")
	t.Logf("%d captures in %s commits", processes*each, commits)
	runGit(t, dir, "fsck", "--strict")
	os.RemoveAll(f.dir) // the branch alone must do
	f.checkAll(acked, processes*each)
}

// checkAll wants every acknowledged id to be read, and nothing torn.
func (f *fixture) checkAll(acked [][]string, atLeast int) {
	f.t.Helper()
	have := make(map[string]bool)
	for _, id := range f.ids(Query{}) {
		have[id] = true
	}
	n := 0
	for _, ids := range acked {
		for _, id := range ids {
			if n++; !have[id] {
				f.t.Errorf("%s was acknowledged and is lost", id)
			}
		}
	}
	if n < atLeast {
		f.t.Errorf("%d were acknowledged, want at least %d", n, atLeast)
	}
	if len(f.warnings) != 0 {
		f.t.Errorf("%d warnings, first %s", len(f.warnings), f.warnings[0])
	}
}

// TestKilledWhileAppending kills appending processes with SIGKILL at any
// moment. Torn lines may be left, and warned of; no acknowledged record may
// be lost, and the lock must not stay.
func TestKilledWhileAppending(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	f := newFixture(t)
	var acked [][]string
	for round := range rounds {
		var ids []string
		a, outA := child(t, f.dir, 0, 50_000, "")
		b, outB := child(t, f.dir, 0, 300, "")
		for range 3 + round%5 {
			if !outA.Scan() || !outB.Scan() {
				t.Fatal("a child ended by itself")
			}
			ids = append(ids, outA.Text(), outB.Text())
		}
		a.Process.Kill()
		b.Process.Kill()
		for _, out := range []*bufio.Scanner{outA, outB} {
			for out.Scan() {
				if len(out.Text()) == idLen {
					ids = append(ids, out.Text())
				}
			}
		}
		a.Wait()
		b.Wait()
		acked = append(acked, ids)
	}
	f.clock.t = time.Now()
	last := f.add(0)
	acked = append(acked, []string{last.ID})
	torn := 0
	defer func() { t.Logf("%d torn lines in %d kills", torn, 2*rounds) }()
	have := f.ids(Query{})
	torn, f.warnings = len(f.warnings), nil
	if torn > 2*rounds {
		t.Errorf("%d torn lines in %d kills", torn, 2*rounds)
	}
	if r := f.fold(FoldOptions{Wait: true}); r.Folded != len(have) {
		t.Errorf("%d records are read, %d were folded", len(have), r.Folded)
	}
	for _, line := range f.fake.lines() {
		if !json.Valid([]byte(line)) {
			t.Errorf("the branch has a torn line %.80q", line)
		}
	}
	os.RemoveAll(f.path(shardsDir)) // the branch alone must do
	f.checkAll(acked, 1)
}
