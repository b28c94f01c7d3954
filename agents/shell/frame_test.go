package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// claudeFrame is what Claude Code 2.1.197 hands to CLAUDE_CODE_SHELL_PREFIX.
func claudeFrame(line, dir string) string {
	quoted := "'" + strings.ReplaceAll(line, "'", `'"'"'`) + "'"
	return "source " + dir + "/.claude/shell-snapshots/snapshot-bash-1795350978423-g9m5i2.sh 2>/dev/null || true && " +
		"{ shopt -u extglob || setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL; } >/dev/null 2>&1 || true && " +
		"eval " + quoted + " < /dev/null && pwd -P >| " + dir + "/claude-1b00-cwd"
}

// geminiFrame is what Gemini CLI 0.61.0 hands to bash -c.
func geminiFrame(line, dir string) string {
	return "shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=" + dir + "/bgpids.tmp\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n" +
		line + "\n)\n__code=$?\nexit $__code"
}

var lines = []string{
	"ls", "pytest -q", `echo 'it'\''s' | cat; ls /nonexistent; exit 3`, `printf "%s\n" "a\"b" '$HOME' $HOME`, "cat <<'E'\na'b\"c\nE",
	"for i in 1 2 3; do echo $i; done", "# a comment\nls", "ls # after", "(cd /tmp; ls)", "{ ls; }", "a=1 b=2 env | grep ^a=", `echo "$(ls | wc -l)"`,
	"if ls; then echo yes; fi;", "ls &&\n  pwd", "echo a \\\n  b",
}

func TestUnframe(t *testing.T) {
	for _, line := range lines {
		for _, frame := range []func(string, string) string{claudeFrame, geminiFrame} {
			f, ok := Unframe(frame(line, "/home/me"))
			if !ok || f.Line != line {
				// The comment before a command is not the command's.
				t.Errorf("%s: got %q, %v\nwant %q", f.Host, f.Line, ok, line)
			}
			for _, other := range lines { // with another line, it is the frame of that
				if got, want := f.With(other), frame(other, "/home/me"); got != want && !sameWord(got, want) {
					t.Errorf("%s: with %q:\n got %q\nwant %q", f.Host, other, got, want)
				}
			}
		}
		if f, ok := Unframe(line); !ok || f.Line != line || f.Host != "" {
			t.Errorf("no frame: got %+v, %v", f, ok)
		}
	}
	old := "shopt -u promptvars nullglob extglob nocaseglob dotglob; { npm test; }; __code=$?; pgrep -g 0 >/tmp/x 2>&1; exit $__code;"
	if f, ok := Unframe(old); !ok || f.Line != "npm test" {
		t.Errorf("got %+v, %v", f, ok)
	}
	words := `source /h/.claude/shell-snapshots/snapshot-zsh-1.sh && eval ls -l \< /dev/null && pwd -P >| /tmp/x-cwd`
	if f, ok := Unframe(words); !ok || f.Line != "ls -l" || !f.Zsh {
		t.Errorf("got %+v, %v", f, ok)
	}
}

// sameWord: there are two ways to write a quote in a word in quotes.
func sameWord(a, b string) bool {
	return strings.ReplaceAll(a, `'\''`, `'"'"'`) == strings.ReplaceAll(b, `'\''`, `'"'"'`)
}

func TestUnframeUnknown(t *testing.T) {
	for _, script := range []string{
		"source /h/.claude/shell-snapshots/s.sh && eval \"$CMD\" && pwd -P >| /tmp/x",
		"source /h/.claude/shell-snapshots/s.sh && eval 'ls' && eval 'pwd' && pwd -P >| /tmp/x",
		"source /h/.claude/shell-snapshots/s.sh && eval 'ls && pwd -P >| /tmp/x",
		"shopt -u promptvars; ls\n__code=$?",
	} {
		if f, ok := Unframe(script); ok {
			t.Errorf("%q was taken for %q", script, f.Line)
		}
	}
}

// FuzzUnframe: the line that is read out is the line that bash
// runs, whatever it holds.
func FuzzUnframe(f *testing.F) {
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.TrimSpace(line) == "" || strings.Contains(line, "\x00") {
			return
		}
		if got, ok := Unframe(claudeFrame(line, "/h")); ok && got.Line != line {
			t.Errorf("got %q, want %q", got.Line, line)
		}
	})
}

// TestEvalSeesTheLine asks bash itself what eval would be given.
func TestEvalSeesTheLine(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "f")
	for _, line := range lines {
		frame := strings.Replace(claudeFrame(line, dir), "eval ", "printf %s ", 1)
		if err := os.WriteFile(script, []byte(frame), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("bash", script).Output()
		if err != nil || string(out) != line {
			t.Errorf("bash: %q, %v; want %q", out, err, line)
		}
	}
}

func TestJudge(t *testing.T) {
	for line, why := range map[string]string{
		"pytest -q": "", "cd x && make": "", "echo a; ls": "", "git log --follow f": "", "eval ls": "", ". ./env": "", "$TOOL x": "",
		"FOO=1 go test ./...": "", "tail -20 log": "", "python3 -": "", "time make": "", "f() { ls; }; f": "", "command -v go": "",
		"cd /tmp": "builtins", "export A=b": "builtins", "echo hi; exit 3": "builtins", "A=1": "builtins", "f() { echo x; }; f": "builtins", "": "builtins",
		"sleep 1 &": "", "(make) & wait": "", "npm start > log 2>&1 &": "", "coproc cat": "background",
		"vim x": "terminal", "sudo -E vim x": "terminal", "git log | less": "terminal", "/usr/bin/top": "terminal",
		"tail -f log": "end by itself", "jest --watch": "end by itself", "docker logs -f x": "end by itself",
		"cairn recall objects": "cairn", "cd a && /usr/local/bin/cairn capture run -- make": "cairn",
		"echo 'a": "", "if": "", "ls )": "",
	} {
		if got := Judge(line); (why == "") != (got == "") || !strings.Contains(got, why) {
			t.Errorf("%q: got %q, want %q", line, got, why)
		}
	}
}

// TestQuestion: what ends so waits for an answer; what ends otherwise, for its next line.
func TestQuestion(t *testing.T) {
	for end, want := range map[string]bool{
		"Overwrite it? [y/N] ": true, "Do you want to continue? [Y/n] ": true, "Proceed (Y/n)? ": true, "Username: ": true, "Enter a value:": true, "Ok to proceed? (y) ": true,
		"\x1b[1mAre you sure (yes/no)?\x1b[0m ": true, "Stage this hunk [y,n,q,a,d,e,p,?]? ": true,
		"test_a.py ....F.": false, "test_a.py::test_b ": false, "test_a.py::test_b[no-1] ": false, "test_a (x.Y.test_a) ... ": false, "  47% [=====>   ] ": false, "\x1b[32m.\x1b[0m": false,
	} {
		h := &holder{tty: true, at: time.Now()}
		h.count([]byte("a line\n"))
		for _, b := range []byte(end) { // however it is written
			h.count([]byte{b})
		}
		if h.at = h.at.Add(-quiet); h.asks() != want {
			t.Errorf("%q: asks %v", end, !want)
		}
		if h.count([]byte("\n")); h.asks() {
			t.Errorf("%q and the end of its line: it asks", end)
		}
	}
}
