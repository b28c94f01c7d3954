package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// TestStorage measures three days of a few commands: packing saves, and every
// output comes back.
func TestStorage(t *testing.T) {
	var out strings.Builder
	if err := run(context.Background(), &out, "../../golden", month{commands: 6, days: 3, runs: 2, least: 16 << 10}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^  [1-9]\d* packed in `).MatchString(out.String()) {
		t.Errorf("it says:\n%s", &out)
	}
}

// TestPackFiles: every output is in a pack file, and is read from it, whatever the
// groups.
func TestPackFiles(t *testing.T) {
	var out strings.Builder
	if err := run(context.Background(), &out, "../../golden", month{commands: 6, days: 3, runs: 2, least: 1 << 10, alone: true, formats: true}); err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`(?m)^  [1-9]\d* in .*; each opened and read in `).FindAllString(out.String(), -1)); n != 5 {
		t.Errorf("it says:\n%s", &out)
	}
}
