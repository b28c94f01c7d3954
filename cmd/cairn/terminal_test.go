//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// screening is a repository with one failed and one passed capture, asked in
// front of a terminal.
type screening struct {
	t   *testing.T
	dir string
	env []string
	bin string
}

func newScreening(t *testing.T) *screening {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &screening{t: t, dir: filepath.Join(dir, "repo"), bin: filepath.Join(dir, "cairn")}
	if err := os.Symlink(self, s.bin); err != nil { // its name says that it is to be cairn
		t.Fatal(err)
	}
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + dir,
		"CI=true", "TERM=xterm", "GORACE=atexit_sleep_ms=0", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@localhost", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@localhost"}
	s.plain("git", "init", "-q", s.dir)
	s.plain(s.bin, "capture", "run", "--", "sh", "-c", "echo 'a word'; exit 3")
	s.plain(s.bin, "capture", "run", "--", "true")
	return s
}

// plain runs a command without a terminal.
func (s *screening) plain(argv ...string) string {
	s.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = s.env
	if _, err := os.Stat(s.dir); err == nil {
		cmd.Dir = s.dir
	}
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return string(out)
}

// shown is what a terminal of so many columns gets to see of a question.
func (s *screening) shown(columns uint16, env []string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(s.bin, args...)
	cmd.Dir, cmd.Env = s.dir, append(append([]string{}, s.env...), env...)
	master, slave, err := pty.Open()
	if err != nil {
		s.t.Skipf("no pseudo-terminals here: %v", err)
	}
	defer master.Close()
	pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: columns})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	slave.Close()
	var seen bytes.Buffer
	io.Copy(&seen, master) // ends with an error where the last process has closed the terminal
	cmd.Wait()
	return strings.ReplaceAll(seen.String(), "\r\n", "\n")
}

func TestTable(t *testing.T) {
	s := newScreening(t)
	quiet := []string{"PAGER=cat"}
	t.Run("cut to the width", func(t *testing.T) {
		for _, columns := range []uint16{40, 60, 80, 120} {
			out := s.shown(columns, append(quiet, "NO_COLOR=1"), "recall", "objects")
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if len(lines) != 2 {
				t.Fatalf("not two lines:\n%s", out)
			}
			for _, line := range lines {
				if n := len([]rune(line)); n > int(columns) {
					t.Errorf("%d columns on a terminal of %d: %q", n, columns, line)
				}
			}
		}
	})
	t.Run("a command as a shell would take it", func(t *testing.T) {
		out := s.shown(200, append(quiet, "NO_COLOR=1"), "recall", "objects")
		if !strings.Contains(out, `sh -c 'echo '\''a word'\''; exit 3'`) || !strings.Contains(out, "exit 3 ") {
			t.Errorf("it shows:\n%s", out)
		}
	})
	t.Run("what was not understood is marked, in a table as in a list", func(t *testing.T) {
		s.plain(s.bin, "capture", "run", "--", "sh", "-c", "echo 'a.c:3:1: error: broke'; exit 2; : "+strings.Repeat("long ", 20))
		for name, out := range map[string]string{
			"list": s.plain(s.bin, "recall", "objects", "--limit", "1"), "wide": s.shown(200, quiet, "recall", "objects"), "narrow": s.shown(80, quiet, "recall", "objects"),
		} {
			if strings.Count(out, "[not fully parsed") != 1 {
				t.Errorf("%s:\n%s", name, out)
			}
		}
	})
	t.Run("colours", func(t *testing.T) {
		const red, green = "\x1b[31mfailed\x1b[0m", "\x1b[32mok\x1b[0m"
		for _, c := range []struct {
			env     []string
			args    []string
			colored bool
		}{
			{nil, nil, true},
			{[]string{"NO_COLOR=1"}, nil, false},
			{[]string{"NO_COLOR="}, nil, true},
			{[]string{"TERM=dumb"}, nil, false},
			{[]string{"NO_COLOR=1"}, []string{"--color", "always"}, true},
			{nil, []string{"--color", "never"}, false},
		} {
			out := s.shown(120, append(c.env, quiet...), append([]string{"recall", "objects"}, c.args...)...)
			if got := strings.Contains(out, red) && strings.Contains(out, green); got != c.colored || strings.Contains(out, "\x1b") != c.colored {
				t.Errorf("%v %v: colours %v, not %v:\n%q", c.env, c.args, got, c.colored, out)
			}
		}
	})
	t.Run("piped it is plain", func(t *testing.T) {
		if out := s.plain(s.bin, "recall", "objects"); strings.Contains(out, "\x1b") || !strings.Contains(out, ": sh failed: exit 3 sha256:") {
			t.Errorf("it prints:\n%s", out)
		}
		if out := s.plain(s.bin, "recall", "objects"); !strings.Contains(out, ` sh -c 'echo '\''a word'\''; exit 3': sh failed`) {
			t.Errorf("a command is not as a shell would take it:\n%s", out)
		}
		if out := s.plain(s.bin, "recall", "objects", "--color", "always"); !strings.Contains(out, "\x1b[31mfailed") {
			t.Errorf("with --color always it prints:\n%q", out)
		}
		if out := s.plain(s.bin, "recall", "objects", "--color", "yes"); !strings.Contains(out, "is not auto, always or never") {
			t.Errorf("with --color yes it prints:\n%q", out)
		}
	})
}

// TestPager: it is chosen as git chooses it, on a terminal only, and may end early
// or be missing.
func TestPager(t *testing.T) {
	s := newScreening(t)
	marked := func(name string) string { return "sed 's/^/" + name + ": /'" }
	is := func(want string, env []string) {
		t.Helper()
		out := s.shown(120, env, "recall", "objects")
		if strings.Count(out, want+": ") != 2 {
			t.Errorf("%v: not through %s:\n%s", env, want, out)
		}
	}
	is("plain", []string{"PAGER=" + marked("plain")})
	s.plain("git", "-C", s.dir, "config", "core.pager", marked("core"))
	is("core", []string{"PAGER=" + marked("plain")})
	is("git", []string{"PAGER=" + marked("plain"), "GIT_PAGER=" + marked("git")})
	for _, pager := range []string{"", "cat", "true", "no-such-pager-here"} {
		out := s.shown(120, []string{"GIT_PAGER=" + pager}, "recall", "objects")
		if whole := strings.Contains(out, "failed"); whole != (pager == "" || pager == "cat") {
			t.Errorf("pager %q shows:\n%s", pager, out)
		}
	}
	if out := s.plain("env", "GIT_PAGER="+marked("git"), s.bin, "recall", "objects"); strings.Contains(out, "git: ") {
		t.Errorf("without a terminal there is a pager:\n%s", out)
	}
	if out := s.shown(120, []string{"GIT_PAGER=" + marked("git")}, "recall", "objects", "--format", "json"); !strings.Contains(out, `"id":"01`) {
		t.Errorf("in JSON it shows:\n%s", out)
	}
}
