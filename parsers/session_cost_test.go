package parsers

import (
	"runtime"
	"testing"
)

// TestSessionIsSmall: what a session is set up with does not grow with the number
// of parsers. What all sessions share is made once.
func TestSessionIsSmall(t *testing.T) {
	const runs, bound = 200, 16 << 10
	for _, line := range []string{"make test", "pytest -q", "eslint src | tail -3"} {
		New(Input{Shell: line, Source: Separate(nil, nil)})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			New(Input{Shell: line, Source: Separate(nil, nil)})
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / runs; each > bound {
			t.Errorf("%s: a session allocates %d bytes, want at most %d", line, each, bound)
		} else {
			t.Logf("%s: %d bytes with %d parsers", line, each, len(All()))
		}
	}
}

// BenchmarkSession sets up a session over all parsers.
func BenchmarkSession(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(Input{Shell: "make test", Source: Separate(nil, nil)})
	}
}
