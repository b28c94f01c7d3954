package objects_test

import (
	"errors"
	"fmt"
	"testing"

	"cairn/objects"
)

func testAbsent(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	receive(t, s, []byte("something else"))
	id := objects.IDOf([]byte("never put"))
	if _, err := s.Stat(id); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("Stat: %v", err)
	}
	if _, err := s.OpenObject(id); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("OpenObject: %v", err)
	}
	if s.Has(id) {
		t.Error("Has it")
	}
}

func testResolve(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	seen := map[string]objects.ID{}
	var a, b objects.ID // objects with a common four-digit prefix: among some hundreds there is a pair
	for i := 0; a.IsZero() && i < 3000; i++ {
		info := must(s.PutBytes(fmt.Appendf(nil, "object %d", i)))
		short := info.ID.Hex()[:4]
		if other, ok := seen[short]; ok {
			a, b = other, info.ID
		}
		seen[short] = info.ID
	}
	if got, err := s.Resolve(a.String()[:40]); got != a || err != nil {
		t.Errorf("long prefix: %v, %v", got, err)
	}
	if got, err := s.Resolve(a.Hex()); got != a || err != nil {
		t.Errorf("whole id: %v, %v", got, err)
	}
	var many *objects.AmbiguousError
	if _, err := s.Resolve(a.Hex()[:4]); !errors.As(err, &many) || len(many.Candidates) != 2 {
		t.Errorf("common prefix of %s and %s: %v", a, b, err)
	}
	for _, bad := range []string{"", "abc", "sha256:", "xyzw", a.Hex() + "0"} {
		if _, err := s.Resolve(bad); err == nil || errors.Is(err, objects.ErrNotFound) {
			t.Errorf("Resolve(%q): %v", bad, err)
		}
	}
	if _, err := s.Resolve(objects.IDOf([]byte("no")).Hex()[:12]); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("unknown prefix: %v", err)
	}
}

func testList(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	want := map[objects.ID]int64{}
	for i := range 50 {
		b := Text(uint64(i), i*317+1)
		want[receive(t, s, b).ID] = int64(len(b))
	}
	last := objects.ID{}
	for info, err := range s.All() {
		if size, ok := want[info.ID]; err != nil || !ok || size != info.Size || info.ID.Hex() <= last.Hex() {
			t.Errorf("All gave %+v, %v", info, err)
		}
		delete(want, info.ID)
		last = info.ID
	}
	st := must(s.Stats())
	if len(want) > 0 || st.Objects != 50 || st.Size != 317*49*50/2+50 {
		t.Errorf("not listed: %v; stats %+v", want, st)
	}
}
