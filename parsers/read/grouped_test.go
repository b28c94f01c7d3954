package read

import "testing"

// TestIsRow: blanks at the end of a row are no rule.
func TestIsRow(t *testing.T) {
	for text, want := range map[string]bool{
		"  3:7  error  too long  line-length":   true,
		"  3:7  error  too long  (line-length)": true,
		"  3:7  error  too long  ":              false,
		"  3:7  error  too long  (":             false,
		"  3:7  error  ":                        false,
	} {
		if got := IsRow(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
