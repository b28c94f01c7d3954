package manifest

import (
	"os"
	"strings"
	"testing"
)

// TestPageShowsALine: the line in docs/record.md is what this package writes.
func TestPageShowsALine(t *testing.T) {
	page, err := os.ReadFile("../docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	shown, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/record.md shows no line")
	}
	shown = strings.ReplaceAll(shown, "\n", "")
	r, err := Decode([]byte(shown))
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.Encode()
	if err != nil || string(again) != shown {
		t.Errorf("%v: docs/record.md shows\n%s\nwhich is written as\n%s", err, shown, again)
	}
}
