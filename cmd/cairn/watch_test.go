//go:build unix

package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watched is a watch that goes on.
type watched struct {
	t     *testing.T
	dir   string
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

// startWatch watches with a shell line in a repository of its own, in a process group of its own, as a
// shell would start it.
func startWatch(t *testing.T, files map[string]string, line string) *watched {
	t.Helper()
	s := newScreening(t)
	w := &watched{t: t, dir: s.dir}
	for name, text := range files {
		w.write(name, text)
	}
	w.cmd = exec.Command(s.bin, "watch", "--", "sh", "-c", line)
	w.cmd.Dir, w.cmd.Env = s.dir, s.env
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.cmd.Stdout, w.cmd.Stderr = out, out
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	r.SetReadDeadline(time.Now().Add(2 * time.Minute)) // a watch that says nothing more is a failure
	w.lines = bufio.NewScanner(r)
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		w.cmd.Wait()
		r.Close()
	})
	return w
}

func (w *watched) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// until reads lines up to one that has the text, and gives all of them.
func (w *watched) until(text string) (all string) {
	w.t.Helper()
	for w.lines.Scan() {
		if all += w.lines.Text() + "\n"; strings.Contains(w.lines.Text(), text) {
			return all
		}
	}
	w.t.Fatalf("it ended before %q:\n%s", text, all)
	return ""
}

// interrupt is the terminal's: every process of the group gets it.
func (w *watched) interrupt() (code int) {
	w.t.Helper()
	if err := syscall.Kill(-w.cmd.Process.Pid, syscall.SIGINT); err != nil {
		w.t.Fatal(err)
	}
	for w.lines.Scan() {
	}
	err := w.cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return 0
}

// TestWatch: a change starts a run, whose answer is what is different; what git ignores, a file written again with
// the same content and what the run itself writes start none.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := startWatch(t, map[string]string{".gitignore": "*.o\n", "a.c": "a.c:3:1: error: first\n", "b.c": "b.c:1:1: error: other\n", "lint": "cat a.c b.c\n"},
		"echo run >> runs.txt; echo $$ > new.$$; sh ./lint; test ! -s b.c")
	w.until("a.c:3:1: error: first")
	w.until("taken for its own writing: new.")
	w.write("a.o", "x")
	w.write("b.c", "b.c:1:1: error: other\n")
	w.write("a.c", "a.c:3:1: error: second\n")
	out := w.until("missing ")
	if !strings.Contains(out, ": a.c]\n") || !strings.Contains(out, "1 new, 0 fixed, 1 still, 1 missing: ") || !strings.Contains(out, "new     a.c:3:1: error: second") || strings.Contains(out, "other") {
		t.Errorf("the second answer:\n%s", out)
	}
	w.until("taken for its own writing: new.")
	w.write("a.c", "")
	w.write("b.c", "")
	out = w.until("taken for its own writing")
	if !strings.Contains(out, ": a.c, b.c]\n") && !strings.Contains(out, ": a.c]\n") {
		t.Errorf("the third answer:\n%s", out)
	}
	if strings.Contains(out, ": a.c]\n") { // it settled between the two
		w.until("taken for its own writing")
	}
	if code := w.interrupt(); code != 0 {
		t.Errorf("it ends with %d, the last run with 0", code)
	}
	runs, err := os.ReadFile(filepath.Join(w.dir, "runs.txt"))
	if n := strings.Count(string(runs), "run"); err != nil || n != 3 && n != 4 {
		t.Errorf("%d runs: %v", n, err)
	}
}

// TestWatchEnds: an interrupt during a run ends both, with the status of the run, which is on record.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	w := startWatch(t, map[string]string{"a": "1"}, "trap 'exit 7' INT; test -e started && { echo > second; while :; do sleep 0.05; done; }; touch started; exit 3")
	w.until("taken for its own writing: started")
	w.write("a", "2")
	for ; ; time.Sleep(10 * time.Millisecond) { // until the second run has begun
		if _, err := os.Stat(filepath.Join(w.dir, "second")); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if code := w.interrupt(); code != 7 {
		t.Errorf("it ends with %d, the last run with 7", code)
	}
}

// TestWatchNeedsFiles: where there is no repository, it says so.
func TestWatchNeedsFiles(t *testing.T) {
	s := newScreening(t)
	cmd := exec.Command(s.bin, "watch", "--", "true")
	cmd.Dir, cmd.Env = t.TempDir(), s.env
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != statusTrouble || !strings.Contains(string(out), "no working tree") {
		t.Errorf("%v:\n%s", err, out)
	}
}
