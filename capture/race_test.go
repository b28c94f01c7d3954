//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"cairn/internal/lockfile"
)

// lockedFor holds the lock of a file until the test lets go.
func lockedFor(t *testing.T, path string) (unlock func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, taken, err := lockfile.Try(f); err != nil || !taken {
		t.Fatal(taken, err)
	}
	return func() { f.Close() }
}

// whileLocked runs do while another holds the lock of path, who lets go a
// little later.
func whileLocked(t *testing.T, path string, do func()) {
	t.Helper()
	unlock, done := lockedFor(t, path), make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(50 * time.Millisecond)
		unlock()
	}()
	do()
	<-done
}

// The last of a burst waits for one that holds the lock of the fold, since
// that one may have looked already.
func TestLastWaitsForTheFold(t *testing.T) {
	dir := repository(t)
	Run(t.Context(), shell(dir, "exit 1")).Settle(t.Context())
	out := Run(t.Context(), shell(dir, "exit 1"))
	whileLocked(t, filepath.Join(site(t, dir).Dir, "manifest-local", "fold.lock"), func() { out.Settle(t.Context()) })
	if got := onBranch(t, dir); got != 2 {
		t.Errorf("%d of 2 records are on the branch", got)
	}
}

// The lock of a spool may outlive that of its journal for a moment.
func TestSpoolStillHeld(t *testing.T) {
	dir := nowhere(t)
	die(t, dir, "capture", "spool#5:after", "/bin/sh", "-c", victim)
	s := site(t, dir)
	names, err := journals(s.Dir)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	whileLocked(t, s.Objects.SpoolPath(names[0]), func() { Settle(t.Context(), s, true) })
	checkVictim(t, dir, false)
	if _, _, both := kept(t, s, records(t, s)[0]); both != "out1err1out2err2out3" {
		t.Errorf("%q", both)
	}
}

// While journals come and go, whoever looks for abandoned ones neither keeps a
// capture from beginning nor takes one that has ended for one left behind.
func TestLookingWhileOthersRun(t *testing.T) {
	dir := t.TempDir()
	b := &backend{write: (*os.File).Write, remove: os.Remove}
	stop := make(chan struct{})
	var lookers sync.WaitGroup
	for range 3 {
		lookers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				lookOver(t, dir)
			}
		})
	}
	var runs sync.WaitGroup
	for range 3 {
		runs.Go(func() {
			for range 300 {
				rec := newRecord()
				rec.ID = ulid.Make().String()
				j, err := openJournal(b, dir, rec)
				if err != nil {
					t.Error(err)
					return
				}
				j.finish(ending{}, "")
				j.end(true)
			}
		})
	}
	runs.Wait()
	close(stop)
	lookers.Wait()
	if names, err := journals(dir); len(names) > 0 || err != nil {
		t.Errorf("left: %v %v", names, err)
	}
}

// lookOver does what recovery does up to reading: all it may find is one that is
// just being made.
func lookOver(t *testing.T, dir string) {
	names, err := journals(dir)
	if err != nil {
		t.Error(err)
	}
	for _, name := range names {
		l, _, err := takeLeft(filepath.Join(runningDir(dir), name))
		if err != nil {
			t.Error(err)
		}
		if l == nil {
			continue
		}
		if err := l.read(time.Now()); err != errBegins {
			t.Errorf("%s was taken for one left behind: %v, %+v", name, err, l.ending)
		}
		l.close()
	}
}
