package parsers

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/result"
)

// oneLine is a document of manyFindings in one line, made as it is read.
type oneLine struct {
	head, tail string
	item       func(i int) string
	heap       *uint64 // the most that was in use while it was read
}

func (s oneLine) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		var at int64
		var b strings.Builder
		give := func() bool {
			data := []byte(b.String())
			b.Reset()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*s.heap = max(*s.heap, m.HeapAlloc)
			at += int64(len(data))
			return yield(Chunk{Stream: Stdout, Offset: at - int64(len(data)), Data: data})
		}
		b.WriteString(s.head)
		for i := range manyFindings {
			if i > 0 {
				b.WriteByte(',')
			}
			if b.WriteString(s.item(i)); b.Len() > 1<<20 && !give() {
				return
			}
		}
		b.WriteString(s.tail + "\n")
		give()
	}
}

// manyFindings are enough: what is held for each of them shows. CAIRN_TEST_LARGE has
// ten times as many.
var manyFindings = 100_000

// TestMemory: findings beyond all reason, in one line of JSON, are counted, and no more
// of them held than are kept.
func TestMemory(t *testing.T) {
	if testing.Short() || racing.Enabled {
		t.Skip("it takes its time, and its memory under the race detector")
	}
	const most = 64 << 20
	if os.Getenv("CAIRN_TEST_LARGE") != "" {
		manyFindings = 1_000_000
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for _, c := range []struct {
		name string
		in   oneLine
	}{
		{"SARIF", oneLine{
			head: `{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"tool":{"driver":{"name":"linter","rules":[]}},"results":[`,
			tail: `]}]}`,
			item: func(i int) string {
				return fmt.Sprintf(`{"ruleId":"R1","level":"error","message":{"text":"bad %d"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/f%d.c"},"region":{"startLine":%d}}}]}`, i, i%5000, i%900+1)
			},
		}},
		{"ruff", oneLine{head: `[`, tail: `]`, item: func(i int) string {
			return fmt.Sprintf(`{"cell":null,"code":"F401","end_location":{"column":10,"row":1},"filename":"/w/a%d.py","fix":null,"location":{"column":8,"row":%d},"message":"unused %d","noqa_row":1,"url":null}`, i%5000, i%900+1, i)
		}}},
		{"eslint", oneLine{head: `[`, tail: `]`, item: func(i int) string {
			return fmt.Sprintf(`{"filePath":"/w/src/f%d.js","messages":[{"ruleId":"no-x","severity":2,"message":"bad %[1]d","line":%d,"column":3}],"errorCount":1,"warningCount":0,"fixableErrorCount":0,"fixableWarningCount":0}`, i, i%900+1)
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var heap uint64
			runtime.GC()
			c.in.heap = &heap
			r := Parse(Input{Argv: []string{"unknown-linter"}, Source: c.in}, result.Exit{Observed: true, Code: 1})
			t.Logf("%d MiB", heap>>20)
			if r.Counts["error"] != manyFindings || r.Truncated.FindingsTotal != manyFindings || len(r.Findings) != MaxFindings {
				t.Errorf("%v: %s, %d kept of %d", r.Counts, r.Summary, len(r.Findings), r.Truncated.FindingsTotal)
			}
			if heap > most {
				t.Errorf("%d bytes in use, the budget is %d", heap, most)
			}
		})
	}
}
