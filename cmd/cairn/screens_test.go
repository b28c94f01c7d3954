//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// fixedRecords puts records into the repository of s: those of the script of plain answers, and one whose
// every text is hostile.
func fixedRecords(t *testing.T, s *screening) {
	t.Helper()
	script, err := os.ReadFile("testdata/script/recall_plain.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(script), "-- shard.jsonl --\n")
	lines, _, _ := strings.Cut(rest, "-- failed.jsonl --\n")
	evil := `x\u001b]0;t\u0007\u001b[2J\u202e\u009b31m\nid`
	last := strings.Split(strings.TrimSpace(lines), "\n")[1]
	lines += strings.NewReplacer("01M8AZZ59C27M4AKQ68ZKZ7ZF7", "01M8AZZ69C27M4AKQ68ZKZ7ZF7", "03:56:41", "03:56:42", "test_flaky", evil, "assert not '1'", evil, `"-rA"`, `"`+evil+`"`, `"key":"a`, `"key":"b`).Replace(last) + "\n"
	dir := filepath.Join(s.dir, ".git/cairn/manifest/2026/11/26")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "w-1.jsonl"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"failed", "passed"} {
		_, rest, _ := strings.Cut(string(script), "-- "+name+".jsonl --\n")
		list, _, _ := strings.Cut(rest, "-- ")
		file := filepath.Join(s.dir, name)
		if err := os.WriteFile(file, []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
		s.plain(s.bin, "capture", "put", file)
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "tests"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "tests/test_cart.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

var oursOnTerminal = regexp.MustCompile("\x1b\\[[0-9]*m|\x1b\\]8;;(?:file://[!-~]*)?\x1b\\\\")

// TestScreens: what a terminal shows of each question is coloured by state, fits, has links to the
// files there are, and has no escape sequence but these, whatever the records say.
func TestScreens(t *testing.T) {
	s := newScreening(t)
	fixedRecords(t, s)
	s.plain(s.bin, "recall", "stats") // makes the index, of whose progress a terminal would show more on a slow machine
	for _, tc := range []struct {
		args []string
		want []string // with the colours
	}{
		{[]string{"recall", "objects"}, []string{"\x1b[31mfailed\x1b[0m", "3 failed, 1 passed"}},
		{[]string{"recall", "diff", "01M8AZZ0G", "01M8AZZ59"}, []string{"1 new, 0 fixed, 2 still", "\x1b[31mnew    \x1b[0m \x1b]8;;file://", "/tests/test_cart.py\x1b\\\x1b[1mtests/test_cart.py:5\x1b[0m\x1b]8;;\x1b\\: "}},
		{[]string{"recall", "flaky"}, []string{"\x1b[1mtests/test_cart.py::test_flaky\x1b[0m  \x1b[31m1 of 2\x1b[0m", "    \x1b[2m$ pytest -q -rA tests\x1b[0m\n"}},
		{[]string{"recall", "stats"}, []string{"\x1b[31m", "\x1b[2ma week\x1b[0m", "\x1b[31m3\x1b[0m"}},
		{[]string{"recall", "test", "tests/test_cart.py::test_flaky"}, []string{"\x1b[32m.\x1b[0m\x1b[31mFF\x1b[0m", "\x1b[31mfailed\x1b[0m"}},
		{[]string{"manifest", "show", "01M8AZZ59"}, []string{"\x1b[31mpytest failed: 3 failed, 1 passed (exit 1)\x1b[0m", "\x1b[31mfailure\x1b[0m \x1b]8;;file://"}},
		{[]string{"manifest", "show", "01M8AZZ69"}, []string{"\x1b[31mpytest failed: 3 failed, 1 passed (exit 1)\x1b[0m"}},
	} {
		for _, columns := range []uint16{80, 140} {
			out := s.shown(columns, []string{"PAGER=cat"}, tc.args...)
			for _, want := range tc.want {
				if columns == 140 && !strings.Contains(out, want) {
					t.Errorf("%v does not show %q:\n%q", tc.args, want, out)
				}
			}
			bare := oursOnTerminal.ReplaceAllString(out, "")
			if strings.ContainsFunc(bare, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || r == '\u202e') }) {
				t.Errorf("%v shows what steers a terminal:\n%q", tc.args, out)
			}
			for line := range strings.Lines(bare) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > int(columns) {
					t.Errorf("%v: %d columns of %d: %q", tc.args, n, columns, line)
				}
			}
		}
		if out := s.shown(80, []string{"PAGER=cat", "NO_COLOR=1"}, tc.args...); strings.Contains(out, "\x1b") {
			t.Errorf("%v shows escape sequences with NO_COLOR:\n%q", tc.args, out)
		}
	}
}
