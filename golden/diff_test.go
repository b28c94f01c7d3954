package golden

import (
	"fmt"
	"strings"
	"testing"
)

// diff shows the lines in which two texts differ, with the lines around them.
func diff(want, got string) string {
	spread := strings.NewReplacer(`\n`, "⏎\n") // a body is one line of JSON
	a, b := strings.Split(spread.Replace(want), "\n"), strings.Split(spread.Replace(got), "\n")
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	var out strings.Builder
	for i := max(0, from-2); i < from; i++ {
		fmt.Fprintf(&out, "%5d   %s\n", i+1, a[i])
	}
	side(&out, "-", a[from:endA], from)
	side(&out, "+", b[from:endB], from)
	for i := endA; i < min(endA+2, len(a)); i++ {
		fmt.Fprintf(&out, "%5d   %s\n", i+1, a[i])
	}
	return out.String()
}

const maxDiff = 40

func side(out *strings.Builder, mark string, lines []string, from int) {
	for i, l := range lines[:min(len(lines), maxDiff)] {
		fmt.Fprintf(out, "%5d %s %s\n", from+i+1, mark, l)
	}
	if left := len(lines) - maxDiff; left > 0 {
		fmt.Fprintf(out, "      %s … %d more lines\n", mark, left)
	}
}

func TestDiff(t *testing.T) {
	got := diff("a\nb\nc\nd\ne", "a\nb\nX\nY\nd\ne")
	want := "    1   a\n    2   b\n    3 - c\n    3 + X\n    4 + Y\n    4   d\n    5   e\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
