//go:build unix

package capture

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

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
		out.Settle(t.Context())
		mustRead(t, s, out.Record)
	})
	t.Run("the same output again", func(t *testing.T) {
		o := shell(dir, "printf a; printf b >&2; exit 1")
		o.hurt = gcFirst
		out := Run(t.Context(), o)
		out.Settle(t.Context())
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
