package parsers

import (
	"bytes"
	"os"
	"testing"

	"cairn/internal/racing"
	"cairn/result"
)

// TestSubunitCut: a stream of subunit that ends early, or in which a byte is another, is never a
// run that passed, whatever the exit is.
func TestSubunitCut(t *testing.T) {
	stream, err := os.ReadFile("../golden/pairs/stestr/every-kind-subunit/artifacts/out/last.v2")
	if err != nil {
		t.Fatal(err)
	}
	parsed := func(b []byte) *result.ToolResult {
		return Parse(Input{Argv: []string{"stestr", "last", "--subunit"}, Source: Separate(b, nil)}, result.Exit{Observed: true})
	}
	whole := parsed(stream)
	if whole.Status != result.Failed || whole.Counts["failed"] != 6 || whole.Counts["passed"] != 2 {
		t.Fatalf("%s: %v", whole.Status, whole.Counts)
	}
	for n := 1; n < len(stream); n += 7 {
		if racing.Skips(n/7, 20) {
			continue
		}
		flipped := bytes.Clone(stream)
		flipped[n] ^= 0x20
		for _, b := range [][]byte{stream[:n], flipped} {
			if r := parsed(b); r.Status == result.Passed {
				t.Fatalf("byte %d: passed: %s", n, r.Summary)
			}
		}
	}
}
