package objects

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// someLog is a text of at least n bytes that compresses.
func someLog(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%08d worker-%d processed item %x\n", i, i%7, i*7919)
	}
	return b.Bytes()
}

// TestPutOff: what was too fast to be compressed is compressed when the command is
// quiet, or at the end where little is left, and the object is the same.
func TestPutOff(t *testing.T) {
	for name, test := range map[string]struct {
		size  int
		quiet bool // the command waits before it ends
	}{
		"little left at the end": {size: maxLagAtEnd / 2},
		"a quiet command":        {size: maxLagAtEnd * 2, quiet: true},
		"never quiet":            {size: maxLagAtEnd * 2},
	} {
		t.Run(name, func(t *testing.T) {
			text := someLog(test.size)
			want, err := Open(t.TempDir()).PutBytes(text)
			if err != nil {
				t.Fatal(err)
			}
			s := Open(t.TempDir())
			in, err := s.Receive("run")
			if err != nil {
				t.Fatal(err)
			}
			in.lead = math.MinInt64 / 2 // every block is put off at first
			for rest := text; len(rest) > 0; {
				n := min(len(rest), 60_000)
				if _, err := in.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if test.quiet {
				waitForTwin(t, s, want.Stored*3/4)
			}
			info, err := in.Commit()
			if err != nil || info.ID != want.ID || info.Lines != want.Lines {
				t.Fatalf("%+v, %v, want %+v", info, err, want)
			}
			if test.size < maxLagAtEnd || test.quiet {
				if info.Stored != want.Stored {
					t.Errorf("stored in %d bytes, want %d", info.Stored, want.Stored)
				}
			}
			if plain := info.Stored >= info.Size; plain != (noted(t, s) == 1) {
				t.Errorf("stored in %d bytes of %d, and %d objects are noted to be compressed later", info.Stored, info.Size, noted(t, s))
			}
			if b, err := s.ReadAll(info.ID); err != nil || !bytes.Equal(b, text) {
				t.Errorf("reads back as %d bytes of %d, %v", len(b), len(text), err)
			}
			if left, _ := filepath.Glob(s.incoming("*")); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

// waitForTwin waits until the compressed form in the making has at least n bytes.
func waitForTwin(t *testing.T, s *Store, n int64) {
	for t.Context().Err() == nil {
		names, err := filepath.Glob(s.incoming("*" + tempSuffix))
		if err != nil || len(names) != 1 {
			t.Fatalf("%v, %v", names, err)
		}
		if st, err := os.Stat(names[0]); err != nil {
			t.Fatal(err)
		} else if st.Size() >= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestPutOffGivesUp: bytes that do not compress are put off, tried when the command is
// quiet and given up; what comes then, and what came before, is in the object once.
func TestPutOffGivesUp(t *testing.T) {
	for name, test := range map[string]struct {
		begin, end []byte
	}{
		"noise throughout":             {noise(1, 2*trial), noise(2, 2*trial+1)},
		"noise, then a log":            {noise(3, 2*trial), someLog(2 * trial)},
		"noise that ends with a block": {noise(4, 2*trial), noise(5, BlockSize)},
		"noise and nothing else":       {noise(6, 2*trial+7), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := Open(t.TempDir())
			in, err := s.Receive("run")
			if err != nil {
				t.Fatal(err)
			}
			in.lead = math.MinInt64 / 2 // every block is put off
			if _, err := in.Write(test.begin); err != nil {
				t.Fatal(err)
			}
			waitForNoTwin(t, s)
			if _, err := in.Write(test.end); len(test.end) > 0 && err != nil {
				t.Fatal(err)
			}
			text := append(bytes.Clone(test.begin), test.end...)
			want := newDigest()
			want.add(text)
			info, err := in.Commit()
			if err != nil || info.ID != want.id() || info.Size != int64(len(text)) || info.Lines != want.plain().lines {
				t.Fatalf("%+v, %v, want %s of %d bytes", info, err, want.id(), len(text))
			}
			if b, err := s.ReadAll(info.ID); err != nil || !bytes.Equal(b, text) {
				t.Errorf("reads back as %d bytes of %d, %v", len(b), len(text), err)
			}
			if left, _ := filepath.Glob(s.incoming("*")); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

// noise is n bytes that no compression makes fewer.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed)}).Read(b)
	return b
}

// waitForNoTwin waits until compression was given up: its file is gone.
func waitForNoTwin(t *testing.T, s *Store) {
	for t.Context().Err() == nil {
		if names, err := filepath.Glob(s.incoming("*" + tempSuffix)); err != nil {
			t.Fatal(err)
		} else if len(names) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
