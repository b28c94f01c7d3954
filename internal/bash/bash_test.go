package bash

import (
	"strings"
	"testing"
)

// TestNested: a line of nested "((" is refused, though a plain one with as many is read. Without the bound the first of
// these takes longer than the test may.
func TestNested(t *testing.T) {
	for _, opening := range []string{"((", "$((", "(( ')' ", "((a) (( ", "(((", `(("$(( `, "((echo \\) # )\n"} {
		if _, err := Parse(strings.Repeat(opening, 60)); err == nil {
			t.Errorf("%q, 60 times, was read", opening)
		}
	}
	for _, line := range []string{
		strings.Repeat("i=$((i+1)); echo \"$((i * 2))\"\n", 200),
		strings.Repeat("( ", 60) + "ls" + strings.Repeat(" )", 60),
		"((i++)); (cd a && (cd b && ls))",
	} {
		if _, err := Parse(line); err != nil {
			t.Errorf("%.60q: %v", line, err)
		}
	}
}
