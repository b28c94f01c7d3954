package parsers

import (
	"bytes"
	"iter"
	"runtime"
	"testing"

	"cairn/result"
)

// endless repeats a text, as a run that goes on and on.
type endless struct {
	head, text, tail []byte
	times            int
}

func (e endless) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		at := int64(0)
		for i := range e.times + 2 {
			data := e.text
			switch i {
			case 0:
				data = e.head
			case e.times + 1:
				data = e.tail
			}
			if !yield(Chunk{Stream: Stdout, Offset: at, Data: data}) {
				return
			}
			at += int64(len(data))
		}
	}
}

// TestPytestMemory: what is kept does not grow with the output.
func TestPytestMemory(t *testing.T) {
	c := pytestCaseNamed(t, "default")
	at := bytes.Index(c.stdout, []byte("=== ERRORS ==="))
	blocks := bytes.Index(c.stdout, []byte("=============================== warnings summary"))
	line := bytes.LastIndexByte(c.stdout[:at], '\n') + 1
	for name, e := range map[string]endless{
		"many failures":   {head: c.stdout[:line], text: c.stdout[line:blocks], tail: c.stdout[blocks:], times: 3000},
		"many runs":       {text: c.stdout, times: 3000},
		"one long line":   {head: c.stdout[:line], text: bytes.Repeat([]byte("x"), 1<<16), tail: c.stdout[line:], times: 500},
		"many long lines": {head: c.stdout[:blocks], text: append(bytes.Repeat([]byte("E   a.py:1: in x"), 1<<12), '\n'), tail: c.stdout[blocks:], times: 500},
	} {
		t.Run(name, func(t *testing.T) {
			in := Input{Argv: []string{"pytest"}, Source: e, Workspace: result.Workspace{Root: "/home/dev/shop"}}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			rep := parsePytest(&in)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 64<<20 {
				t.Errorf("%d MB kept of %d findings", kept>>20, len(rep.Findings))
			}
			if len(rep.Findings) == 0 || len(rep.Findings) > MaxFindings {
				t.Errorf("%d findings", len(rep.Findings))
			}
			runtime.KeepAlive(rep)
		})
	}
}
