//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// talk is what a terminal shows of an agent's line, with the keys that are pressed once
// a text is seen.
func (s *screening) talk(env []string, line, see, press string) string {
	s.t.Helper()
	cmd := exec.Command(s.bin, "shell", "--as", filepath.Join(s.dir, "bash"), "-c", line)
	cmd.Dir, cmd.Env = s.dir, append(append([]string{}, s.env...), env...)
	master, slave, err := pty.Open()
	if err != nil {
		s.t.Skipf("no pseudo-terminals here: %v", err)
	}
	defer master.Close()
	pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 200})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	slave.Close()
	defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill(); master.Close() }).Stop() // it waits for an answer
	if see == "" {
		master.Write([]byte(press))
	}
	var seen bytes.Buffer
	for buf := make([]byte, 4096); ; {
		n, err := master.Read(buf)
		seen.Write(buf[:n])
		if see != "" && strings.Contains(seen.String(), see) {
			see = ""
			master.Write([]byte(press))
		}
		if err != nil { // the last process has closed the terminal
			break
		}
	}
	cmd.Wait()
	return seen.String()
}

// failingPytest prints what pytest would, in colour, as on a terminal, and more than is shown as it is.
const failingPytest = `[ -t 1 ] && printf '\033[31mF\033[0m.                              [100%%]\n'
cat <<'E'
=================================== FAILURES ===================================
__________________________________ test_login __________________________________

    def test_login():
        """Some words that make this longer than what is shown as it is."""
        # A comment of some length, as real tests have them here and there.
        # Another comment of some length, as real tests have them here.
        response = client.post("/login", data={"user": "a", "password": "b"})
>       assert response.status_code == 200, "login must work"
E       AssertionError: login must work
E       assert 401 == 200

test_auth.py:11: AssertionError
=========================== short test summary info ============================
FAILED test_auth.py::test_login - AssertionError: login must work
1 failed, 1 passed in 0.02s
E
exit 1
`

// TestAgentsTerminal: an agent whose host gives its shell a terminal gets the short form,
// as on a pipe; a program that needs the terminal has it.
func TestAgentsTerminal(t *testing.T) {
	s := newScreening(t)
	for name, text := range map[string]string{
		"pytest": failingPytest,
		"asks":   "printf 'Overwrite it? [y/N] '; read a; echo \"got <$a>\"\n",
		"raw":    "printf 'press a key'; stty raw -echo; dd bs=1 count=1 2>/dev/null | od -An -c; stty sane; echo done\n",
		"typed":  "printf working; read a; echo \"got <$a>\"\n",
	} {
		if err := os.MkdirAll(filepath.Join(s.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		// Its name is that of a tool that a parser knows: its output is held to its end.
		if err := os.WriteFile(filepath.Join(s.dir, name, "pytest"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	qwen := []string{"QWEN_CODE=1"}
	t.Run("short", func(t *testing.T) {
		for _, env := range [][]string{qwen, {"CLAUDECODE=1"}, {"QWEN_CODE=1", "CAIRN_SHOW=compact"}} {
			out := s.talk(env, "sh pytest/pytest -q", "", "")
			if !strings.Contains(out, "pytest failed: 1 failed, 1 passed (exit 1)") || !strings.Contains(out, "test_auth.py:11: ") || strings.Contains(out, "Another comment") || strings.Contains(out, "\r\r\n") {
				t.Errorf("%v: the agent sees\n%q", env, out)
			}
		}
		if out := s.plain(s.bin, "recall", "object", strings.TrimSpace(s.plain("sh", "-c", s.bin+" recall objects --limit 1 --format json | sed 's/.*\"oid\":\"\\([^\"]*\\)\".*/\\1/'"))); !strings.Contains(out, "\x1b[31mF") {
			t.Errorf("the program had no terminal:\n%q", out)
		}
	})
	t.Run("as it was", func(t *testing.T) {
		for _, c := range []struct {
			env        []string
			line, want string
		}{
			{[]string{"QWEN_CODE=1", "CAIRN_SHOW=raw"}, "sh pytest/pytest -q", "Another comment"},
			{qwen, "seq 101 301", "\r\n200\r\n201\r\n"},
		} {
			if out := s.talk(c.env, c.line, "", ""); !strings.Contains(out, c.want) || strings.Contains(out, "failed:") || strings.Contains(out, "\r\r") {
				t.Errorf("%v: the agent sees\n%q", c.env, out)
			}
		}
	})
	t.Run("a question is seen, and answered", func(t *testing.T) {
		if out := s.talk(qwen, "sh asks/pytest -q", "[y/N] ", "y\r"); !strings.Contains(out, "got <y>") {
			t.Errorf("it shows\n%q", out)
		}
	})
	t.Run("a program that draws is seen at once", func(t *testing.T) {
		if out := s.talk(qwen, "sh raw/pytest -q", "press a key", "x"); !strings.Contains(out, "x") || !strings.Contains(out, "done") {
			t.Errorf("it shows\n%q", out)
		}
	})
	t.Run("what is typed reaches the program, and shows what is held", func(t *testing.T) {
		if out := s.talk(qwen, "sh typed/pytest -q", "", "y\r"); !strings.Contains(out, "working") || !strings.Contains(out, "got <y>") {
			t.Errorf("it shows\n%q", out)
		}
	})
}
