package parsers

import (
	"bytes"
	"fmt"
	"testing"

	"cairn/result"
)

// logText is a log that no parser claims, of about size bytes.
func logText(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "2026-11-20T12:%02d:%02dZ INFO worker-%d processed item %d in %d.%02dms status=ok\n", i/60%60, i%60, i%9, i*7919, i%97, i%100)
	}
	return b.Bytes()
}

// BenchmarkScan is what every captured byte costs whatever the tool.
func BenchmarkScan(b *testing.B) {
	text := logText(8 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(Input{Argv: []string{"cat", "log"}, Source: Separate(text, nil)}, result.Exit{Observed: true})
	}
}
