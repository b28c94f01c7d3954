package objects

import (
	"bytes"
	"testing"

	"cairn/internal/recent"
)

// TestShare: what is hashed from memory is what is in the file, for one who writes a
// little at a time, and for one who writes more at once than memory holds.
func TestShare(t *testing.T) {
	text := someLog(2*recent.Blocks*recent.BlockSize + 12345)
	want, err := Open(t.TempDir()).PutBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{60_000, recent.BlockSize, len(text)} {
		s := Open(t.TempDir())
		in, err := s.Receive("run")
		if err != nil {
			t.Fatal(err)
		}
		w := recent.New()
		in.Share(w)
		for rest := text; len(rest) > 0; {
			p := rest[:min(len(rest), most)]
			w.Put(p)
			if _, err := in.Write(p); err != nil {
				t.Fatal(err)
			}
			w.Pace()
			rest = rest[len(p):]
		}
		info, err := in.Commit()
		if err != nil || info.ID != want.ID || info.Lines != want.Lines {
			t.Errorf("%d bytes at once: %+v, %v, want %+v", most, info, err, want)
		}
		if b, err := s.ReadAll(info.ID); err != nil || !bytes.Equal(b, text) {
			t.Errorf("%d bytes at once: reads back as %d bytes of %d, %v", most, len(b), len(text), err)
		}
	}
}

// TestShareIsRead: the bytes in memory are read, not those in the file.
func TestShareIsRead(t *testing.T) {
	s := Open(t.TempDir())
	in, err := s.Receive("run")
	if err != nil {
		t.Fatal(err)
	}
	w := recent.New()
	in.Share(w)
	shared := bytes.Repeat([]byte("m"), smallMax+BlockSize)
	w.Put(shared)
	if _, err := in.Write(bytes.Repeat([]byte("f"), len(shared))); err != nil {
		t.Fatal(err)
	}
	d := newDigest()
	d.add(shared)
	if got, twin, err := in.follower.finish(); err != nil || got.id() != d.id() || twin == nil {
		t.Errorf("hashed as %v, %v, want %v", got.id(), err, d.id())
	}
	if err := in.Abort(); err != nil {
		t.Error(err)
	}
}
