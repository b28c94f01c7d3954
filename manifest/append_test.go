package manifest

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var ctx = context.Background()

func TestAppendWritesOneLine(t *testing.T) {
	f := newFixture(t)
	r := f.add(1)
	got := f.read(f.own(1))
	line, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got != string(line)+"\n" {
		t.Errorf("shard\n got %q\nwant %q", got, line)
	}
	const head = `{"v":3,"id":"`
	if !strings.HasPrefix(got, head) || !strings.Contains(got, `,"time":"2026-11-20T12:00:00.123456Z","says":"pytest failed: 1 failed, 120 passed","tool":"pytest","status":"failed","exit":1,"counts":{"failed":1,"passed":120},"argv":["pytest","-q"],"key":"aabbccddeeff",`) {
		t.Errorf("keys are not in their order: %s", got)
	}
	if !strings.Contains(got, "a < b && c > d") {
		t.Errorf("HTML was escaped: %s", got)
	}
}

func TestAppendRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Record)
		want   string
	}{
		{"too long", func(r *Record) { r.Argv = []string{strings.Repeat("x", MaxLine)} }, "result_oid"},
		{"a year no line can hold", func(r *Record) { r.Time = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC) }, "clock"},
		{"an id that is none", func(r *Record) { r.ID = "../../x" }, "not a ulid"},
		{"a record that was read", func(r *Record) { r.line = []byte("{}") }, "append a new one"},
		{"a result that is not JSON", func(r *Record) { r.RawResult = []byte("{") }, "encoding"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			r := capture(0)
			tt.change(r)
			if err := f.Append(ctx, r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if got := f.ids(Query{}); len(got) != 0 {
				t.Errorf("%d records were written", len(got))
			}
		})
	}
}

func TestShardsCloseAt64K(t *testing.T) {
	f := newFixture(t)
	var want []string
	for range 7 {
		r := capture(0)
		r.Argv = []string{strings.Repeat("x", 60_000)}
		if err := f.Append(ctx, r); err != nil {
			t.Fatal(err)
		}
		f.clock.add(time.Second)
		want = append(want, r.ID, f.add(0).ID)
	}
	wantIDs(t, f.ids(Query{}), want...)
	for n := 1; n <= 7; n++ {
		if got := len(f.read(f.own(n))); got > MaxShard {
			t.Errorf("shard %d has %d bytes", n, got)
		}
	}
	if _, err := os.Stat(f.path(f.own(8))); !os.IsNotExist(err) {
		t.Errorf("an eighth shard: %v", err)
	}
}

func TestLastShardIsFoundFromAnywhere(t *testing.T) {
	for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100} {
		f := newFixture(t)
		d := dayOf(noon)
		for n := 1; n <= count; n++ {
			f.write(shardPath(d, "w", n), "")
		}
		for _, hint := range []int{0, count / 2, count, count + 1, 1000} {
			if got, err := f.lastShard(d, "w", hint); err != nil || got != count {
				t.Errorf("%d shards, hint %d: got %d, %v", count, hint, got, err)
			}
		}
	}
}

func TestTornTailIsHealed(t *testing.T) {
	for _, tail := range []string{"{", `{"v":1,"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","time":"2026-11-`, "\x00\x00\x00\x00", "garbage\r"} {
		t.Run(tail, func(t *testing.T) {
			f := newFixture(t)
			first := f.add(0)
			f.write(f.own(1), f.read(f.own(1))+tail)
			second, third := f.add(1), f.add(0)
			wantIDs(t, f.ids(Query{}), idsOf(first, second, third)...)
			if !strings.Contains(f.read(f.own(1)), tail+"\n") {
				t.Error("the torn bytes are gone")
			}
			if len(f.warnings) != 1 || !strings.Contains(f.warnings[0], f.own(1)+":2: ") {
				t.Errorf("warnings %q, want one that names line 2", f.warnings)
			}
			if r := f.fold(FoldOptions{}); r.Folded != 3 {
				t.Errorf("folded %d, want 3", r.Folded)
			}
			for _, line := range f.fake.lines() {
				if !whole([]byte(line)) {
					t.Errorf("the torn line was shared: %q", line)
				}
			}
		})
	}
}

// A line that a crash cut off is not waited for, though nothing was ever folded.
func TestTornTailIsNotPending(t *testing.T) {
	for _, folded := range []bool{false, true} {
		f := newFixture(t)
		f.add(0)
		if folded {
			f.fold(FoldOptions{})
			f.add(1)
		}
		f.write(f.own(1), strings.TrimSuffix(f.read(f.own(1)), "}\n"))
		if r := f.fold(FoldOptions{Wait: true}); r.Folded != 0 || r.Pending != 0 || r.Why != "" {
			t.Errorf("%+v", r)
		}
		if err := f.Follow(ctx, nil, settled{}); err != nil {
			t.Error(err)
		}
		next := f.add(1)
		if r := f.fold(FoldOptions{}); r.Folded != 1 || !slices.Contains(f.ids(Query{}), next.ID) {
			t.Errorf("the record behind it: %+v", r)
		}
	}
}

func TestCompleteTailWithoutNewlineIsARecord(t *testing.T) {
	f := newFixture(t)
	first := f.add(0)
	f.write(f.own(1), strings.TrimSuffix(f.read(f.own(1)), "\n"))
	wantIDs(t, f.ids(Query{}), first.ID)
	if r := f.fold(FoldOptions{}); r.Folded != 1 {
		t.Errorf("folded %d, want 1", r.Folded)
	}
	second := f.add(0)
	wantIDs(t, f.ids(Query{}), first.ID, second.ID)
	if r := f.fold(FoldOptions{}); r.Folded != 1 || len(f.fake.lines()) != 2 {
		t.Errorf("folded %d, the branch has %d lines", r.Folded, len(f.fake.lines()))
	}
}

// faulty fails one operation of a shard, after having done part of it.
type faulty struct {
	shardFile
	fail string
	err  error
	part int  // bytes that a failing write leaves
	die  bool // nothing works any more, as after a crash
}

func (f *faulty) Write(p []byte) (int, error) {
	if f.fail != "write" {
		return f.shardFile.Write(p)
	}
	n, err := f.shardFile.Write(p[:min(f.part, len(p))])
	return n, errors.Join(f.err, err)
}

func (f *faulty) Sync() error {
	if f.fail == "sync" {
		return f.err
	}
	return f.shardFile.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if f.die {
		return f.err
	}
	return f.shardFile.Truncate(size)
}

func TestAppendFaults(t *testing.T) {
	faults := []faulty{
		{fail: "write", err: syscall.ENOSPC, part: 0},
		{fail: "write", err: syscall.ENOSPC, part: 100},
		{fail: "write", err: io.ErrShortWrite, part: 1},
		{fail: "write", err: syscall.EIO, part: 1 << 20},
		{fail: "sync", err: syscall.EIO},
		{fail: "write", err: syscall.EIO, part: 100, die: true},
		{fail: "write", err: syscall.EIO, part: 1 << 20, die: true},
		{fail: "sync", err: syscall.EIO, die: true},
	}
	for _, existing := range []bool{true, false} {
		for _, fault := range faults {
			name := fault.fail + " " + fault.err.Error()
			if fault.die {
				name += " then death"
			}
			if !existing {
				name += ", new shard"
			}
			t.Run(name, func(t *testing.T) {
				f := newFixture(t)
				var want []string
				if existing {
					want = append(want, f.add(0).ID)
				}
				f.openShard = func(path string, create bool) (shardFile, error) {
					s, err := openShard(path, create)
					broken := fault
					broken.shardFile = s
					return &broken, err
				}
				lost := capture(1)
				err := f.Append(ctx, lost)
				if !errors.Is(err, fault.err) || !strings.Contains(err.Error(), lost.ID) {
					t.Fatalf("got %v, want %v with the id", err, fault.err)
				}
				if !fault.die {
					wantIDs(t, f.ids(Query{}), want...)
				}
				f.openShard = openShard
				f.clock.add(time.Second)
				want = append(want, f.add(0).ID)
				got := f.ids(Query{})
				if fault.die { // what was not acknowledged may be there, whole
					got = without(got, lost.ID)
				}
				wantIDs(t, got, want...)
			})
		}
	}
}

func without(ids []string, id string) []string {
	var out []string
	for _, i := range ids {
		if i != id {
			out = append(out, i)
		}
	}
	return out
}

// TestCrashBetweenSteps leaves behind what a crash after each step of a first
// append leaves, and goes on from there.
func TestCrashBetweenSteps(t *testing.T) {
	steps := []struct {
		name string
		make func(f *fixture)
	}{
		{"nothing", func(*fixture) {}},
		{"a torn writer id", func(f *fixture) { f.write(writerFile, "\x00\x00") }},
		{"an empty writer id", func(f *fixture) { f.write(writerFile, "") }},
		{"a writer id and its temporary file", func(f *fixture) {
			f.write(writerFile, "abcdefgh\n")
			f.write(".tmp-123", "abcdef")
		}},
		{"a pending mark without a shard", func(f *fixture) {
			f.write(writerFile, "abcdefgh\n")
			f.write(pendingDir+"/2026-11-20", "")
		}},
		{"an empty shard", func(f *fixture) {
			f.write(writerFile, "abcdefgh\n")
			f.write(pendingDir+"/2026-11-20", "")
			f.write(shardPath(dayOf(noon), "abcdefgh", 1), "")
		}},
		{"a torn first line", func(f *fixture) {
			f.write(writerFile, "abcdefgh\n")
			f.write(pendingDir+"/2026-11-20", "")
			f.write(shardPath(dayOf(noon), "abcdefgh", 1), `{"v":1,`)
		}},
		{"a mark with a hint that is wrong", func(f *fixture) {
			f.write(writerFile, "abcdefgh\n")
			f.write(pendingDir+"/2026-11-20", "77")
		}},
		{"a mark with garbage", func(f *fixture) { f.write(pendingDir+"/2026-11-20", "-3\x00") }},
		{"a fold state that is empty", func(f *fixture) { f.write(foldFile, "") }},
		{"a fold state that is garbage", func(f *fixture) { f.write(foldFile, `{"days":null`) }},
		{"a seen state that is garbage", func(f *fixture) { f.write(seenFile, "\x00") }},
	}
	for _, tt := range steps {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			tt.make(f)
			r := f.add(0)
			wantIDs(t, f.ids(Query{}), r.ID)
			if rep := f.fold(FoldOptions{}); rep.Folded != 1 || rep.Pending != 0 || rep.Why != "" {
				t.Errorf("fold: %+v", rep)
			}
			wantIDs(t, f.ids(Query{}), r.ID)
		})
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root writes anywhere; a file in the way of the directory stands in")
	}
	f := newFixture(t)
	dir := filepath.Join(t.TempDir(), "cairn")
	if err := os.WriteFile(dir, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	f.dir = dir
	if err := f.Append(ctx, capture(0)); err == nil || !strings.Contains(err.Error(), "was not written") {
		t.Errorf("got %v", err)
	}
	if r, err := f.Fold(ctx, FoldOptions{}); err == nil && r.Why == "" {
		t.Error("a fold that cannot be says nothing")
	}
}

func TestClockGoesBack(t *testing.T) {
	f := newFixture(t)
	today := f.add(0)
	f.clock.add(-48 * time.Hour)
	earlier := f.add(0)
	f.clock.add(72 * time.Hour)
	later := f.add(0)
	want := idsOf(earlier, today, later)
	wantIDs(t, f.ids(Query{}), want...)
	if r := f.fold(FoldOptions{}); r.Folded != 3 {
		t.Errorf("folded %d of 3", r.Folded)
	}
	// The mark of the past day is gone; an append brings it back.
	f.clock.add(-72 * time.Hour)
	again := f.add(1)
	if r := f.fold(FoldOptions{}); r.Folded != 1 || len(f.fake.lines()) != 4 {
		t.Errorf("folded %d, want 1; the branch has %d lines of 4", r.Folded, len(f.fake.lines()))
	}
	wantIDs(t, f.ids(Query{}), append([]string{earlier.ID, again.ID}, want[1:]...)...)
	f.clock.add(-400 * 24 * time.Hour)
	f.add(1)
	if r := f.fold(FoldOptions{}); r.Folded != 1 || f.fake.log[len(f.fake.log)-1] != "pytest failed: 1 failed, 120 passed" {
		t.Errorf("a day never seen: %+v %q", r, f.fake.log)
	}
}

func TestDayBoundary(t *testing.T) {
	f := newFixture(t)
	f.clock.t = time.Date(2026, 12, 31, 23, 59, 59, 999999999, time.UTC)
	last := f.add(0)
	first := f.add(0)
	if d := dayOf(last.Time); d != "2026/12/31" {
		t.Error(d)
	}
	if d := dayOf(first.Time); d != "2027/01/01" {
		t.Error(d)
	}
	midnight := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	wantIDs(t, f.ids(Query{Since: midnight}), first.ID)
	wantIDs(t, f.ids(Query{Until: midnight}), last.ID)
	wantIDs(t, f.ids(Query{Newest: true}), first.ID, last.ID)
}

func TestLockSaysWhoToLookFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	unlock, err := tryLock(path)
	if err != nil || unlock == nil {
		t.Fatal(err)
	}
	if _, err := lock(ctx, path, time.Millisecond); err == nil || !strings.Contains(err.Error(), "held by another") {
		t.Errorf("got %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := lock(cancelled, path, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	unlock()
	if unlock, err = tryLock(path); err != nil || unlock == nil {
		t.Errorf("not free again: %v", err)
	} else {
		unlock()
	}
}
