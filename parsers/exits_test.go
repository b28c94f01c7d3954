package parsers

import (
	"testing"

	"cairn/result"
)

// TestJavadocRead: javadoc that reports places in sources was called rightly, whatever
// its exit status.
func TestJavadocRead(t *testing.T) {
	const out = "src/A.java:3: error: reference not found\n * {@link B}\n          ^\n1 error\n"
	r := Parse(Input{Shell: "javadoc -d out src/A.java", Source: Separate(nil, []byte(out))}, result.Exit{Observed: true, Code: 2})
	if r.Status != result.Failed || r.ExitMeaning == result.MeansUsage || len(r.Findings) != 1 {
		t.Errorf("%s %s: %+v", r.Status, r.ExitMeaning, r.Findings)
	}
}
