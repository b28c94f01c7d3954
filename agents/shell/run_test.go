//go:build unix

package shell

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/internal/place"
)

// TestLarge: the starter of the shell hears once of a long output, so that it can bound the
// memory, and not of a short one.
func TestLarge(t *testing.T) {
	for line, want := range map[string]int{
		"head -c 3000000 /dev/zero | tr '\\0' x": 1,
		"seq 10":                                 0,
	} {
		dir := t.TempDir()
		out, err := os.Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		null, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		status := Run(t.Context(), Options{
			Args: []string{"-c", line}, Dir: dir, Env: place.Env{Dir: filepath.Join(dir, "kept"), Home: dir, Tmp: dir},
			Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CLAUDECODE=1"},
			Stdin:   null, Out: out, Err: out, Now: time.Now, Large: func() { told++ },
		})
		if status != 0 || told != want {
			text, _ := os.ReadFile(out.Name())
			t.Errorf("%s: status %d, told %d times, want %d: %.200s", line, status, told, want, text)
		}
		out.Close()
		null.Close()
	}
}
