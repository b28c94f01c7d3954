//go:build unix

package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/place"
	"cairn/internal/racing"
)

// maxRSS is the budget of the design for 10 GB, in KiB. What a run holds does
// not depend on the size of its output, so less than that shows it.
const maxRSS = 64 << 10

// Memory is bounded: much output, many changes of stream, one endless line.
func TestMemory(t *testing.T) {
	if testing.Short() || racing.Enabled {
		t.Skip("it takes its time, and its memory under the race detector")
	}
	mib := "256"
	if os.Getenv("CAIRN_TEST_LARGE") != "" {
		mib = "2048"
	}
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"lines", []string{"flood", mib, "lines"}},
		{"one line", []string{"flood", "100", "line"}},
		{"alternations", []string{"chatter", "500000"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := nowhere(t)
			self, _ := os.Executable()
			line := partEnv + "=" + tt.args[0] + " exec " + self + " " + strings.Join(tt.args[1:], " ")
			status := filepath.Join(t.TempDir(), "status")
			cmd := part(t, dir, "capture", []string{"PEAK=" + status}, "/bin/sh", "-c", line)
			out, err := cmd.CombinedOutput()
			if err != nil || string(out) != "answer: ok\n" {
				t.Fatalf("%v: %s", err, out)
			}
			rss := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			if runtime.GOOS == "darwin" {
				rss >>= 10
			}
			if own := peak(status); own > 0 {
				rss = own
			}
			t.Logf("%d MiB, %v of CPU", rss>>10, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			if rss > maxRSS {
				t.Errorf("%d KiB at its peak, the budget is %d", rss, maxRSS)
			}
			all := records(t, site(t, dir))
			if len(all) != 1 || all[0].Raw.Size < 1_000_000 || all[0].Partial {
				t.Errorf("%s", mustJSON(all))
			}
		})
	}
}

// peak is the most memory that a process had, in KiB, by its /proc/PID/status; 0 without one.
// What wait says of a child includes what the parent had when it started it.
func peak(status string) (kib int64) {
	text, _ := os.ReadFile(status)
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	fmt.Sscan(after, &kib)
	return kib
}

// BenchmarkTrue is a command that does nothing: what comes before its answer,
// what of that is finding the place, and what comes behind.
func BenchmarkTrue(b *testing.B) {
	dir := repository(b)
	var find, answer, caughtUp []time.Duration
	for b.Loop() {
		o := options(dir, "true")
		begun := time.Now()
		if _, err := place.Open(context.Background(), dir, o.Env, nil); err != nil {
			b.Fatal(err)
		}
		found := time.Now()
		out := Run(context.Background(), o)
		answered := time.Now()
		out.CatchUp(context.Background())
		find, answer, caughtUp = append(find, found.Sub(begun)), append(answer, answered.Sub(found)), append(caughtUp, time.Since(answered))
	}
	for name, all := range map[string][]time.Duration{"place": find, "answer": answer, "catch-up": caughtUp} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-median-ms")
		b.ReportMetric(float64(all[0].Microseconds())/1000, name+"-min-ms")
	}
}
