package runfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTextIsRead: what Text writes, Parse reads.
func TestTextIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[ -~]([\t -~]*[!-~])?`)
		value := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "lines"), "\n")
		})
		want := Run{
			Cmd: line.Draw(t, "cmd"), Cwd: line.Draw(t, "cwd"), Exit: line.Draw(t, "exit"), Version: value.Draw(t, "version"),
			Root: value.Draw(t, "root"), Env: value.Draw(t, "env"), Same: value.Draw(t, "same"), Order: value.Draw(t, "order"), Truth: value.Draw(t, "truth"),
		}
		got, err := Parse(want.Text())
		if err != nil || got.Text() != want.Text() || got.Env != want.Env || got.Order != want.Order || got.Truth != want.Truth || got.Cmd != want.Cmd {
			t.Errorf("%v: got %+v of\n%s", err, got, want.Text())
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                     `has no "cmd"`,
		"cmd: true\ncwd: /w\n":                 `has no "exit"`,
		"cwd: /w\ncmd: true\nexit: 0\n":        "not in its order",
		"cmd: true\ncmd: true\ncwd: /w\n":      "not in its order",
		"\tcmd: true\n":                        "no line of a file run",
		"cmd: true\ncwd: /w\nexit: 0\nwhat: x": "no line of a file run",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %s", text, err, says)
		}
	}
}

// TestConvert: a case with a file for each fact says the same with one file run.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"cmd": "ruby -e 'a\n\tb'\n", "cwd": "/w\n", "version": "", "exit": "1\n", "env": "A=1\nB=2\n", "order": "1 0 4\n2 5 9\n",
		"stdout": "out\n\n", "stderr": "", "truth": "says out\nat a:1\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time nothing changes
		if err := Convert(dir); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) != 2 { // run, stdout
			t.Errorf("left are %q: %v", left, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "run"))
		want := "cmd: ruby -e 'a\n\t\tb'\ncwd: /w\nexit: 1\nenv: A=1\n\tB=2\norder: 1 0 4\n\t2 5 9\ntruth: says out\n\tat a:1\n"
		if err != nil || string(text) != want {
			t.Errorf("%v: got\n%swant\n%s", err, text, want)
		}
		r, err := Read(dir)
		if err != nil || string(r.Stdout) != "out\n\n" || len(r.Stderr) != 0 || r.Cmd != "ruby -e 'a\n\tb'" || r.Truth != "says out\nat a:1" {
			t.Errorf("%v: %+v", err, r)
		}
	}
}
