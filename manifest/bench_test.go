package manifest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/gitrepo"
)

// fill writes count records of about 880 bytes to the shards of m, perDay a
// day, the last of them today; one in 5,000 has the fingerprint "needle".
func fill(b *testing.B, m *Manifest, count, perDay int) {
	b.Helper()
	pad := strings.Repeat("lorem ipsum ", 36)
	d, n, lines := day(""), 0, []string(nil)
	size := 0
	flush := func() {
		if len(lines) == 0 {
			return
		}
		n++
		path := m.path(shardPath(d, "bench", n))
		if err := os.MkdirAll(parentOf(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666); err != nil {
			b.Fatal(err)
		}
		lines, size = lines[:0], 0
	}
	if err := os.WriteFile(m.path(writerFile), []byte("bench\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	for i := range count {
		midnight := noon.Truncate(24*time.Hour).AddDate(0, 0, i/perDay-(count-1)/perDay)
		at := midnight.Add(time.Duration(i%perDay) * (15 * time.Hour / time.Duration(perDay)))
		id, _ := NewID(at)
		finger := fmt.Sprintf("%012x", i)
		if i%5000 == 0 {
			finger = "needle"
		}
		line := `{"v":1,"id":"` + id + `","time":"` + at.Format(TimeLayout) + `","argv":["pytest","-q"],"dir":".","key":"aabbccddeeff","exit":1,` +
			`"result":{"schema_version":1,"tool":"pytest","kind":"test","status":"failed","parser_confidence":"parsed","findings":[{"kind":"test_failure",` +
			`"severity":"failure","message":"` + pad + `","fingerprint":"` + finger + `"}],"truncated":{"findings_total":1,"findings_shown":1,"raw":false}}}` + "\n"
		if dd := dayOf(at); dd != d || size+len(line) > MaxShard {
			flush()
			if dd != d {
				d, n = dd, 0
			}
		}
		lines, size = append(lines, line), size+len(line)
	}
	flush()
}

var sizes = []struct{ count, perDay int }{{0, 1}, {100_000, 2500}, {1_000_000, 2500}, {1_000_000, 1_000_000}}

func eachSize(b *testing.B, run func(b *testing.B, m *Manifest)) {
	for _, s := range sizes {
		name := fmt.Sprintf("%d", s.count)
		if s.count == s.perDay {
			name += "-in-a-day"
		}
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			m := Open(dir, Options{Now: func() time.Time { return noon.Add(4 * time.Hour) }})
			fill(b, m, s.count, s.perDay)
			run(b, m)
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	eachSize(b, func(b *testing.B, m *Manifest) {
		for b.Loop() {
			if err := Open(m.dir, m.opts).Append(ctx, capture(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAppendRatio appends to an empty manifest and to one of a million
// records in turn, so that what else the disk does meets both alike.
func BenchmarkAppendRatio(b *testing.B) {
	for _, perDay := range []int{2500, 1_000_000} {
		b.Run(fmt.Sprintf("%d-a-day", perDay), func(b *testing.B) {
			now := Options{Now: func() time.Time { return noon.Add(4 * time.Hour) }}
			dirs := [2]string{b.TempDir(), b.TempDir()}
			fill(b, Open(dirs[1], now), 1_000_000, perDay)
			var took [2][]time.Duration
			for b.Loop() {
				for i, dir := range dirs {
					start := time.Now()
					if err := Open(dir, now).Append(ctx, capture(1)); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(start))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			empty, full := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(float64(empty.Microseconds()), "µs-empty")
			b.ReportMetric(float64(full.Microseconds()), "µs-full")
			b.ReportMetric(float64(full)/float64(empty), "full/empty")
		})
	}
}

func benchQuery(b *testing.B, q Query) {
	eachSize(b, func(b *testing.B, m *Manifest) {
		n := 0
		for b.Loop() {
			n = 0
			for r, err := range m.Records(ctx, q) {
				if err != nil || r == nil {
					b.Fatal(err)
				}
				n++
			}
		}
		b.ReportMetric(float64(n), "records")
	})
}

func BenchmarkNewest20(b *testing.B) { benchQuery(b, Query{Newest: true, Limit: 20}) }

func BenchmarkFingerprint(b *testing.B) {
	benchQuery(b, Query{Contains: [][]byte{Literal("fingerprint", "needle")}})
}

func BenchmarkFold(b *testing.B) {
	for _, n := range []int{1, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := Open(b.TempDir(), Options{Branch: newFake()})
			for b.Loop() {
				b.StopTimer()
				for range n {
					if err := m.Append(ctx, capture(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				if r, err := m.Fold(ctx, FoldOptions{}); err != nil || r.Folded != n {
					b.Fatal(r, err)
				}
			}
		})
	}
}

func BenchmarkNeedle(b *testing.B) {
	m := Open(b.TempDir(), Options{})
	fill(b, m, 1000, 1000)
	var all []byte
	for n := 1; n <= 13; n++ {
		content, err := os.ReadFile(m.path(shardPath(dayOf(noon), "bench", n)))
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, content...)
	}
	text := Literal("fingerprint", "0123456789ab")
	b.Run("rarest", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			newNeedle(text).index(all)
		}
	})
	b.Run("bytes.Index", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			bytes.Index(all, text)
		}
	})
}

func BenchmarkFoldGit(b *testing.B) {
	dir := b.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		b.Skip(string(out))
	}
	repo, err := gitrepo.Discover(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	branch := repo.OpenBranch("cairn")
	m := Open(filepath.Join(repo.CommonDir, "cairn"), Options{Branch: branch})
	for b.Loop() {
		if err := m.Append(ctx, capture(1)); err != nil {
			b.Fatal(err)
		}
		if r, err := m.Fold(ctx, FoldOptions{}); err != nil || r.Folded != 1 {
			b.Fatal(r, err)
		}
	}
}
