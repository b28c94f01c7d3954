package pytest

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestPytestMemory: what is kept does not grow with the output.
func TestPytestMemory(t *testing.T) {
	c := casetest.Read(t, "pytest/default")
	at := bytes.Index(c.Stdout, []byte("=== ERRORS ==="))
	blocks := bytes.Index(c.Stdout, []byte("=============================== warnings summary"))
	line := bytes.LastIndexByte(c.Stdout[:at], '\n') + 1
	for name, e := range map[string]endless{
		"many failures":   {Head: c.Stdout[:line], Text: c.Stdout[line:blocks], Tail: c.Stdout[blocks:], Times: 3000},
		"many runs":       {Text: c.Stdout, Times: 3000},
		"one long line":   {Head: c.Stdout[:line], Text: bytes.Repeat([]byte("x"), 1<<16), Tail: c.Stdout[line:], Times: 500},
		"many long lines": {Head: c.Stdout[:blocks], Text: append(bytes.Repeat([]byte("E   a.py:1: in x"), 1<<12), '\n'), Tail: c.Stdout[blocks:], Times: 500},
	} {
		t.Run(name, func(t *testing.T) {
			in := tool.Input{Argv: []string{"pytest"}, Source: e, Workspace: result.Workspace{Root: "/home/dev/shop"}}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			rep := parse(&in)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 64<<20 {
				t.Errorf("%d MB kept of %d findings", kept>>20, len(rep.Findings))
			}
			if len(rep.Findings) == 0 || len(rep.Findings) > tool.MaxFindings {
				t.Errorf("%d findings", len(rep.Findings))
			}
			runtime.KeepAlive(rep)
		})
	}
}

// TestPytestFloodIsCountedOnce: the block of a failure and its line of the summary
// are one finding also where there are more than are kept.
func TestPytestFloodIsCountedOnce(t *testing.T) {
	const failures = tool.MaxFindings + 500
	line := func(fill, title string) string {
		side := strings.Repeat(fill, (78-len(title))/2)
		return strings.TrimRight(fmt.Sprintf("%s %s %s%s", side, title, side, strings.Repeat(fill, len(title)%2)), " ") + "\n"
	}
	var b strings.Builder
	b.WriteString(line("=", "test session starts"))
	fmt.Fprintf(&b, "collected %d items\n\n", failures)
	b.WriteString(line("=", "FAILURES"))
	for i := range failures {
		b.WriteString(line("_", fmt.Sprintf("test_%d", i)))
		fmt.Fprintf(&b, "\n    def test_%d():\n>       assert %d == 0\nE       assert %d == 0\n\nt.py:%d: AssertionError\n", i, i, i, i+2)
	}
	b.WriteString(line("=", "short test summary info"))
	for i := range failures {
		fmt.Fprintf(&b, "FAILED t.py::test_%d - assert %d == 0\n", i, i)
	}
	b.WriteString(line("=", fmt.Sprintf("%d failed in 1.00s", failures)))
	r := casetest.ParseKnown(tool.Input{Argv: []string{"pytest"}, Source: tool.Separate([]byte(b.String()), nil)}, result.Exit{Observed: true, Code: 1})
	if got := r.Truncated.FindingsTotal; got != failures {
		t.Errorf("%d findings in all, want %d", got, failures)
	}
	if len(r.Findings) != tool.MaxFindings || r.Findings[7].At == nil || r.Findings[7].At.Line != 9 {
		t.Errorf("%d findings, the eighth %+v", len(r.Findings), r.Findings[7])
	}
}
