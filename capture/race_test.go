//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/capture/recovery"
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
	names, err := recovery.Names(s.Dir)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	whileLocked(t, s.Objects.SpoolPath(names[0]), func() { Settle(t.Context(), s, true) })
	checkVictim(t, dir, false)
	if _, _, both := kept(t, s, records(t, s)[0]); both != "out1err1out2err2out3" {
		t.Errorf("%q", both)
	}
}
