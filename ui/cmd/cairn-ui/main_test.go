package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// terminal is cairn in a terminal, as a person has it.
type terminal struct {
	t      *testing.T
	socket string
}

func (m terminal) tmux(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", m.socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// keys types keys, and waits until the terminal shows each text, and none that begins with "!".
func (m terminal) keys(keys string, shows ...string) string {
	m.t.Helper()
	for key := range strings.FieldsSeq(keys) {
		m.tmux("send-keys", "-t", "ui", key)
	}
	var screen, lacks string
	for range 300 {
		screen, lacks = m.tmux("capture-pane", "-p", "-t", "ui"), ""
		for _, text := range shows {
			if strings.Contains(screen, strings.TrimPrefix(text, "!")) == strings.HasPrefix(text, "!") {
				lacks = text
			}
		}
		if lacks == "" {
			return screen
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.t.Fatalf("after %s it shows no %q:\n%s", keys, lacks, screen)
	return ""
}

// record makes a repository with runs of a test that passes, and fails since.
func record(t *testing.T, programs string, env []string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	run := func(stdin string, argv ...string) {
		t.Helper()
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, out)
		}
	}
	cairn := filepath.Join(programs, "cairn")
	run("", "git", "init", "-q", ".")
	run("", "git", "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "one")
	passed := "=== RUN   TestCart\n--- PASS: TestCart (0.00s)\n=== RUN   TestTotal\n--- PASS: TestTotal (0.01s)\nPASS\nok  \tshop\t0.012s\n"
	failed := "=== RUN   TestCart\n--- PASS: TestCart (0.00s)\n=== RUN   TestTotal\n    cart_test.go:13: total is 7, want 8\n--- FAIL: TestTotal (0.01s)\nFAIL\nexit status 1\nFAIL\tshop\t0.012s\nFAIL\n"
	for _, status := range []string{"0", "1", "1"} { // a "go" that prints what a real one did
		output := map[string]string{"0": passed, "1": failed}[status]
		tool := fmt.Sprintf("#!/bin/sh\ncat <<'END'\n%sEND\nexit %s\n", output, status)
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(tool), 0o755); err != nil {
			t.Fatal(err)
		}
		run("", "sh", "-c", "PATH=$PWD:$PATH cairn capture run -- go test -v ./... || test $? = "+status)
	}
	run("\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2Jtext\n"+strings.Repeat("line\n", 500)+"the needle\n", cairn, "capture", "put", "--exit", "0", "--shell", "noise", "-")
	return dir
}

// TestUI: what a person does in a terminal, at two widths.
func TestUI(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	programs := t.TempDir()
	for _, c := range [][]string{{"-C", "../../..", "build", "-o", programs, "./cmd/cairn"}, {"build", "-o", programs, "."}} {
		if out, err := exec.Command("go", c...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", c, err, out)
		}
	}
	home := t.TempDir()
	env := []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "CI=true", "LC_ALL=C.UTF-8", "NO_COLOR="}
	dir := record(t, programs, env)

	piped := exec.Command(filepath.Join(programs, "cairn"), "ui")
	piped.Dir, piped.Env = dir, env
	if out, _ := piped.CombinedOutput(); piped.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte("needs a terminal")) {
		t.Errorf("without a terminal: exit %d, %s", piped.ProcessState.ExitCode(), out)
	}

	m := terminal{t, filepath.Join(home, "s")}
	start := func(width, height int, more string) {
		args := []string{"new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", dir, "-s", "ui", "--", "env", "-i", "TERM=screen-256color"}
		m.tmux(append(append(args, env...), "sh", "-c", more+" cairn ui; echo left with $?; sleep 60")...)
	}
	t.Cleanup(func() { exec.Command("tmux", "-S", m.socket, "kill-server").Run() })

	start(80, 24, "")
	m.keys("", "4 runs", "failed", "1 failed, 1 passed", "noise", "? help")
	m.keys("f s t a t u s : f a i l e d", "2 runs  status:failed", "!noise")
	m.keys("x", "statuses are")
	m.keys("BSpace Enter", "2 runs", "? help")
	m.keys("Enter", "1 finding", "> failure  cart_test.go:13", "2 tests", "total is 7, want 8")
	m.keys("Enter", "> ", "line 1", "--- FAIL: TestTotal")
	m.keys("Escape", "1 finding")
	m.keys("w", "fails since", "passed last in", ".FF")
	m.keys("Enter", "--- FAIL: TestTotal")
	m.keys("h h", "2 tests")
	m.keys("d", "0 new, 0 fixed, ")
	m.keys("h h", "2 runs")
	m.keys("f C-u Enter", "4 runs")
	m.keys("]", "> ", "$ go test -v ./...")
	m.keys("g m ] d", "ran \"go test -v ./...\" and")
	m.keys("s n e e d l e Enter", "the needle")
	m.keys("Enter", "> the needle", "line 499")
	m.keys("g e", "␛[31mred␛[0m ␛]0;title␇␛[2Jtext")
	m.keys("e", "red text", "!title␇")
	m.keys("/ n e e d l e Enter", "> the needle")
	m.keys("h h ?", "since when", "FILTERS")
	m.tmux("resize-window", "-t", "ui", "-x", "40", "-y", "12")
	narrow := m.keys("Escape", "? help  q quit", "> ")
	for line := range strings.Lines(narrow) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 40 {
			t.Errorf("%d columns are used of 40: %s", n, line)
		}
	}
	m.keys("q", "left with 0")
	m.tmux("kill-session", "-t", "ui")

	start(60, 16, "NO_COLOR=1")
	m.keys("", "4 runs", "noise")
	m.keys("] Enter", "1 finding")
	if screen := m.tmux("capture-pane", "-e", "-p", "-t", "ui"); strings.Contains(screen, "\x1b[31m") || strings.Contains(screen, "\x1b[32m") {
		t.Errorf("NO_COLOR is set:\n%q", screen)
	}
	m.keys("q", "left with 0")
}
