package parsers

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/result"
)

// seeEach reads a session's output line by line.
func seeEach(s *Session) {
	rawLines(s.in.Source, bothStreams, func(l rawLine) bool { s.see(&l); return true })
	s.running.Wait()
	s.splitTasks()
}

// TestSkim: whatever the text and however it comes in chunks, the result is
// that of reading every line.
func TestSkim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			filler := rapid.SampledFrom([]string{"x\n", "\n", "2026-11-20 worker took item in 3 days\n", "\tall is well here, and a long line it is, of more than sixty-four bytes\n", "x"}).Draw(t, "filler")
			text = append(text, bytes.Repeat([]byte(filler), rapid.IntRange(0, 2000).Draw(t, "times"))...)
			text = append(text, someText(t)...)
		}
		if rapid.Bool().Draw(t, "tool") {
			text = append(text, "\nFAILED tests/test_a.py::test_b - assert 1 == 2\n=== 1 failed, 2 passed in 0.03s ===\nx.ts(1,2): error TS2322: no\n"...)
		}
		var chunks Bytes
		for at := 0; at < len(text); {
			n := min(rapid.SampledFrom([]int{1, 100, 5000, 20000, 1 << 20}).Draw(t, "size"), len(text)-at)
			chunks = append(chunks, Chunk{Stream: rapid.SampledFrom([]Stream{Stdout, Stdout, Stderr}).Draw(t, "stream"), Offset: int64(at), Data: text[at : at+n]})
			if at += n; n == 1 && len(chunks) > 50 {
				chunks = append(chunks, Chunk{Stream: Stdout, Offset: int64(at), Data: text[at:]})
				break
			}
		}
		in := Input{Argv: []string{"make"}, Source: chunks}
		skimmed, plain := New(in), New(in)
		skimmed.Scan()
		seeEach(plain)
		exit := result.Exit{Observed: true, Code: rapid.IntRange(0, 1).Draw(t, "exit")}
		got, _ := json.Marshal(skimmed.Result(exit))
		want, _ := json.Marshal(plain.Result(exit))
		if !bytes.Equal(got, want) {
			t.Fatalf("skimmed %s\nplain   %s", got, want)
		}
		if skimmed.reducer.alarms != plain.reducer.alarms || skimmed.reducer.total != plain.reducer.total {
			t.Fatalf("skimmed %d alarms of %d lines, plain %d of %d", skimmed.reducer.alarms, skimmed.reducer.total, plain.reducer.alarms, plain.reducer.total)
		}
	})
}

// TestSkimLongLine: a line of more than MaxLine within one chunk.
func TestSkimLongLine(t *testing.T) {
	text := []byte("x\n" + strings.Repeat("y", MaxLine+10) + " error\nerror: z\n")
	in := Input{Argv: []string{"make"}, Source: Separate(text, nil)}
	skimmed, plain := New(in), New(in)
	skimmed.Scan()
	seeEach(plain)
	got, _ := json.Marshal(skimmed.Result(result.Exit{Observed: true, Code: 1}))
	want, _ := json.Marshal(plain.Result(result.Exit{Observed: true, Code: 1}))
	if !bytes.Equal(got, want) {
		t.Errorf("skimmed %s\nplain   %s", got, want)
	}
}
