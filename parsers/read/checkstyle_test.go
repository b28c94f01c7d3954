package read

import (
	"strings"
	"testing"
)

// TestCheckstyleOfOneLine: a document that is one line is read to its end, however long
// that line is, and each finding has the bytes of its own element.
func TestCheckstyleOfOneLine(t *testing.T) {
	const element, n = `<error line="3" column="7" severity="warning" message="text" source="rule"/>`, 30000
	doc := `<checkstyle><file name="a.go">` + strings.Repeat(element, n) + `</file></checkstyle>`
	r := Checkstyle(nil)(input("x", doc+"\n", ""))
	if r == nil || !r.Complete || len(r.Findings)+r.Dropped != n {
		t.Fatalf("%+v", r)
	}
	for _, f := range r.Findings {
		if got := doc[f.RawSpan.Start:f.RawSpan.End]; got != element {
			t.Fatalf("the span is %q", got)
		}
	}
}
