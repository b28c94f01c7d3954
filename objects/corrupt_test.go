package objects_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"cairn/objects"
)

// small object files of each kind, to be spoiled everywhere.
func smallFiles() map[string][]byte {
	return map[string][]byte{
		"plain": []byte("FAILED tests/test_auth.py:42\nexit 1"),
		"zstd":  bytes.Repeat([]byte("ok  \tcairn/objects\t0.01s\n"), 200),
	}
}

// opener stores b and returns a function that reports how the object fares once
// its file is replaced by the given one.
func opener(t *testing.T, b []byte) func(file []byte) error {
	t.Helper()
	s := quickly(t, t.TempDir())
	info, err := s.PutBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	return func(file []byte) error {
		if err := os.WriteFile(s.ObjectPath(info.ID), file, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := s.ReadAll(info.ID)
		if err == nil && !bytes.Equal(got, b) {
			t.Fatal("wrong bytes came back")
		}
		return err
	}
}

func TestEveryBitFlip(t *testing.T) {
	for name, b := range smallFiles() {
		t.Run(name, func(t *testing.T) {
			good, opens := objects.EncodeFile(b), opener(t, b)
			for bit := range len(good) * 8 {
				bad := bytes.Clone(good)
				bad[bit/8] ^= 1 << (bit % 8)
				var corrupt *objects.CorruptError
				if err := opens(bad); !errors.As(err, &corrupt) || corrupt.MovedTo == "" {
					t.Fatalf("byte %d, bit %d: %v", bit/8, bit%8, err)
				}
			}
		})
	}
}

func TestEveryTruncation(t *testing.T) {
	for name, b := range smallFiles() {
		t.Run(name, func(t *testing.T) {
			good, opens := objects.EncodeFile(b), opener(t, b)
			for n := range good {
				var corrupt *objects.CorruptError
				if err := opens(good[:n]); !errors.As(err, &corrupt) {
					t.Fatalf("cut to %d of %d bytes: %v", n, len(good), err)
				}
			}
			if err := opens(append(good, 0)); err == nil {
				t.Error("a byte too many was not noticed")
			}
		})
	}
}

// TestSwapped puts a sound object under another's name.
func TestSwapped(t *testing.T) {
	if err := opener(t, []byte("passed"))(objects.EncodeFile([]byte("failed"))); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("open: %v", err)
	}
}

// TestStockTools reads object files as doc.go tells a person without cairn to.
func TestStockTools(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd here")
	}
	s := objects.Open(t.TempDir())
	for _, test := range []struct {
		command string
		b       []byte
	}{
		{`zstd -dc < "$0"`, log}, {`zstd -dc < "$0"`, large},
		{`tail -c +49 "$0" | zstd -dc`, large}, {`tail -c +49 "$0"`, tiny}, {`tail -c +49 "$0"`, noise},
	} {
		info, err := s.PutBytes(test.b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := exec.Command("sh", "-c", test.command, s.ObjectPath(info.ID)).Output()
		if err != nil || !bytes.Equal(got, test.b) {
			t.Errorf("%s on %d bytes: %d bytes, %v", test.command, len(test.b), len(got), err)
		}
	}
}

// FuzzDecode feeds whole files to the decoder.
func FuzzDecode(f *testing.F) {
	for _, b := range smallFiles() {
		f.Add(objects.EncodeFile(b))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := objects.DecodeFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		again, err := objects.DecodeFile(bytes.NewReader(objects.EncodeFile(got)), int64(len(objects.EncodeFile(got))))
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("decoded to %d bytes, which do not survive: %v", len(got), err)
		}
	})
}

// FuzzFrames feeds arbitrary data under a correct header, as checksums would keep
// a fuzzer from ever getting that far.
func FuzzFrames(f *testing.F) {
	for _, b := range smallFiles() {
		f.Add(objects.EncodeFile(b)[objects.HeaderSize:], uint32(len(b)))
	}
	f.Add(Random(1, 100), uint32(3<<20))
	f.Fuzz(func(t *testing.T, data []byte, size uint32) {
		file := objects.FrameAround(data, int64(size))
		got, err := objects.DecodeFile(bytes.NewReader(file), int64(len(file)))
		if err == nil && len(got) != int(size) {
			t.Errorf("%d bytes came out, the header says %d", len(got), size)
		}
	})
}
