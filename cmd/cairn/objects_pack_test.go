package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"cairn/capture"
	"cairn/capture/child"
	"cairn/internal/place"
	"cairn/manifest"
)

// TestPackDaily: the helper packs what is a day old, once a day, unless it is asked
// not to.
func TestPackDaily(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "XDG_STATE_HOME": dir, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": dir,
		"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@localhost", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@localhost"} {
		t.Setenv(name, value)
	}
	repo := filepath.Join(dir, "repo")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.Mkdir(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	env := place.FromEnviron(os.Environ())
	for run := range 3 {
		var text bytes.Buffer
		for i := range 3000 {
			text.WriteString("line " + strconv.Itoa(i*i) + "\n")
		}
		text.WriteString("run " + strconv.Itoa(run) + "\n")
		if err := os.WriteFile(filepath.Join(repo, "text"), text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out := capture.Run(t.Context(), capture.Options{Command: child.Command{Argv: []string{"cat", "text"}, Dir: repo, Env: os.Environ()}, Env: env, Now: time.Now})
		if out.CatchUp(t.Context()); out.Trouble != nil {
			t.Fatal(out.Trouble)
		}
	}
	turn := func(after time.Duration, want int) { // of a helper of its own
		t.Helper()
		site, err := place.Open(t.Context(), repo, env, func(manifest.Warning) {})
		if err != nil {
			t.Fatal(err)
		}
		defer site.Close()
		if err := packDaily(context.WithoutCancel(t.Context()), site, time.Now().Add(after)); err != nil {
			t.Fatal(err)
		}
		if st, err := site.Objects.Stats(); err != nil || st.Packed != want {
			t.Errorf("after %v: %d packed, not %d (%v)", after, st.Packed, want, err)
		}
	}
	turn(0, 0) // nothing is a day old
	git("config", "cairn.pack", "off")
	turn(30*time.Hour, 0)
	git("config", "--unset", "cairn.pack")
	turn(12*time.Hour, 0) // it had its turn
	turn(30*time.Hour, 2)
}
