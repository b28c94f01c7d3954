//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReadAfterRemoval: a test that failed, and was removed from the files since, failed all the same; and what the files
// of its time showed to be no test does not count later either.
func TestReadAfterRemoval(t *testing.T) {
	for name, c := range map[string]struct {
		then, now string
		failed    int
	}{
		"removed since": {"func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n", "func TestA(t *testing.T) {}\n", 2},
		"never there":   {"func TestA(t *testing.T) {}\n", "func TestA(t *testing.T) {}\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(repository(t), "go", "test", "./...")
			dir := o.Command.Dir
			program(t, dir, "go", "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\n--- FAIL: TestB (0.00s)\n    a_test.go:4: no\nFAIL\nFAIL\texample.com/m\t0.003s\nFAIL\n", 1)
			o.Command.Env = append(o.Command.Env, "PATH="+dir+":"+os.Getenv("PATH"))
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			lay(t, dir, "go.mod", "module example.com/m\n")
			lay(t, dir, "a_test.go", "package m\n\n"+c.then)
			out, _ := captured(t, o)
			if len(out.Result.Findings) != c.failed {
				t.Fatalf("%d findings, want %d: %s", len(out.Result.Findings), c.failed, mustJSON(out.Result))
			}
			if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("package m\n\n"+c.now), 0o644); err != nil {
				t.Fatal(err)
			}
			rec := records(t, site(t, dir))[0]
			again, err := Parse(site(t, dir), rec)
			if err != nil || len(again.Findings) != c.failed || again.Counts["failed"] != c.failed {
				t.Errorf("read again: %s, %v", mustJSON(again), err)
			}
		})
	}
}
