package packfile_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/objects/packfile"
)

var put = time.Unix(1_700_000_000, 5)

// packOf packs objects, each so many to a group.
func packOf(t interface{ Fatal(...any) }, each int, all ...[]byte) []byte {
	var file bytes.Buffer
	w, err := packfile.NewWriter(&file)
	for i, b := range all {
		if err == nil {
			_, err = w.Add(b, put)
		}
		if err == nil && (i+1)%each == 0 {
			err = w.EndGroup()
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func open(file []byte) (*packfile.Pack, error) {
	return packfile.Open(bytes.NewReader(file), int64(len(file)))
}

func idOf(b []byte) packfile.ID { return sha256.Sum256(b) }

func isDamage(err error) bool {
	var d *packfile.DamageError
	return errors.As(err, &d)
}

// outputs are n runs of one command.
func outputs(n int) (all [][]byte) {
	for i := range n {
		all = append(all, fmt.Appendf(nil, "test session starts\ncollected 3 items\ntests/test_%d.py .F.\n1 failed, 2 passed in 0.%02ds", i%4, i))
	}
	return all
}

// TestRoundTrip: whatever goes in comes back, with the index and without it.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 1, 300)).Draw(t, "objects")
		file := packOf(t, rapid.IntRange(1, 5).Draw(t, "each"), all...)
		p, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := packfile.Recover(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		distinct := map[packfile.ID]bool{}
		for _, b := range all {
			distinct[idOf(b)] = true
			for _, p := range []*packfile.Pack{p, again} {
				if got, err := p.Read(idOf(b)); err != nil || !bytes.Equal(got, b) {
					t.Fatalf("%q is read as %q, %v", b, got, err)
				}
			}
		}
		if len(p.Entries()) != len(distinct) || len(again.Entries()) != len(distinct) {
			t.Fatalf("%d objects are %d entries, %d recovered", len(distinct), len(p.Entries()), len(again.Entries()))
		}
		if bad, err := p.Check(); err != nil || len(bad) > 0 {
			t.Fatalf("%v, %v", bad, err)
		}
	})
}

func TestEntry(t *testing.T) {
	b := []byte("one\ntwo\nthree")
	p, err := open(packOf(t, 1, b))
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := p.Find(idOf(b)); !ok || e.Size != 13 || e.Lines != 3 || !e.Put.Equal(put) {
		t.Errorf("%+v, %v", e, ok)
	}
	if _, err := p.Read(idOf(nil)); !errors.Is(err, packfile.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
}

// TestBounds: what the format does not hold is refused, and what it just holds comes
// back.
func TestBounds(t *testing.T) {
	var file bytes.Buffer
	w, err := packfile.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, packfile.MaxObject + 1} {
		if _, err := w.Add(make([]byte, n), put); err == nil {
			t.Errorf("an object of %d bytes was taken", n)
		}
	}
	var all [][]byte
	for i := range packfile.MaxGroup/packfile.MaxObject + 3 {
		b := bytes.Repeat([]byte{byte(i)}, packfile.MaxObject)
		if _, err := w.Add(b, put); err != nil {
			t.Fatal(err)
		}
		if w.Pending() > packfile.MaxGroup {
			t.Fatalf("a group has %d bytes", w.Pending())
		}
		all = append(all, b)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := open(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if got, err := p.Read(idOf(b)); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
}

// TestBitFlips: a bit that is wrong anywhere costs at most the objects of one group,
// and never returns wrong bytes. Where it is in the index, none is lost.
func TestBitFlips(t *testing.T) {
	const each = 4
	all := outputs(12)
	file := packOf(t, each, all...)
	for bit := range len(file) * 8 {
		bad := bytes.Clone(file)
		bad[bit/8] ^= 1 << (bit % 8)
		p, err := open(bad)
		whole := err != nil
		if whole && !isDamage(err) {
			t.Fatalf("byte %d: %v", bit/8, err)
		}
		if whole {
			if p, _, err = packfile.Recover(bytes.NewReader(bad), int64(len(bad))); err != nil {
				t.Fatalf("byte %d: recover: %v", bit/8, err)
			}
		}
		lost := map[int]bool{}
		for i, b := range all {
			got, err := p.Read(idOf(b))
			switch {
			case err == nil && !bytes.Equal(got, b):
				t.Fatalf("byte %d: wrong bytes", bit/8)
			case err != nil:
				lost[i/each] = true
			}
		}
		if len(lost) > 1 || whole && len(lost) > 0 {
			t.Fatalf("byte %d, bit %d: %d groups are lost (index damaged: %v)", bit/8, bit%8, len(lost), whole)
		}
		if found, err := p.Check(); err != nil || len(found) != each*len(lost) {
			t.Fatalf("byte %d: the check finds %d damaged, %v", bit/8, len(found), err)
		}
	}
}

// TestCutOff: of a file that ends early, all groups that are whole come back.
func TestCutOff(t *testing.T) {
	all := outputs(12)
	file := packOf(t, 4, all...)
	before := 0
	for n := range len(file) {
		if _, err := open(file[:n]); !isDamage(err) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
		p, _, err := packfile.Recover(bytes.NewReader(file[:n]), int64(n))
		if err != nil || len(p.Entries()) < before {
			t.Fatalf("%d bytes: %d objects, %d with less; %v", n, len(p.Entries()), before, err)
		}
		before = len(p.Entries())
	}
	if before != len(all) {
		t.Errorf("without the last byte %d of %d objects are left", before, len(all))
	}
}

// TestRecoverBetween: groups are found behind rubbish of any length, also where their
// beginning lies across the edge of what is read at once.
func TestRecoverBetween(t *testing.T) {
	all := outputs(4)
	file := packOf(t, 4, all...)
	for _, n := range []int{1, 15, 16, 65_487, 65_500, 65_511, 65_520, 65_536, 200_000} {
		bad := append(bytes.Repeat([]byte("group\x00\x00\x00"), n/8+1)[:n], file...)
		p, lost, err := packfile.Recover(bytes.NewReader(bad), int64(len(bad)))
		if err != nil || len(p.Entries()) != len(all) || lost < int64(n) {
			t.Errorf("behind %d bytes: %d objects, %d bytes lost, %v", n, len(p.Entries()), lost, err)
		}
	}
}

// TestStockTools: zstd prints the objects in the order in which they were added.
func TestStockTools(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd here")
	}
	all := outputs(9)
	cmd := exec.Command("zstd", "-dc")
	cmd.Stdin = bytes.NewReader(packOf(t, 4, all...))
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, bytes.Join(all, nil)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

type full struct{ left int }

var errFull = errors.New("no room")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestFullDisk: a write that fails anywhere is said, at the latest by Close.
func TestFullDisk(t *testing.T) {
	all := outputs(8)
	for room := range len(packOf(t, 3, all...)) {
		w, err := packfile.NewWriter(&full{room})
		for i, b := range all {
			if err == nil {
				_, err = w.Add(b, put)
			}
			if err == nil && i%3 == 2 {
				err = w.EndGroup()
			}
		}
		if last := w.Close(); !errors.Is(last, errFull) {
			t.Fatalf("with room for %d bytes: %v, then %v", room, err, last)
		}
	}
}

// FuzzOpen: no bytes make a reader fail but with an error, or return what is not the
// object asked for.
func FuzzOpen(f *testing.F) {
	f.Add(packOf(f, 3, outputs(7)...))
	f.Add(packOf(f, 1))
	f.Fuzz(func(t *testing.T, file []byte) {
		recovered, _, err := packfile.Recover(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		opened, err := open(file)
		if err != nil && !isDamage(err) {
			t.Fatal(err)
		}
		for _, p := range []*packfile.Pack{recovered, opened} {
			if p == nil || p == opened && err != nil {
				continue
			}
			for _, e := range p.Entries() {
				if b, err := p.Read(e.ID); err == nil && idOf(b) != e.ID {
					t.Fatal("wrong bytes")
				}
			}
		}
	})
}
