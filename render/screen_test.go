package render

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"cairn/result"
)

// ours are the escape sequences that a screen makes.
var ours = regexp.MustCompile("\x1b\\[(?:[0-9]+)?m|\x1b\\]8;;(?:file://[!-~]*)?\x1b\\\\")

// TestScreenIsClean: whatever a record says, nothing steers the terminal but our own colours and
// links, and no line is wider than the terminal.
func TestScreenIsClean(t *testing.T) {
	dir := t.TempDir()
	const name = "a\x1b]0;x\a b.go"
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab é日本e\u0301\x1b[31m]8;;\x1b\\\a\n\t\r\x7f\u009b\u202e\u200b…")), 0, 120, -1)
		s := Screen{Width: rapid.IntRange(leastWidth, 160).Draw(t, "width"), Color: rapid.Bool().Draw(t, "color"), Now: time.Unix(0, 0), Top: dir, Host: "host"}
		cell := rapid.Custom(func(t *rapid.T) Cell {
			c := Cell{Text: text.Draw(t, "cell"), Ink: Bad, Right: rapid.Bool().Draw(t, "right")}
			if rapid.Bool().Draw(t, "strip") {
				c.Inks = []Ink{Good, Bad, Bad, Faint}
			}
			return c
		})
		f := result.Finding{ID: text.Draw(t, "id"), Rule: text.Draw(t, "rule"), Message: text.Draw(t, "message"), Severity: result.SevFailure, At: &result.Location{Path: rapid.SampledFrom([]string{name, "../x", "/etc/passwd", "a"}).Draw(t, "path"), Line: 3}}
		f.Location = f.At.Path + ":3"
		out := s.Columns(1, rapid.SliceOfN(rapid.SliceOfN(cell, 3, 3), 1, 5).Draw(t, "rows")...) + s.Text(4, text.Draw(t, "text"), Strong) + s.Finding("new    ", Bad, f)
		bare := ours.ReplaceAllString(out, "")
		if strings.ContainsFunc(bare, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || r == '\u202e') }) {
			t.Fatalf("what steers a terminal is left: %q", out)
		}
		if !s.Color && bare != out {
			t.Fatalf("escape sequences without colours: %q", out)
		}
		for line := range strings.Lines(bare) {
			if n := columnsOf(strings.TrimSuffix(line, "\n")); n > s.Width {
				t.Fatalf("%d columns of %d: %q", n, s.Width, line)
			}
		}
	})
}

// TestScreenFinding: the place of a finding is a link to the file that exists, and to no other.
func TestScreenFinding(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.go", "ü.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := Screen{Width: 40, Color: true, Top: dir, Host: "host"}
	for _, tc := range []struct{ path, want string }{
		{"a b.go", "\x1b]8;;file://host" + filepath.ToSlash(dir) + "/a%20b.go\x1b\\\x1b[1ma b.go:3\x1b[0m\x1b]8;;\x1b\\: "},
		{"ü.go", "/%C3%BC.go\x1b\\\x1b[1mü.go:3\x1b[0m\x1b]8;;\x1b\\: "},
		{"no.go", "\x1b[31mnew\x1b[0m \x1b[1mno.go:3\x1b[0m: "},
		{"../" + filepath.Base(dir) + "/ü.go", "\x1b[31mnew\x1b[0m \x1b[1m../"},
	} {
		f := result.Finding{Message: "one two three four five six seven eight", Severity: result.SevError, At: &result.Location{Path: tc.path, Line: 3}, Location: tc.path + ":3"}
		if got := s.Finding("new", Bad, f); !strings.Contains(got, tc.want) {
			t.Errorf("%s:\ngot  %q\nwith %q", tc.path, got, tc.want)
		}
	}
	if got, want := s.Finding("new", Plain, result.Finding{Message: "one two three four five six seven eight nine", Severity: result.SevError}), "new error: one two three four five six\n    seven eight nine\n"; got != want {
		t.Errorf("broken as\n%q, not\n%q", got, want)
	}
}

func TestScreenColumns(t *testing.T) {
	rows := [][]Cell{
		{{Text: "a very long name that is cut first of all"}, {Text: "12", Right: true}, {Text: "..F", Inks: []Ink{Good, Good, Bad}}},
		{{Text: "b"}, {Text: "3", Right: true, Ink: Bad}, {}},
	}
	for _, tc := range []struct {
		screen Screen
		want   string
	}{
		{Screen{Width: 80}, "a very long name that is cut first of all  12  ..F\nb                                           3\n"},
		{Screen{Width: 40}, "a very long name that is cut f…  12  ..F\nb                                 3\n"},
		{Screen{Width: 40, Color: true}, "a very long name that is cut f…  12  \x1b[32m..\x1b[0m\x1b[31mF\x1b[0m\nb                                 \x1b[31m3\x1b[0m\n"},
	} {
		if got := tc.screen.Columns(0, rows...); got != tc.want {
			t.Errorf("%d columns:\n%s\nnot\n%s", tc.screen.Width, got, tc.want)
		}
	}
}
