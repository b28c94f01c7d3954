package parsers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// prefixStyles are what runners put before a line of the task number i.
var prefixStyles = []func(i int) string{
	func(i int) string { return fmt.Sprintf("[%d] ", i) },
	func(i int) string { return fmt.Sprintf("@shop/p%d:check: ", i) },
	func(i int) string { return fmt.Sprintf("web-%d  | ", i) },
	func(i int) string { return fmt.Sprintf("job%d\t", i) },
	func(i int) string { return fmt.Sprintf("#%d 12.345 ", i+3) },
	func(i int) string { return fmt.Sprintf("\x1b[3%dm[t%d]\x1b[39m ", i+1, i) },
	func(i int) string { return fmt.Sprintf("task%d: ", i) },
	func(i int) string { return fmt.Sprintf("[ci/job%d]   | ", i) },
	func(i int) string { return fmt.Sprintf("web%d/.. check: ", i) },
}

// taskRuns are recorded runs of which each alone, run by something that is not
// the tool itself, gives findings of the tool, and no other ones beside them.
func taskRuns(t testing.TB) (runs []casetest.Case) {
	for _, c := range slices.Concat(casetest.Cases(t, "eslint", "tsc", "mypy", "ruff", "pytest"), casetest.Cases(t, "go-test", "cargo-test")) {
		if len(c.Stdout)+len(c.Stderr) > 5_000 || bytes.ContainsAny(c.Stdout, "\r\x00") || bytes.ContainsAny(c.Stderr, "\r\x00") {
			continue
		}
		if r := asTask(term.Separate(c.Stdout, c.Stderr)); len(r.Findings) > 0 && len(r.Findings) < 40 && r.ParserConfidence == result.Parsed &&
			!slices.ContainsFunc(identitiesOf(r), func(id string) bool { return strings.HasPrefix(id, "runner ") }) {
			runs = append(runs, c)
		}
	}
	if len(runs) < 30 {
		t.Fatalf("only %d recorded runs are fit", len(runs))
	}
	return runs
}

func asTask(src term.Source) *result.ToolResult {
	in := tool.Input{Argv: []string{"runner", "all"}, Workspace: result.Workspace{Root: "/tmp/shop", Dir: "/tmp/shop"}, Source: src}
	return casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1})
}

// identitiesOf says what was found by whom.
func identitiesOf(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		source := f.Source
		if source == "" {
			source = r.Tool
		}
		all = append(all, source+" "+f.Fingerprint+" "+f.Location)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// interleaved mixes the lines of tasks as they come, those of each stream of a
// task in their order.
func interleaved(t *rapid.T, runs []casetest.Case, prefix func(i int) string) term.Bytes {
	type feed struct {
		Lines  [][]byte
		stream term.Stream
		prefix string
	}
	var feeds []feed
	for i, c := range runs {
		feeds = append(feeds, feed{slices.Collect(bytes.Lines(c.Stdout)), term.Stdout, prefix(i)}, feed{slices.Collect(bytes.Lines(c.Stderr)), term.Stderr, prefix(i)})
	}
	var out term.Bytes
	at := int64(0)
	for len(feeds) > 0 {
		i := rapid.IntRange(0, len(feeds)-1).Draw(t, "next")
		f := &feeds[i]
		for range min(len(f.Lines), rapid.IntRange(1, 9).Draw(t, "lines")) {
			line := append([]byte(f.prefix), bytes.TrimSuffix(f.Lines[0], []byte("\n"))...)
			line = append(line, '\n')
			out = append(out, term.Chunk{Stream: f.stream, Offset: at, Data: line})
			at += int64(len(line))
			f.Lines = f.Lines[1:]
		}
		if len(f.Lines) == 0 {
			feeds = slices.Delete(feeds, i, i+1)
		}
	}
	return out
}

// TestTasksInterleaved: however the lines of tasks are mixed, each gives what
// it gives alone, and points at its own bytes.
func TestTasksInterleaved(t *testing.T) {
	runs := taskRuns(t)
	rapid.Check(t, func(t *rapid.T) {
		var drawn []casetest.Case
		var want []string
		for range rapid.IntRange(1, 3).Draw(t, "tasks") {
			c := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
			drawn = append(drawn, c)
			want = append(want, identitiesOf(asTask(term.Separate(c.Stdout, c.Stderr)))...)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		src := interleaved(t, drawn, rapid.SampledFrom(prefixStyles).Draw(t, "style"))
		r := asTask(src)
		var names []string
		for _, c := range drawn {
			names = append(names, c.Name+": "+c.Cmd)
		}
		if got := identitiesOf(r); !slices.Equal(got, want) {
			t.Fatalf("%s\ngot\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		var raw []byte
		for _, c := range src {
			raw = append(raw, c.Data...)
		}
		for _, f := range r.Findings {
			if s := f.RawSpan; s != nil && (s.Start < 0 || s.End <= s.Start || s.End > int64(len(raw)) || s.Start > 0 && !bytes.Contains(raw[max(0, s.Start-40):s.Start], []byte("\n")) && s.Start > 40) {
				t.Fatalf("span %d-%d of %d bytes", s.Start, s.End, len(raw))
			}
		}
	})
}

// TestTasksDamaged: cut, without a line, or with one twice, a failing run of
// tasks is no success and nothing stops a parser.
func TestTasksDamaged(t *testing.T) {
	runs := taskRuns(t)
	rapid.Check(t, func(t *rapid.T) {
		drawn := []casetest.Case{rapid.SampledFrom(runs).Draw(t, "a"), rapid.SampledFrom(runs).Draw(t, "b")}
		src := interleaved(t, drawn, rapid.SampledFrom(prefixStyles).Draw(t, "style"))
		i := rapid.IntRange(0, len(src)-1).Draw(t, "where")
		switch rapid.SampledFrom([]string{"cut", "drop", "twice"}).Draw(t, "damage") {
		case "cut":
			src = src[:i+1]
			src[i].Data = src[i].Data[:rapid.IntRange(0, len(src[i].Data)).Draw(t, "at")]
		case "drop":
			src = slices.Delete(src, i, i+1)
		case "twice":
			src = slices.Insert(src, i, src[i])
		}
		at := int64(0)
		for i := range src {
			src[i].Offset = at
			at += int64(len(src[i].Data))
		}
		r := asTask(src)
		if r.Status == result.Passed || r.Status == result.OK || r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
			t.Fatalf("%s %s, %d findings", r.Status, r.ParserConfidence, len(r.Findings))
		}
		if why, broken := r.Extra["broken"]; broken {
			t.Fatal(why)
		}
		for _, f := range r.Findings {
			if s := f.RawSpan; s != nil && (s.Start < 0 || s.End < s.Start || s.End > at) {
				t.Fatalf("span %d-%d of %d bytes", s.Start, s.End, at)
			}
		}
	})
}
