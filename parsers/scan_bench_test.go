package parsers

import (
	"bytes"
	"fmt"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// logText is a log that no parser claims, of about size bytes.
func logText(size int, format string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i/60%60, i%60, i%9, i*7919, i%97, i%100)
	}
	return b.Bytes()
}

// BenchmarkScan is what every captured byte costs whatever the tool: for lines
// that no format looks at, for lines that one has to be asked about, for lines
// with colours, and for lines that all report errors.
func BenchmarkScan(b *testing.B) {
	for name, format := range map[string]string{
		"log":    "2026-11-20T12:%02d:%02dZ INFO worker-%d processed item %d after %d.%02dms status=ok\n",
		"asked":  "2026-11-20T12:%02d:%02dZ INFO worker-%d processed item %d in %d.%02dms status=ok\n",
		"colour": "\x1b[2m12:%02d:%02d\x1b[0m \x1b[32mINFO\x1b[0m worker-%d processed item %d after %d.%02dms\n",
		"errors": "2026-11-20T12:%02d:%02dZ ERROR worker-%d failed on item %d after %d.%02dms: cannot connect\n",
	} {
		text := logText(8<<20, format)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				casetest.ParseKnown(tool.Input{Argv: []string{"cat", "log"}, Source: term.Separate(text, nil)}, result.Exit{Observed: true})
			}
		})
	}
}
