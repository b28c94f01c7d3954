//go:build unix

package capture

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cairn/capture/recovery"
	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// nth fails at its nth call, and with last at every later one too.
type nth struct {
	at, count int
	err       error
	forever   bool
}

func (n *nth) fails() error {
	n.count++
	if n.count == n.at || n.forever && n.count > n.at {
		return n.err
	}
	return nil
}

// brokenSpool fails to write, after taking a part of what it was given.
type brokenSpool struct {
	incoming
	write   *nth
	err     error
	blocked string // a directory of the store that Commit finds to be none
}

func (s *brokenSpool) Write(p []byte) (int, error) {
	if s.err == nil && s.write != nil {
		s.err = s.write.fails()
	}
	if s.err == nil {
		return s.incoming.Write(p)
	}
	n := 0
	if s.write.count > 1 && s.write.count == s.write.at {
		n, _ = s.incoming.Write(p[:1])
	}
	s.write.count++
	return n, s.err
}

func (s *brokenSpool) CommitUnsynced() (objects.Info, error) {
	defer s.block()()
	return s.incoming.CommitUnsynced()
}

// block puts a file where a directory should be, and returns what takes it away.
func (s *brokenSpool) block() (unblock func()) {
	if s.blocked == "" {
		return func() {}
	}
	os.Rename(s.blocked, s.blocked+".away")
	os.WriteFile(s.blocked, nil, 0o600)
	return func() {
		os.Remove(s.blocked)
		os.Rename(s.blocked+".away", s.blocked)
	}
}

func (s *brokenSpool) Commit() (objects.Info, error) {
	defer s.block()()
	info, err := s.incoming.Commit()
	if err == nil && s.err != nil {
		err = &objects.PartialError{Kept: info.Size, Err: s.err}
	}
	return info, err
}

func spoolFails(write *nth) func(*backend) {
	return func(b *backend) {
		was := b.receive
		b.receive = func(name string) (incoming, error) {
			in, err := was(name)
			return &brokenSpool{incoming: in, write: write}, err
		}
	}
}

func commitFails(b *backend) {
	was := b.receive
	b.receive = func(name string) (incoming, error) {
		in, err := was(name)
		return &brokenSpool{incoming: in, blocked: filepath.Join(os.Getenv("HOME"), ".local/state/cairn/cairn/objects")}, err
	}
}

func writeFails(n *nth) func(*backend) {
	return func(b *backend) {
		was := b.write
		b.write = func(f *os.File, p []byte) (int, error) {
			if err := n.fails(); err != nil {
				k, _ := was(f, p[:len(p)/2])
				return k, err
			}
			return was(f, p)
		}
	}
}

func putFails(n *nth) func(*backend) {
	return func(b *backend) {
		was := b.put
		b.put = func(r io.Reader) (objects.Info, error) {
			if err := n.fails(); err != nil {
				return objects.Info{}, err
			}
			return was(r)
		}
	}
}

func appendFails(n *nth) func(*backend) {
	return func(b *backend) {
		was := b.append
		b.append = func(ctx context.Context, rec *manifest.Record) error {
			if err := n.fails(); err != nil {
				return err
			}
			return was(ctx, rec)
		}
	}
}

// Whatever fails: the status is the child's, the answer shows all of the
// output, the trouble is reported once, and in the end there is one record whose
// bytes and streams are true, and nothing else.
func TestFaults(t *testing.T) {
	full, broken := syscall.ENOSPC, syscall.EIO
	for _, tt := range []struct {
		name    string
		hurt    func(*backend)
		trouble error
		now     bool // recorded at once, not by the next command
		partial bool
	}{
		{"nothing", func(*backend) {}, nil, true, false},
		{"journal at its first line", writeFails(&nth{at: 1, err: full}), full, true, false},
		{"journal at its first run", writeFails(&nth{at: 2, err: full, forever: true}), full, true, true},
		{"journal in the middle", writeFails(&nth{at: 4, err: broken, forever: true}), broken, true, true},
		{"journal once", writeFails(&nth{at: 3, err: broken}), broken, true, true},
		{"journal at its end", writeFails(&nth{at: 7, err: full, forever: true}), nil, true, false},
		{"spool cannot be", func(b *backend) { b.receive = func(string) (incoming, error) { return nil, full } }, full, true, true},
		{"spool at the first byte", spoolFails(&nth{at: 1, err: full}), full, true, true},
		{"spool in the middle", spoolFails(&nth{at: 3, err: broken}), broken, true, true},
		{"commit", commitFails, syscall.ENOTDIR, false, false},
		{"record", appendFails(&nth{at: 1, err: full, forever: true}), full, false, false},
		{"removal", func(b *backend) { b.remove = func(string) error { return broken } }, nil, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := nowhere(t)
			o := shell(dir, victim)
			o.hurt = tt.hurt
			out := Run(t.Context(), o)
			if notes := out.CatchUp(t.Context()); len(notes) > 0 {
				t.Errorf("told behind the answer: %q", notes)
			}
			if out.Status != 3 || out.Exit.Code != 3 || out.Result.Status != result.Failed {
				t.Errorf("status %d, %s", out.Status, out.Result.Status)
			}
			checkTrouble(t, out.Trouble, tt.trouble)
			for _, part := range []string{"out1", "err1", "out2", "err2", "out3"} {
				if !strings.Contains(string(out.Raw), part) {
					t.Errorf("the answer %q lacks %s", out.Raw, part)
				}
			}
			s := site(t, dir)
			if n := len(records(t, s)); n != 1 && tt.now || n != 0 && !tt.now {
				t.Errorf("%d records at once", n)
			}
			CatchUp(t.Context(), s, true, nil)
			checkFault(t, dir, tt.partial)
		})
	}
}

func checkTrouble(t *testing.T, got, want error) {
	t.Helper()
	if (got == nil) != (want == nil) || !errors.Is(got, want) {
		t.Fatalf("trouble: %v, want %v", got, want)
	}
	if want != nil && strings.Count(got.Error(), want.Error()) != 1 {
		t.Errorf("not told once: %v", got)
	}
}

func checkFault(t *testing.T, dir string, partial bool) {
	t.Helper()
	s := site(t, dir)
	all := records(t, s)
	if len(all) != 1 {
		t.Fatalf("%d records", len(all))
	}
	rec := all[0]
	if rec.Exit == nil || *rec.Exit != 3 || rec.Partial != partial {
		t.Errorf("%s", mustJSON(rec))
	}
	clean(t, s)
	if rec.Raw == nil {
		return
	}
	stdout, stderr, both := kept(t, s, rec)
	if !strings.HasPrefix("out1out2out3", stdout) || !strings.HasPrefix("err1err2", stderr) {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
	if whole := len(both) == len("out1out2out3err1err2"); whole == partial {
		t.Errorf("partial is %v, and %q was kept", partial, both)
	}
}

// An order that cannot be kept does not cost the record.
func TestOrderFails(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, strings.Repeat("printf o; sleep 0.01; printf e >&2; sleep 0.01; ", 10)+"exit 3")
	o.hurt = putFails(&nth{at: 1, err: syscall.ENOSPC})
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	checkTrouble(t, out.Trouble, syscall.ENOSPC)
	all := records(t, site(t, dir))
	if len(all) != 1 || *all[0].Exit != 3 || all[0].Raw.Size != 20 || all[0].Raw.Order != orderLost {
		t.Errorf("%s", mustJSON(all))
	}
}

// No place to keep anything: the command runs, and that is said.
func TestNoPlace(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, victim)
	o.Env.Home, o.Env.StateHome = "", ""
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	if out.Status != 3 || out.Trouble == nil || !strings.Contains(string(out.Raw), "out3") {
		t.Errorf("%d, %v, %q", out.Status, out.Trouble, out.Raw)
	}
}

// A full result that cannot be kept does not cost the record.
func TestFullResultFails(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, `i=0; while [ $i -lt 3000 ]; do echo "error: thing $i failed because of reason $i"; i=$((i+1)); done; exit 1`)
	var sizes []int
	o.hurt = func(b *backend) {
		was := b.put
		b.put = func(r io.Reader) (objects.Info, error) {
			data, _ := io.ReadAll(r)
			if sizes = append(sizes, len(data)); strings.HasPrefix(string(data), `{"schema_version"`) {
				return objects.Info{}, syscall.ENOSPC
			}
			return was(strings.NewReader(string(data)))
		}
	}
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	all := records(t, site(t, dir))
	if len(all) != 1 || len(all[0].RawResult) == 0 || len(all[0].RawResult) > maxInline {
		t.Fatalf("%d records", len(all))
	}
	whole, _ := out.Result.JSON()
	if len(whole) > maxInline && !errors.Is(out.Trouble, syscall.ENOSPC) {
		t.Errorf("trouble: %v after %v", out.Trouble, sizes)
	}
}

// A capture that can never be finished is reported once and set aside: recorded
// without its output if the manifest takes that.
func TestGivesUp(t *testing.T) {
	dir := nowhere(t)
	o := shell(dir, victim)
	o.hurt = appendFails(&nth{at: 1, err: syscall.EIO, forever: true})
	out := Run(t.Context(), o)
	out.CatchUp(t.Context())
	s := site(t, dir)
	// The bytes are lost: neither a spool nor its second name is there.
	if err := os.Remove(recovery.SecondName(s.Dir, out.Record.ID)); err != nil {
		t.Fatal(err)
	}
	told := 0
	for range 3 {
		next := Run(t.Context(), shell(dir, "exit 0"))
		told += len(next.CatchUp(t.Context()))
	}
	if told != 2 { // that it was set aside, and that it was recorded
		t.Errorf("told %d times", told)
	}
	var lost *manifest.Record
	for _, rec := range records(t, s) {
		if rec.ID == out.Record.ID {
			lost = rec
		}
	}
	if lost == nil || !lost.Partial || lost.Exit == nil || *lost.Exit != 3 || lost.Raw != nil || !strings.Contains(string(lost.RawResult), "could not be recovered") {
		t.Errorf("%s", mustJSON(lost))
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "set-aside", out.Record.ID)); err != nil {
		t.Error(err)
	}
}

// While nothing can be recorded, no one else's capture is given up.
func TestDiskFullGivesNothingUp(t *testing.T) {
	dir := nowhere(t)
	fail := appendFails(&nth{at: 1, err: syscall.ENOSPC, forever: true})
	const captures = 6
	for range captures {
		o := shell(dir, victim)
		o.hurt = fail
		out := Run(t.Context(), o)
		out.CatchUp(t.Context())
		if !errors.Is(out.Trouble, syscall.ENOSPC) {
			t.Error(out.Trouble)
		}
	}
	s := site(t, dir)
	CatchUp(t.Context(), s, true, nil)
	all := records(t, s)
	if len(all) != captures {
		t.Errorf("%d records", len(all))
	}
	for _, rec := range all {
		if rec.Exit == nil || *rec.Exit != 3 || rec.Partial || rec.Raw.Size != 20 {
			t.Errorf("%s", mustJSON(rec))
		}
	}
	clean(t, s)
}
