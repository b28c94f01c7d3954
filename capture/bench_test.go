//go:build unix

package capture

import (
	"context"
	"slices"
	"testing"
	"time"

	"cairn/internal/place"
)

// BenchmarkTrue is a command that does nothing: what comes before its answer,
// what of that is finding the place, and what comes behind.
func BenchmarkTrue(b *testing.B) {
	dir := repository(b)
	var find, answer, settled []time.Duration
	for b.Loop() {
		o := options(dir, "true")
		begun := time.Now()
		if _, err := place.Open(context.Background(), dir, o.Env, nil); err != nil {
			b.Fatal(err)
		}
		found := time.Now()
		out := Run(context.Background(), o)
		answered := time.Now()
		out.Settle(context.Background())
		find, answer, settled = append(find, found.Sub(begun)), append(answer, answered.Sub(found)), append(settled, time.Since(answered))
	}
	for name, all := range map[string][]time.Duration{"place": find, "answer": answer, "settle": settled} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-median-ms")
		b.ReportMetric(float64(all[0].Microseconds())/1000, name+"-min-ms")
	}
}
