package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// when is the date of every commit of these tests.
var when = time.Unix(1_700_000_000, 0).UTC()

// isolate hides the configuration of the user who runs the tests.
func isolate(t testing.TB) {
	t.Helper()
	home := t.TempDir()
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "EMAIL" {
			t.Setenv(name, "") // so that it is restored
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(home))
	write(t, filepath.Join(home, "gitconfig"), "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n[protocol \"file\"]\n\tallow = always\n[init]\n\tdefaultBranch = main\n")
}

// sh runs git in dir and fails the test when git fails.
func sh(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		return out.String() + errs.String(), err
	}
	return out.String(), nil
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// newRepo is a repository with one commit of the file code.txt, and sub/more.txt.
func newRepo(t testing.TB, initArgs ...string) string {
	t.Helper()
	isolate(t)
	dir := filepath.Join(realTemp(t), "repo")
	sh(t, "/", append(append([]string{"init", "-q"}, initArgs...), dir)...)
	write(t, filepath.Join(dir, "code.txt"), "one\n")
	write(t, filepath.Join(dir, "sub", "more.txt"), "two\n")
	sh(t, dir, "add", ".")
	sh(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// realTemp is a temporary directory without symbolic links in its path.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func discover(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Discover(context.Background(), dir)
	if err != nil {
		t.Fatalf("Discover(%s): %v", dir, err)
	}
	return r
}

func branch(t testing.TB, r *Repo) *Branch {
	b := r.OpenBranch("cairn")

	return b
}

// addLine is a change that adds a line unless it is there.
func addLine(path, line string) Change {
	return Change{Path: path, Merge: func(old []byte) []byte { return joinLines(old, []byte(line+"\n")) }}
}

// joinLines is the union of lines, in order of first appearance.
func joinLines(versions ...[]byte) []byte {
	seen := map[string]bool{}
	out := []byte{}
	for _, v := range versions {
		for line := range bytes.Lines(v) {
			if !seen[string(line)] {
				seen[string(line)] = true
				out = append(out, line...)
			}
		}
	}
	return out
}

func commitLine(t testing.TB, b *Branch, path, line string) string {
	t.Helper()
	oid, err := b.Commit(context.Background(), []Change{addLine(path, line)}, "add "+line, "", when)
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	return oid
}

// fsck fails the test when git finds anything wrong.
func fsck(t testing.TB, dir string) {
	t.Helper()
	out, err := tryGit(dir, "fsck", "--strict", "--full", "--no-dangling")
	if err != nil || strings.Contains(out, "error") || strings.Contains(out, "warning") || strings.Contains(out, "missing") {
		t.Fatalf("git fsck: %v\n%s", err, out)
	}
}

// snapshot is the content and mode of every file below dir but for those of
// skip: what must be untouched is compared byte for byte.
func snapshot(t testing.TB, dir string, skip func(rel string) bool) string {
	t.Helper()
	var lines []string
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if skip != nil && skip(filepath.ToSlash(rel)) {
			return nil
		}
		line := fmt.Sprintf("%s %s", rel, info.Mode())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %d %x", info.ModTime().UnixNano(), data)
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// TestMain also fails when a process or goroutine is left behind.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killedEnv); dir != "" {
		fmt.Fprintln(os.Stderr, commitForever(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
