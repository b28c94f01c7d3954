package jvm

import (
	"testing"

	"cairn/parsers/tool"
)

// TestTreeRow: a row of the console launcher's tree, with the duration that it prints of a test that was slow.
func TestTreeRow(t *testing.T) {
	for line, want := range map[string]treeRow{
		"│  │  ├─ testCodec265() 68095 ms ✔": {depth: 6, name: "testCodec265()", came: tool.Passed, ms: 68095},
		"│  │  ├─ testCodec130() ✔":          {depth: 6, name: "testCodec130()", came: tool.Passed},
		"| | +-- off() [S] takes 5 ms":       {depth: 4, name: "off()", came: tool.Skipped},
	} {
		if got, ok := cutTreeRow(line); !ok || got != want {
			t.Errorf("%s: %+v %v, want %+v", line, got, ok, want)
		}
	}
}
