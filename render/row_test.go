package render

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/result"
)

func TestRow(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	marked := Row{ID: "01M7XQ40K3ZDAAAA", Time: now.Add(-2 * time.Minute), Status: result.Failed, Summary: "1 failed", Command: "make all the things", Mark: "not fully parsed", Note: "same tree as now"}
	for width, want := range map[int]string{
		140: "01M7XQ40K3ZD    2m  failed           1 failed                                          make all the things [not fully parsed]",
		110: "01M7XQ40K3ZD    2m  failed   1 failed                                          make all th… [not fully parsed]",
		80:  "01M7XQ40K3ZD    2m  failed   1 failed              make all … [not fully parsed]",
		60:  "01M7XQ40K3ZD    2m  failed   1 failed              make all…",
	} {
		if got := (Screen{Width: width, Now: now}).Row(marked); got != want {
			t.Errorf("width %d:\ngot  %q\nwant %q", width, got, want)
		}
	}
	row := Row{ID: "01M7XQ40K3ZDAAAA", Time: now.Add(-2 * time.Minute), Status: result.Failed, Summary: "2 failed, 1 passed", Took: "1.2s", Dir: "src/api", Command: "pytest -q 'a b'"}
	for _, tc := range []struct {
		width int
		color bool
		want  string
	}{
		{120, false, "01M7XQ40K3ZD    2m  failed     1.2s  2 failed, 1 passed              src/api           pytest -q 'a b'"},
		{60, false, "01M7XQ40K3ZD    2m  failed   2 failed, 1 passed    pytest -…"},
		{120, true, "01M7XQ40K3ZD    \x1b[2m2m\x1b[0m  \x1b[31mfailed\x1b[0m     \x1b[2m1.2s\x1b[0m  2 failed, 1 passed              \x1b[2msrc/api\x1b[0m           pytest -q 'a b'"},
	} {
		if got := (Screen{Width: tc.width, Color: tc.color, Now: now}).Row(row); got != tc.want {
			t.Errorf("width %d:\ngot  %q\nwant %q", tc.width, got, tc.want)
		}
	}
}

// TestRowFits: no line is wider than the terminal, whatever a capture says.
func TestRowFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab é日本\x1b[31m\n\t…")), 0, 80, -1)
		width := rapid.IntRange(leastWidth, 200).Draw(t, "width")
		line := Screen{Width: width}.Row(Row{
			ID: text.Draw(t, "id"), Status: result.Status(text.Draw(t, "status")), Summary: text.Draw(t, "summary"), Took: text.Draw(t, "took"), Dir: text.Draw(t, "dir"), Command: text.Draw(t, "command"),
			Mark: text.Draw(t, "mark"), Note: text.Draw(t, "note"),
		})
		if n := columnsOf(line); n > width || strings.ContainsAny(line, "\n\x1b") {
			t.Fatalf("%d columns of %d: %q", n, width, line)
		}
	})
}
