package engine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers"
	"cairn/parsers/internal/engine"
	"cairn/parsers/text/scan/scantest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

var known = sync.OnceValue(func() *engine.Table { return engine.TableOf(parsers.All()) })

// TestSkim: whatever the text and however it comes in chunks, the result is
// that of reading every line.
func TestSkim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			filler := rapid.SampledFrom([]string{"x\n", "\n", "src/a.c:1:2: error: no such thing\n", "error: 0\n", "web | src/a.c:1:2: error: no such thing\n", "pnpm: no\n", "2026-11-20 worker took item in 3 days\n", "\tall is well here, and a long line it is, of more than sixty-four bytes\n", "x"}).Draw(t, "filler")
			text = append(text, bytes.Repeat([]byte(filler), rapid.IntRange(0, 2000).Draw(t, "times"))...)
			text = append(text, scantest.SomeText(t, []string{"error", "fail", "panic", "exit status", "not found", "would reformat"})...)
			text = append(text, rapid.SampledFrom([]string{"", "lint: commands[0]> mypy src\n", "\n./node_modules/.bin/eslint src\n", "\nnpx tsc\n", "\nmake: *** [x] Error 1\n", "\nsh: 1: x: not found\n", "\n[web] a.ts(1,2): error TS2322: no\n"}).Draw(t, "shown")...)
		}
		if rapid.Bool().Draw(t, "tool") {
			text = append(text, "\nFAILED tests/test_a.py::test_b - assert 1 == 2\n=== 1 failed, 2 passed in 0.03s ===\nx.ts(1,2): error TS2322: no\n"...)
		}
		var chunks term.Bytes
		for at := 0; at < len(text); {
			n := min(rapid.SampledFrom([]int{1, 100, 5000, 20000, 1 << 20}).Draw(t, "size"), len(text)-at)
			chunks = append(chunks, term.Chunk{Stream: rapid.SampledFrom([]term.Stream{term.Stdout, term.Stdout, term.Stderr}).Draw(t, "stream"), Offset: int64(at), Data: text[at : at+n]})
			if at += n; n == 1 && len(chunks) > 50 {
				chunks = append(chunks, term.Chunk{Stream: term.Stdout, Offset: int64(at), Data: text[at:]})
				break
			}
		}
		in := tool.Input{Argv: []string{"make"}, Source: chunks}
		skimmed, plain := engine.New(known(), in), engine.New(known(), in)
		skimmed.Scan()
		plain.SeeEach()
		exit := result.Exit{Observed: true, Code: rapid.IntRange(0, 1).Draw(t, "exit")}
		got, _ := json.Marshal(skimmed.Result(exit))
		want, _ := json.Marshal(plain.Result(exit))
		if !bytes.Equal(got, want) {
			t.Fatalf("skimmed %s\nplain   %s", got, want)
		}
		gotAlarms, gotLines := skimmed.Seen()
		if alarms, lines := plain.Seen(); gotAlarms != alarms || gotLines != lines {
			t.Fatalf("skimmed %d alarms of %d lines, plain %d of %d", gotAlarms, gotLines, alarms, lines)
		}
	})
}

// TestSkimLongLine: a line of more than MaxLine within one chunk.
func TestSkimLongLine(t *testing.T) {
	text := []byte("x\n" + strings.Repeat("y", term.MaxLine+10) + " error\nerror: z\n")
	in := tool.Input{Argv: []string{"make"}, Source: term.Separate(text, nil)}
	skimmed, plain := engine.New(known(), in), engine.New(known(), in)
	skimmed.Scan()
	plain.SeeEach()
	got, _ := json.Marshal(skimmed.Result(result.Exit{Observed: true, Code: 1}))
	want, _ := json.Marshal(plain.Result(result.Exit{Observed: true, Code: 1}))
	if !bytes.Equal(got, want) {
		t.Errorf("skimmed %s\nplain   %s", got, want)
	}
}
