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
