package tokens

import (
	"fmt"
	"strings"
	"testing"
)

// TestServe: texts of any bytes, one after another, and what is no text is refused.
func TestServe(t *testing.T) {
	count, err := New()
	if err != nil {
		t.Fatal(err)
	}
	var in, want strings.Builder
	for _, text := range []string{"", "hello world", "3\n", "a\n\nb", "\xff\x00 \u00e4", strings.Repeat("line\n", 9000)} {
		fmt.Fprintf(&in, "%d\n%s", len(text), text)
		fmt.Fprintln(&want, count(text))
	}
	var got strings.Builder
	if err := Serve(strings.NewReader(in.String()), &got); err != nil || got.String() != want.String() {
		t.Errorf("got %q, %v; want %q", got.String(), err, want.String())
	}
	for _, wrong := range []string{"x\n", "-1\n", "5\nabc", "7", "99999999999\n"} {
		if err := Serve(strings.NewReader(wrong), &got); err == nil {
			t.Errorf("%q was taken", wrong)
		}
	}
}
