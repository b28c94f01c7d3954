package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
)

// benched is a site of count records of one finding each, 2,500 a day; one in
// 5,000 has the fingerprint "feedfacecafe". The shards are written as Append
// would leave them.
func benched(b *testing.B, count int) *place.Site {
	b.Helper()
	s := open(b, repo(b))
	const perDay = 2500
	pad := strings.Repeat("lorem ipsum ", 36)
	shard, n, day := new(strings.Builder), 0, ""
	flush := func() {
		if shard.Len() > 0 {
			n++
			write(b, filepath.Join(s.Dir, "manifest", day, fmt.Sprintf("bench-%d.jsonl", n)), shard.String())
			shard.Reset()
		}
	}
	for i := range count {
		at := start.AddDate(0, 0, i/perDay-count/perDay).Add(time.Duration(i%perDay) * 20 * time.Second)
		id, err := manifest.NewID(at)
		if err != nil {
			b.Fatal(err)
		}
		finger := fmt.Sprintf("%012x", i)
		if i%5000 == 0 {
			finger = "feedfacecafe"
		}
		line := `{"v":1,"id":"` + id + `","time":"` + at.Format(manifest.TimeLayout) + `","argv":["pytest","-q"],"dir":".","key":"aabbccddeeff","exit":1,` +
			`"result":{"schema_version":1,"tool":"pytest","kind":"test","status":"failed","parser_confidence":"parsed","findings":[{"kind":"test_failure",` +
			`"severity":"failure","message":"` + pad + `","fingerprint":"` + finger + `"}],"truncated":{"findings_total":1,"findings_shown":1,"raw":false}}}` + "\n"
		if d := at.Format("2006/01/02"); d != day || shard.Len()+len(line) > manifest.MaxShard {
			flush()
			if d != day {
				day, n = d, 0
			}
		}
		shard.WriteString(line)
	}
	flush()
	if _, err := os.Stat(filepath.Join(s.Dir, "manifest")); err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkNewest20(b *testing.B) {
	for _, count := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			s := benched(b, count)
			for b.Loop() {
				n := 0
				for _, err := range Objects(b.Context(), s, Query{Filters: Filters{Limit: 20}}) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 20 {
					b.Fatalf("%d captures", n)
				}
			}
		})
	}
}

func BenchmarkFinding(b *testing.B) {
	s := benched(b, 100_000)
	for name, fingerprint := range map[string]string{"whole": "feedfacecafe", "beginning": "feedfa"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h, err := Finding(b.Context(), s, fingerprint, Filters{})
				if err != nil || h.Captures != 20 {
					b.Fatal(h, err)
				}
			}
		})
	}
}

func BenchmarkLive(b *testing.B) {
	s := benched(b, 100_000)
	for b.Loop() {
		if _, err := Live(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGrep(b *testing.B) {
	text := strings.Repeat(strings.Repeat("x", 79)+"\n", 1<<17)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n, err := Grep(new(strings.Builder), strings.NewReader(text), func(line []byte) bool { return len(line) == 0 })
		if n != 0 || err != nil {
			b.Fatal(n, err)
		}
	}
}
