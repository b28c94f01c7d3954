package tool

import "testing"

// TestRulesAt: only rules that the address explains get it.
func TestRulesAt(t *testing.T) {
	some, all := RulesAt("https://example.org/", "DL", "X"), RulesAt("https://example.org/#")
	for _, tt := range []struct{ got, want string }{
		{some("DL3008"), "https://example.org/DL3008"}, {some("X1"), "https://example.org/X1"}, {some("SC2086"), ""},
		{all("SC2086"), "https://example.org/#SC2086"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
