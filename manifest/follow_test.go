package manifest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

// Of many captures at once one starts a helper, which takes all their lines
// along; the next after it starts another.
func TestFollowFoldsABurst(t *testing.T) {
	f := newFixture(t)
	var helpers sync.WaitGroup
	started := 0
	append1 := func() {
		f.add(0)
		_, err := f.FoldLater(func(lock *os.File) error {
			started++
			copied, err := dup(lock)
			if err != nil {
				t.Skip(err)
			}
			helpers.Go(func() {
				if err := Open(f.dir, Options{Branch: f.fake}).Follow(ctx, copied, settled{}); err != nil {
					t.Error(err)
				}
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for burst := range 2 {
		for range 20 {
			append1()
		}
		helpers.Wait()
		if got, want := len(f.fake.lines()), 20*(burst+1); got != want {
			t.Errorf("%d lines on the branch, want %d", got, want)
		}
		if len(f.fake.log) != burst+1 || started != burst+1 {
			t.Errorf("burst %d: %d commits, %d helpers", burst, len(f.fake.log), started)
		}
	}
}

// The first fold of a repository is not left to a helper, unless it is large or git refused.
func TestFirst(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	if !f.First() {
		t.Error("nothing was folded, and it is not the first")
	}
	f.fold(FoldOptions{})
	f.add(0)
	if f.First() {
		t.Error("a second fold is taken for the first")
	}
	g := newFixture(t)
	for range 101 {
		g.add(0)
	}
	if g.First() {
		t.Error("a capture would fold many records")
	}
}

// A burst without an end does not keep lines from the branch.
func TestFollowEndlessBurst(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := Open(f.dir, Options{Branch: f.fake}).Follow(ctx, nil, settled{}); err != nil {
			t.Error(err)
		}
	}()
	for folded := false; !folded; {
		f.add(0)
		time.Sleep(burstPause / 10)
		folded = len(f.fake.lines()) > 0
	}
	<-done
}

// A helper that is killed while it waits leaves nothing behind but lines that
// the next one folds.
func TestFollowKilled(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := f.Follow(ended, nil, settled{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if err := f.Follow(ctx, nil, settled{}); err != nil || len(f.fake.lines()) != 1 {
		t.Errorf("%v, %d lines", err, len(f.fake.lines()))
	}
}

// While a helper is at work a second one has nothing to do.
func TestFollowOnce(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	lock, err := f.lockFollow()
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	defer lock.Close()
	if err := f.Follow(ctx, nil, settled{}); err != nil || len(f.fake.lines()) != 0 {
		t.Errorf("%v, %d lines", err, len(f.fake.lines()))
	}
	if _, err := f.FoldLater(func(*os.File) error { t.Error("started"); return nil }); err != nil {
		t.Error(err)
	}
}

// stuck cannot settle.
type stuck struct{}

func (stuck) Unsettled() bool              { return true }
func (stuck) Settle(context.Context) error { return errors.New("damaged") }

// What cannot be settled keeps no line from the branch, and no helper busy.
func TestFollowUnsettled(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	if err := f.Follow(ctx, nil, stuck{}); err == nil || len(f.fake.lines()) != 1 {
		t.Errorf("%v, %d lines", err, len(f.fake.lines()))
	}
}

// A manifest that was removed is not made again.
func TestFollowRemoved(t *testing.T) {
	f := newFixture(t)
	f.add(0)
	if err := os.RemoveAll(f.dir); err != nil {
		t.Fatal(err)
	}
	if err := f.Follow(ctx, nil, settled{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.dir); !os.IsNotExist(err) {
		t.Errorf("made again: %v", err)
	}
}

// What git refuses is said by the next capture, and does not keep a helper busy.
func TestFollowRefused(t *testing.T) {
	f := newFixture(t)
	f.fake.refuse = errors.New("no")
	f.add(0)
	if err := f.Follow(ctx, nil, settled{}); err != nil {
		t.Error(err)
	}
	r, err := f.FoldLater(func(*os.File) error { t.Error("started at once again"); return nil })
	if err != nil || !r.Trouble || r.Why != "no" || r.Pending != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// settled has nothing to settle.
type settled struct{}

func (settled) Unsettled() bool              { return false }
func (settled) Settle(context.Context) error { return nil }
