//go:build unix

package capture

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// onBranch counts the records that git has on the branch.
func onBranch(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	for _, name := range strings.Fields(git(t, dir, "ls-tree", "-r", "--name-only", "cairn")) {
		n += strings.Count(git(t, dir, "show", "cairn:"+name), "\n")
	}
	return n
}

// When the last of many captures has ended, every record is on the branch
// without any further command; also when some find what was cut short.
func TestBurstIsFolded(t *testing.T) {
	for _, tt := range []struct {
		name string
		dead int
	}{{"all well", 0}, {"with abandoned ones", 4}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := repository(t)
			for range tt.dead {
				die(t, dir, "capture", "append#1:before", "/bin/sh", "-c", "printf out1")
			}
			const n = 32
			var cmds [n]*exec.Cmd
			var outs [n]bytes.Buffer
			for i := range cmds {
				cmds[i] = part(t, dir, "capture", nil, "/bin/sh", "-c", "printf out1")
				cmds[i].Stdout, cmds[i].Stderr = &outs[i], &outs[i]
				if err := cmds[i].Start(); err != nil {
					t.Fatal(err)
				}
			}
			for i, cmd := range cmds {
				if err := cmd.Wait(); err != nil || strings.Contains(outs[i].String(), "trouble") || strings.Contains(outs[i].String(), "not yet") {
					t.Errorf("%v: %s", err, outs[i].String())
				}
			}
			if got := onBranch(t, dir); got != n+tt.dead {
				t.Errorf("%d of %d records are on the branch", got, n+tt.dead)
			}
			clean(t, site(t, dir))
		})
	}
}

// A lone capture is on the branch when it ends, and the next one is too.
func TestLoneIsFolded(t *testing.T) {
	dir := repository(t)
	for i := range 3 {
		if notes := Run(t.Context(), shell(dir, "exit 1")).CatchUp(t.Context()); len(notes) > 0 {
			t.Errorf("notes: %q", notes)
		}
		if got := onBranch(t, dir); got != i+1 {
			t.Errorf("%d of %d records are on the branch", got, i+1)
		}
	}
}

// A branch that git must not move is said, once, and nothing is lost.
func TestBranchCheckedOut(t *testing.T) {
	dir := repository(t)
	Run(t.Context(), shell(dir, "exit 1")).CatchUp(t.Context())
	git(t, dir, "worktree", "add", "-q", filepath.Join(dir, "..", "tree"), "cairn")
	notes := Run(t.Context(), shell(dir, "exit 1")).CatchUp(t.Context())
	if len(notes) != 1 || !strings.Contains(notes[0], "checked out") {
		t.Errorf("notes: %q", notes)
	}
	if n := len(records(t, site(t, dir))); n != 2 {
		t.Errorf("%d records", n)
	}
}

// fakeGit puts a git first in PATH that never answers.
func fakeGit(t *testing.T) {
	t.Helper()
	bin := t.TempDir()
	script := "#!/bin/sh\nexec sleep 60\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

// A git that hangs costs a bounded wait, and the capture waits until git answers.
func TestGitHangs(t *testing.T) {
	dir := repository(t)
	path := os.Getenv("PATH")
	t.Setenv("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1") // files alone do not tell
	fakeGit(t)
	var notes []string
	o := shell(dir, "echo out; exit 3")
	o.Warn = func(s string) { notes = append(notes, s) }
	out := Run(t.Context(), o)
	notes = append(notes, out.CatchUp(t.Context())...)
	if out.Status != 3 || out.Trouble != nil || string(out.Raw) != "out\n" {
		t.Errorf("%d %v %q", out.Status, out.Trouble, out.Raw)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "git did not answer") {
		t.Errorf("notes: %q", notes)
	}
	t.Setenv("PATH", path)
	back := site(t, dir)
	if n, err := Sweep(t.Context(), back, o.Env); n != 1 || err != nil || len(records(t, back)) != 1 {
		t.Errorf("taken back: %d, %v", n, err)
	}
}

// Without git there is no branch, and nothing is said of it.
func TestNoGit(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, "echo out; exit 3")
	o.Warn = func(s string) { t.Errorf("note: %s", s) }
	out := Run(t.Context(), o)
	if notes := out.CatchUp(t.Context()); len(notes) > 0 || out.Trouble != nil || out.Status != 3 {
		t.Errorf("%d %v %q", out.Status, out.Trouble, notes)
	}
	if n := len(records(t, site(t, dir))); n != 1 {
		t.Errorf("%d records", n)
	}
}

// Where something can be left to a process of its own it is, once; where none can
// be started, what waits is folded at once.
func TestLater(t *testing.T) {
	dir := repository(t)
	run := func(later Later) {
		t.Helper()
		out := Run(t.Context(), shell(dir, "exit 1"))
		out.Later = later
		if notes := out.CatchUp(t.Context()); len(notes) > 0 {
			t.Errorf("notes: %q", notes)
		}
	}
	asked := 0
	run(func(*place.Site, *os.File) error { asked++; return nil })
	if refs := git(t, dir, "for-each-ref", "refs/heads/cairn"); refs != "" || asked != 1 {
		t.Errorf("asked %d times; %s", asked, refs)
	}
	run(func(*place.Site, *os.File) error { return errors.New("no more processes") })
	if got := onBranch(t, dir); got != 2 {
		t.Errorf("%d of 2 records are on the branch", got)
	}
	git(t, dir, "config", "cairn.fold", "now")
	run(func(*place.Site, *os.File) error { t.Error("left to a process"); return nil })
	if got := onBranch(t, dir); got != 3 {
		t.Errorf("%d of 3 records are on the branch", got)
	}
}

// The last of a burst waits for one that holds the lock of the fold, since
// that one may have looked already.
func TestLastWaitsForTheFold(t *testing.T) {
	dir := repository(t)
	Run(t.Context(), shell(dir, "exit 1")).CatchUp(t.Context())
	out := Run(t.Context(), shell(dir, "exit 1"))
	whileLocked(t, filepath.Join(site(t, dir).Dir, "manifest-local", "fold.lock"), func() { out.CatchUp(t.Context()) })
	if got := onBranch(t, dir); got != 2 {
		t.Errorf("%d of 2 records are on the branch", got)
	}
}

// collect removes all that no record names, at once.
func collect(t testing.TB, s *place.Site) {
	t.Helper()
	_, err := s.Objects.GC(t.Context(), objects.GCOptions{
		InFlight: func() (time.Time, error) { return recovery.InFlight(s.Dir) },
		Live:     func() (map[objects.ID]objects.Ref, error) { return map[objects.ID]objects.Ref{}, nil },
	})
	if err != nil {
		t.Error(err)
	}
}

// mustRead fails if an object of the record is gone.
func mustRead(t testing.TB, s *place.Site, rec *manifest.Record) {
	t.Helper()
	for _, oid := range rec.Objects() {
		id, err := objects.ParseID(oid)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Objects.ReadAll(id); err != nil {
			t.Errorf("%s: %v", oid, err)
		}
	}
}

// TestCollectBesideCapture: gc without grace runs between the objects of a capture
// and its record.
func TestCollectBesideCapture(t *testing.T) {
	dir := nowhere(t)
	s := site(t, dir)
	gcFirst := func(b *backend) {
		was := b.append
		b.append = func(ctx context.Context, r *manifest.Record) error { collect(t, s); return was(ctx, r) }
	}
	t.Run("run", func(t *testing.T) {
		o := shell(dir, "printf a; printf b >&2; exit 1")
		o.hurt = gcFirst
		out := Run(t.Context(), o)
		out.CatchUp(t.Context())
		mustRead(t, s, out.Record)
	})
	t.Run("the same output again", func(t *testing.T) {
		o := shell(dir, "printf a; printf b >&2; exit 1")
		o.hurt = gcFirst
		out := Run(t.Context(), o)
		out.CatchUp(t.Context())
		mustRead(t, s, out.Record)
	})
	t.Run("put", func(t *testing.T) {
		b := newBackend(s)
		gcFirst(b)
		out, err := put(t.Context(), s, b, PutOptions{Argv: []string{"make"}, Data: strings.NewReader("text that is put\n")})
		if err != nil {
			t.Fatal(err)
		}
		mustRead(t, s, out.Record)
	})
	collect(t, s)
	if st, err := s.Objects.Stats(); err != nil || st.Objects != 0 {
		t.Errorf("%d objects are left with no capture in flight, %v", st.Objects, err)
	}
}

// TestCollectKeepsUnfinished: what only an unfinished journal names stays until
// the capture is recorded.
func TestCollectKeepsUnfinished(t *testing.T) {
	dir := nowhere(t)
	s := site(t, dir)
	o := shell(dir, "echo out; exit 1")
	o.hurt = func(b *backend) {
		b.append = func(context.Context, *manifest.Record) error { return syscall.EIO }
	}
	out := Run(t.Context(), o)
	checkTrouble(t, out.Trouble, syscall.EIO)
	collect(t, s)
	mustRead(t, s, out.Record)
	if n, _, err := Recover(t.Context(), s); n != 1 || err != nil {
		t.Errorf("%d recovered, %v", n, err)
	}
	mustRead(t, s, out.Record)
}
