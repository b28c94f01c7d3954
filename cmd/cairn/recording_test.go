package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/objects"
	"cairn/parsers"
)

// TestRecording: what is read in pieces, from a file or a pipe of any length, is
// what was there, stdout before stderr.
func TestRecording(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, size := range map[string]int{"empty": 0, "short": 10, "a piece": recordingPiece, "held": recordingHeld - 1, "spooled": recordingHeld, "long": 3*recordingHeld + 7} {
		t.Run(name, func(t *testing.T) {
			text := []byte(strings.Repeat("0123456789", size/10+1)[:size])
			file := filepath.Join(t.TempDir(), "stderr")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := openRecording(bytes.NewReader(text), "-", file)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // as often as somebody asks
				var streams [3][]byte
				end := int64(0)
				for c := range r.Chunks() {
					if c.Offset != end {
						t.Fatalf("a chunk at %d, want %d", c.Offset, end)
					}
					streams[c.Stream] = append(streams[c.Stream], c.Data...)
					end += int64(len(c.Data))
				}
				if !bytes.Equal(streams[parsers.Stdout], text) || !bytes.Equal(streams[parsers.Stderr], text) || end != r.Size() {
					t.Fatalf("%d and %d bytes, want %d each", len(streams[parsers.Stdout]), len(streams[parsers.Stderr]), size)
				}
			}
			if want := objects.IDOf(append(bytes.Clone(text), text...)); r.id() != want {
				t.Errorf("id %s, want %s", r.id(), want)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "cairn-parse-*")); left != nil {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestRecordingTruncated: a file that became shorter is no end of the output.
func TestRecordingTruncated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stdout")
	if err := os.WriteFile(file, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := openRecording(strings.NewReader(""), file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.Truncate(file, 3); err != nil {
		t.Skipf("an open file cannot be cut here: %v", err)
	}
	for range r.Chunks() {
	}
	if r.Err() == nil {
		t.Error("no error")
	}
}

func TestRecordingErrors(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "missing"), t.TempDir()} {
		if _, err := openRecording(strings.NewReader(""), name, ""); err == nil || !strings.Contains(err.Error(), "reading recorded output") {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := io.MultiReader(strings.NewReader("x"), brokenReader{})
	if _, err := openRecording(broken, "-", ""); err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Error(err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, os.ErrPermission }
