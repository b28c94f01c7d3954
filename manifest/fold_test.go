package manifest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cairn/internal/gitrepo"
)

func wantReport(t *testing.T, got Report, folded, pending int, why string) {
	t.Helper()
	if got.Folded != folded || got.Pending != pending || (why == "") != (got.Why == "") || !strings.Contains(got.Why, why) {
		t.Errorf("report %+v, want %d folded, %d pending, why %q", got, folded, pending, why)
	}
}

func TestFoldCommitsWhatIsPending(t *testing.T) {
	f := newFixture(t)
	wantReport(t, f.fold(FoldOptions{}), 0, 0, "")
	f.add(1)
	wantReport(t, f.fold(FoldOptions{}), 1, 0, "")
	f.add(0)
	f.add(1)
	f.add(0)
	wantReport(t, f.fold(FoldOptions{}), 3, 0, "")
	wantReport(t, f.fold(FoldOptions{}), 0, 0, "")
	want := []string{"pytest failed: 1 failed, 120 passed", "3 captures: 1 failed, 2 passed [pytest]"}
	if !slices.Equal(f.fake.log, want) {
		t.Errorf("log %q, want %q", f.fake.log, want)
	}
	if got := f.fake.files(f.fake.tip)[f.own(1)]; got != f.read(f.own(1)) {
		t.Errorf("the shard on the branch differs from the local one:\n%s", got)
	}
}

func TestFoldIsCheapWhenNothingChanged(t *testing.T) {
	f := newFixture(t)
	for range 3 {
		f.add(0)
	}
	f.fold(FoldOptions{})
	f.fake.calls, f.fake.reads = 0, 0
	state := f.read(foldFile)
	f.fold(FoldOptions{})
	if f.read(foldFile) != state {
		t.Error("a fold of nothing counts as a fold")
	}
	f.add(0)
	f.fold(FoldOptions{})
	if f.fake.calls != 3 || f.fake.reads != 0 { // tip; tip and commit
		t.Errorf("%d calls of git and %d blobs read", f.fake.calls, f.fake.reads)
	}
	f.ids(Query{}) // learns the new tip
	f.fake.calls, f.fake.reads = 0, 0
	f.ids(Query{})
	if f.fake.calls != 1 || f.fake.reads != 0 {
		t.Errorf("a read with nothing new: %d calls of git and %d blobs read", f.fake.calls, f.fake.reads)
	}
}

func TestRefusedFoldsWait(t *testing.T) {
	tests := []struct {
		name   string
		refuse error
		why    string
	}{
		{"checked out", &gitrepo.Error{Op: "move branch cairn", Kind: gitrepo.ErrCheckedOut}, "checked out"},
		{"no git", gitrepo.ErrNoGit, "not found"},
		{"refused", &gitrepo.Error{Op: "move branch cairn", Kind: gitrepo.ErrRefused, Stderr: "hook said no"}, "hook said no"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.fake.refuse = tt.refuse
			a, b := f.add(1), f.add(0)
			r := f.fold(FoldOptions{})
			wantReport(t, r, 0, 2, tt.why)
			if !r.Trouble {
				t.Error("nobody would be told")
			}
			calls, started := f.fake.calls, 0
			later := func() Report {
				r, err := f.FoldLater(func(*os.File) error { started++; return nil })
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			wantReport(t, later(), 0, 2, tt.why)
			if f.fake.calls != calls || started != 0 {
				t.Error("git is asked again at once")
			}
			f.clock.add(refusedPause)
			wantReport(t, later(), 0, 2, tt.why)
			if started != 1 {
				t.Error("it is never tried again")
			}
			wantIDs(t, f.ids(Query{}), a.ID, b.ID)
			f.fake.refuse = nil
			wantReport(t, f.fold(FoldOptions{}), 2, 0, "")
		})
	}
	t.Run("no repository", func(t *testing.T) {
		f := newFixtureAt(t, t.TempDir(), nil)
		f.add(0)
		wantReport(t, f.fold(FoldOptions{}), 0, 1, "no git repository")
	})
	t.Run("another fold runs", func(t *testing.T) {
		f := newFixture(t)
		f.add(0)
		unlock, err := tryLock(f.path(foldLock))
		if err != nil {
			t.Fatal(err)
		}
		wantReport(t, f.fold(FoldOptions{}), 0, 1, "another process")
		unlock()
		wantReport(t, f.fold(FoldOptions{Wait: true}), 1, 0, "")
	})
}

// TestFoldHealsItself breaks what a fold remembers, or the branch under it,
// and wants every line back on the branch, none counted twice.
func TestFoldHealsItself(t *testing.T) {
	tests := []struct {
		name    string
		damage  func(f *fixture)
		missing int // lines that the next fold has to bring
		opts    FoldOptions
	}{
		{"the state is lost", func(f *fixture) { os.Remove(f.path(foldFile)) }, 0, FoldOptions{}},
		{"the state is garbage", func(f *fixture) { f.write(foldFile, "\x00\x00") }, 0, FoldOptions{}},
		{"all that is local is lost", func(f *fixture) { os.RemoveAll(f.path(localDir)) }, 0, FoldOptions{}},
		{"the writer id is lost", func(f *fixture) { os.Remove(f.path(writerFile)) }, 0, FoldOptions{}},
		{"the branch is deleted", func(f *fixture) { f.fake.tip = "" }, 4, FoldOptions{}},
		{"the branch is reset", func(f *fixture) { f.fake.tip = fmt.Sprintf("%040x", 1) }, 3, FoldOptions{}},
		{"the branch is reset and the old tip pruned", func(f *fixture) {
			delete(f.fake.trees, f.fake.tip)
			f.fake.tip = fmt.Sprintf("%040x", 1)
		}, 3, FoldOptions{}},
		{"the branch is replaced by another's", func(f *fixture) {
			f.fake.tip = f.fake.put(map[string]string{"README": "hello", shardPath(dayOf(noon), "other", 1): makeLine(t, noon, nil) + "\n"})
		}, 4, FoldOptions{}},
		{"someone adds to it", func(f *fixture) {
			files := f.fake.files(f.fake.tip)
			files[shardPath(dayOf(noon), "other", 1)] = makeLine(t, noon, nil) + "\n"
			f.fake.tip = f.fake.put(files)
		}, 0, FoldOptions{}},
		{"someone cuts our shard", func(f *fixture) {
			files := f.fake.files(f.fake.tip)
			files[f.own(1)] = files[f.own(1)][:strings.Index(files[f.own(1)], "\n")+1]
			f.fake.tip = f.fake.put(files)
		}, 2, FoldOptions{}}, // the fourth line is of another day
		{"the state lies and the check does not believe it", func(f *fixture) {
			st := f.loadFold()
			f.fake.tip = f.fake.put(map[string]string{"README": "hello"})
			st.Tip = f.fake.tip
			f.saveFold(st)
		}, 4, FoldOptions{Check: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			var want []string
			for i := range 3 {
				want = append(want, f.add(i%2).ID)
				f.fold(FoldOptions{})
			}
			f.clock.add(24 * time.Hour)
			want = append(want, f.add(0).ID)
			f.fold(FoldOptions{})
			tt.damage(f)
			wantReport(t, f.fold(tt.opts), tt.missing, 0, "")
			f.clock.add(time.Minute)
			want = append(want, f.add(1).ID)
			wantReport(t, f.fold(FoldOptions{}), 1, 0, "")
			wantReport(t, f.fold(FoldOptions{Check: true}), 0, 0, "")
			on := strings.Join(f.fake.lines(), "\n")
			for _, id := range want {
				if strings.Count(on, id) != 1 {
					t.Errorf("%s is on the branch %d times", id, strings.Count(on, id))
				}
			}
			if got := f.ids(Query{}); len(got) < len(want) {
				t.Errorf("%d records, want %d", len(got), len(want))
			}
		})
	}
}

func TestCopiedCloneLosesNothing(t *testing.T) {
	one := newFixture(t)
	one.add(0)
	one.fold(FoldOptions{})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(one.dir)); err != nil {
		t.Fatal(err)
	}
	two := newFixtureAt(t, dir, one.fake) // same writer, same branch
	two.clock.add(time.Hour)
	a, b := one.add(1), two.add(1)
	wantReport(t, one.fold(FoldOptions{}), 1, 0, "")
	wantReport(t, two.fold(FoldOptions{}), 1, 0, "")
	if got := len(one.fake.lines()); got != 3 {
		t.Errorf("%d lines on the branch, want 3", got)
	}
	for _, f := range []*fixture{one, two} {
		got := f.ids(Query{})
		if len(got) != 3 || !slices.Contains(got, a.ID) || !slices.Contains(got, b.ID) {
			t.Errorf("got %v", got)
		}
	}
}

func TestManyShardsFoldInBoundedCommits(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	for n := range foldShards + 10 {
		f.write(shardPath(dayOf(noon), "older", n+1), makeLine(t, noon, nil)+"\n")
	}
	os.Remove(f.path(foldFile))
	wantReport(t, f.fold(FoldOptions{}), foldShards+11, 0, "")
	if len(f.fake.log) != 2 {
		t.Errorf("%d commits, want 2", len(f.fake.log))
	}
}

func TestRemoteRecordsAreRead(t *testing.T) {
	f := newFixture(t)
	own := f.add(0)
	f.fold(FoldOptions{})
	shard := func(writer string, n int, at ...int) (string, []string) {
		var content string
		var ids []string
		for _, s := range at {
			content += makeLine(t, noon.Add(time.Duration(s)*time.Minute), func(r *Record) { ids = append(ids, r.ID) }) + "\n"
		}
		return content, ids
	}
	theirs, ids := shard("them", 1, 10, 20)
	path := shardPath(dayOf(noon), "them", 1)
	const ref = "refs/remotes/origin/cairn"
	f.fake.remotes[ref] = f.fake.put(map[string]string{path: theirs, "README": "hi", "manifest/2026/11/20/../x.jsonl": "evil"})
	wantIDs(t, f.ids(Query{}), own.ID, ids[0], ids[1])

	// More of theirs, and ours as they got it from us: only the change is read.
	more, moreIDs := shard("them", 2, 30)
	f.fake.remotes[ref] = f.fake.put(map[string]string{path: theirs, shardPath(dayOf(noon), "them", 2): more, f.own(1): f.read(f.own(1))})
	f.fake.reads = 0
	all := append([]string{own.ID}, append(slices.Clone(ids), moreIDs...)...)
	wantIDs(t, f.ids(Query{}), all...)
	if f.fake.reads != 1 {
		t.Errorf("%d blobs were read, want the one that is new", f.fake.reads)
	}

	t.Run("a second remote with the same", func(t *testing.T) {
		f.fake.remotes["refs/remotes/fork/cairn"] = f.fake.remotes[ref]
		f.fake.reads = 0
		wantIDs(t, f.ids(Query{}), all...)
		if f.fake.reads != 0 {
			t.Errorf("%d blobs were read", f.fake.reads)
		}
		delete(f.fake.remotes, "refs/remotes/fork/cairn")
		wantIDs(t, f.ids(Query{}), all...)
	})
	t.Run("the remote is rewritten", func(t *testing.T) {
		f.fake.remotes[ref] = f.fake.put(map[string]string{path: theirs})
		wantIDs(t, f.ids(Query{}), own.ID, ids[0], ids[1])
	})
	t.Run("the cache is deleted", func(t *testing.T) {
		os.RemoveAll(f.path(localDir))
		wantIDs(t, f.ids(Query{}), own.ID, ids[0], ids[1])
	})
	t.Run("the remote is removed", func(t *testing.T) {
		delete(f.fake.remotes, ref)
		wantIDs(t, f.ids(Query{}), own.ID)
	})
	t.Run("git fails", func(t *testing.T) {
		f.fake.remotes[ref] = "no such commit"
		wantIDs(t, f.ids(Query{}), own.ID)
		if len(f.warnings) != 1 || !strings.Contains(f.warnings[0], "may be missing") {
			t.Errorf("warnings %q", f.warnings)
		}
	})
}

func TestFreshCloneReadsTheBranch(t *testing.T) {
	one := newFixture(t)
	a := one.add(0)
	one.fold(FoldOptions{})
	two := newFixtureAt(t, t.TempDir(), one.fake)
	wantIDs(t, two.ids(Query{}), a.ID)
	two.clock.add(time.Hour)
	b := two.add(1)
	two.fold(FoldOptions{})
	wantIDs(t, two.ids(Query{}), a.ID, b.ID)
	wantIDs(t, one.ids(Query{}), a.ID, b.ID)
}

func TestMergeBringsRemotesIntoTheBranch(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	r, err := f.Merge(ctx)
	if err != nil || r.Folded != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	line := makeLine(t, noon, nil)
	f.fake.remotes["refs/remotes/origin/cairn"] = f.fake.put(map[string]string{shardPath(dayOf(noon), "them", 1): line + "\n"})
	r, err = f.Merge(ctx)
	if err != nil || r.Commit != f.fake.tip || len(f.fake.lines()) != 2 {
		t.Errorf("%+v %v, %d lines", r, err, len(f.fake.lines()))
	}
	if r, err = f.Merge(ctx); err != nil || r.Commit != "" {
		t.Errorf("merging nothing: %+v %v", r, err)
	}
	f.fake.refuse = errors.New("no")
	f.fake.remotes["refs/remotes/origin/cairn"] = f.fake.put(map[string]string{shardPath(dayOf(noon), "them", 2): line + "\n"})
	if r, err = f.Merge(ctx); err != nil || r.Why != "no" {
		t.Errorf("refused: %+v %v", r, err)
	}
}

func TestReadersWhileWritersAppendAndFold(t *testing.T) {
	f := newFixture(t)
	const writers, each = 4, 60
	var wg sync.WaitGroup
	acked := make(chan string, writers*each)
	for range writers {
		wg.Go(func() {
			m := Open(f.dir, Options{Branch: f.fake})
			for i := range each {
				r := capture(i % 2)
				r.Argv = []string{strings.Repeat("x", i*500)}
				if err := m.Append(ctx, r); err != nil {
					t.Error(err)
					return
				}
				acked <- r.ID
				if _, err := m.Fold(ctx, FoldOptions{Wait: i%2 == 0}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		n := len(acked)
		if got := len(f.ids(Query{})); got < n {
			t.Errorf("%d records were acknowledged, %d are read", n, got)
		}
	}
	if len(f.warnings) != 0 {
		t.Errorf("warnings %q", f.warnings)
	}
	f.fold(FoldOptions{Wait: true})
	if got := len(f.fake.lines()); got != writers*each {
		t.Errorf("%d lines on the branch, want %d", got, writers*each)
	}
}

// TestFoldLeavesOthersAlone: a branch of the name that holds no manifest is never
// written to, and the records wait.
func TestFoldLeavesOthersAlone(t *testing.T) {
	f := newFixture(t)
	theirs := f.fake.put(map[string]string{"main.go": "package main"})
	f.fake.tip = theirs
	r := f.add(0)
	report := f.fold(FoldOptions{Wait: true, Check: true})
	if report.Pending != 1 || !strings.Contains(report.Why, "git config cairn.branch") || f.fake.tip != theirs {
		t.Errorf("%+v, tip %s", report, f.fake.tip)
	}
	wantIDs(t, f.ids(Query{}), r.ID)
}

// TestHeal: shards that were lost come back from the branch, their own to this
// clone's, others to what is seen; twice is once.
func TestHeal(t *testing.T) {
	f := newFixture(t)
	want := []string{f.add(0).ID, f.add(1).ID}
	f.fold(FoldOptions{})
	other := makeLine(t, noon.Add(time.Minute), nil)
	files := f.fake.files(f.fake.tip)
	files[shardPath(dayOf(noon), "other", 1)] = other + "\n"
	f.fake.tip = f.fake.put(files)
	rec, _ := Decode([]byte(other))
	want = append(want, rec.ID)
	wantIDs(t, f.ids(Query{}), want...)
	for _, lose := range []string{f.path(f.own(1)), f.path(seenDir)} {
		if err := os.RemoveAll(lose); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Heal(ctx); err != nil {
			t.Fatal(err)
		}
		wantIDs(t, f.ids(Query{}), want...)
	}
	// what was appended and not folded yet stays, before and behind what comes back
	f.fake.refuse = errors.New("no")
	want = append(want, f.add(0).ID)
	cut := strings.SplitAfter(f.read(f.own(1)), "\n")
	f.write(f.own(1), cut[len(cut)-2])
	if n, err := f.Heal(ctx); n != 2 || err != nil {
		t.Errorf("%d came back, %v", n, err)
	}
	f.fake.refuse = nil
	f.fold(FoldOptions{Check: true})
	slices.Sort(want)
	if got := f.ids(Query{}); len(got) != len(want) || len(f.fake.lines()) != len(want) {
		t.Errorf("%d records, %d lines on the branch, want %d", len(got), len(f.fake.lines()), len(want))
	}
	for r, err := range f.Records(ctx, Query{}) {
		if err != nil || r.Elsewhere() != (r.ID == rec.ID) {
			t.Errorf("%s elsewhere: %v, %v", r.ID, r.Elsewhere(), err)
		}
	}
}

// Shards that are gone are noticed by all who read, also after others have appended and
// folded since, and once they are healed no one looks again.
func TestLost(t *testing.T) {
	for name, lose := range map[string]func(f *fixture){
		"a shard":    func(f *fixture) { os.Remove(f.path(f.own(1))) },
		"all":        func(f *fixture) { os.RemoveAll(f.path(shardsDir)) },
		"the end":    func(f *fixture) { os.Truncate(f.path(f.own(2)), 100) },
		"and writer": func(f *fixture) { os.RemoveAll(f.path(shardsDir)); os.Remove(f.path(writerFile)) },
		"first and the end": func(f *fixture) {
			os.Remove(f.path(f.own(1)))
			os.Truncate(f.path(f.own(2)), 100)
		},
	} {
		for _, more := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, more %v", name, more), func(t *testing.T) {
				f := newFixture(t)
				var want []string
				for len(want) < 2 || !exists(f.path(f.own(2))) {
					want = append(want, f.add(1).ID)
				}
				f.fold(FoldOptions{})
				if f.Lost() {
					t.Error("nothing is lost yet")
				}
				lose(f)
				if more {
					want = append(want, f.add(0).ID)
					f.fold(FoldOptions{})
				}
				if !f.Lost() {
					t.Error("not noticed")
				}
				if _, err := f.Heal(ctx); err != nil {
					t.Error(err)
				}
				if f.Lost() {
					t.Error("noticed for ever")
				}
				wantIDs(t, f.ids(Query{}), want...)
				want = append(want, f.add(0).ID)
				f.fold(FoldOptions{})
				if wantIDs(t, f.ids(Query{}), want...); f.Lost() || len(f.fake.lines()) != len(want) {
					t.Errorf("lost again: %v; %d lines on the branch, want %d", f.Lost(), len(f.fake.lines()), len(want))
				}
			})
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// What others shared is copied anew if the folder of the copies is gone.
func TestSeenIsGone(t *testing.T) {
	f := newFixture(t)
	want := []string{f.add(0).ID}
	f.fold(FoldOptions{})
	other := makeLine(t, noon.Add(time.Minute), nil)
	files := f.fake.files(f.fake.tip)
	files[shardPath(dayOf(noon), "other", 1)] = other + "\n"
	f.fake.tip = f.fake.put(files)
	rec, _ := Decode([]byte(other))
	want = append(want, rec.ID)
	wantIDs(t, f.ids(Query{}), want...)
	if err := os.RemoveAll(f.path(seenDir)); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, f.ids(Query{}), want...)
}

// What hinders one process alone, a signal or its limits, is not told to the others, and
// ends a helper.
func TestPassingTrouble(t *testing.T) {
	for name, trouble := range map[string]error{
		"interrupted": context.Canceled, "files": &fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, "processes": fmt.Errorf("git: %w", syscall.EAGAIN),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.add(0)
			f.fake.refuse = trouble
			if r := f.fold(FoldOptions{}); !r.Trouble || r.Why == "" || r.Pending != 1 {
				t.Errorf("this process is not told: %+v", r)
			}
			if err := f.Follow(ctx, nil, settled{}); err == nil {
				t.Error("a helper that cannot fold does not say so")
			}
			started := 0
			r, err := f.FoldLater(func(*os.File) error { started++; return nil })
			if err != nil || r.Trouble || started != 1 {
				t.Errorf("the next one: %+v, %v, %d helpers", r, err, started)
			}
		})
	}
}
