package golden

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// thorough tries every position of cases below thoroughSize bytes, which takes
// most of an hour: go test ./golden -run 'TestCut|TestLines|TestBytes' -args -thorough
var thorough = flag.Bool("thorough", false, "try every cut, line and byte of small cases instead of a sample")

const thoroughSize = 8 << 10

// sampled gives up to count numbers below n, the last ones among them, the
// same ones each time for one name.
func sampled(name string, n, count int) []int {
	if n <= count {
		count = n
	}
	random := rand.New(rand.NewPCG(seed(name), 1))
	picked := make([]int, 0, count)
	for i := range count {
		switch {
		case n <= count:
			picked = append(picked, i)
		case i < 4:
			picked = append(picked, n-1-i)
		default:
			picked = append(picked, random.IntN(n))
		}
	}
	return picked
}

// budget is how many changed outputs of a case a test tries: all cases together
// take half a minute on two cores with the race detector.
func budget(size int) int {
	if *thorough && size <= thoroughSize {
		return thoroughSize
	}
	n := max(3, min(7, (45<<10)/(size+1)))
	if testing.Short() {
		n = min(n, 4)
	}
	return n
}

// head is the first n bytes of an output.
func head(output parsers.Bytes, n int64) parsers.Bytes {
	var out parsers.Bytes
	for _, chunk := range output {
		if keep := min(n-chunk.Offset, int64(len(chunk.Data))); keep > 0 {
			out = append(out, parsers.Chunk{Stream: chunk.Stream, Offset: chunk.Offset, Data: chunk.Data[:keep]})
		}
	}
	return out
}

// closing lines, of which a run that is made of several has several: only the
// output as a whole can be cut, not each of them.
var closing = regexp.MustCompile(`(?m)^(ok  \t|=+ .* in [\d.]+s|(\d+ failed, )?\d+ passed.* in )`)

// verdicts are closing lines that further lines of a run stand below, such as
// how long it took.
var verdicts = regexp.MustCompile(`(?m)^(\[INFO\] BUILD SUCCESS|100% tests passed|\[ +\d+ tests successful +\]|BUILD SUCCESSFUL|Sum of execute time for each test: )`)

// TestCut: an output that ends early is never more than it was.
func TestCut(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		raw := c.Raw()
		whole := asRecorded(c)
		one := len(closing.FindAllIndex(raw, 2)) < 2
		lastLine := bytes.LastIndexByte(bytes.TrimRight(raw, "\n"), '\n')
		if at := verdicts.FindIndex(raw); at != nil {
			lastLine = min(lastLine, at[0])
		}
		ends := lineEnds(raw)
		var cuts []int
		for _, i := range sampled(c.Name, len(ends), budget(len(raw))) {
			cuts = append(cuts, ends[i])
		}
		cuts = append(cuts, sampled(c.Name, len(raw), budget(len(raw))/2)...)
		for i, n := range cuts {
			what := fmt.Sprintf("the first %d bytes", n)
			in := c.Input(head(c.Output, int64(n)))
			in.Truncated = i%2 == 1
			r, compact := answer(in, c.Exit)
			honest(t, c, what, r, compact)
			if r.Status == result.Passed && (in.Truncated || whole.Status != result.Passed || one && n <= lastLine && len(c.Files) == 0) {
				t.Errorf("%s (truncated: %v): passed", what, in.Truncated)
			}
			if in.Truncated && r.ParserConfidence == result.Parsed {
				t.Errorf("%s, said to be cut: parsed", what)
			}
		}
	})
}

func lineEnds(raw []byte) (ends []int) {
	for i, b := range raw {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// TestLines: a line that is missing, there twice, in the place of the next, or
// another tool's, hides no failure.
func TestLines(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		whole := reordered(c, func(int) parsers.Stream { return parsers.Stdout })
		if len(whole) == 0 {
			return
		}
		random := rand.New(rand.NewPCG(seed(c.Name), 3))
		for n, i := range sampled(c.Name, len(whole), budget(len(c.Raw()))) {
			foreign := foreignLines[random.IntN(len(foreignLines))]
			changed := map[string]parsers.Bytes{
				"without":               repeated(whole, i, 0),
				"twice":                 repeated(whole, i, 2),
				"with the next, before": swapped(whole, i),
				"after " + foreign:      inserted(whole, i, foreign),
			}
			which := slices.Sorted(maps.Keys(changed))
			if !*thorough { // two of the four
				which = []string{which[n%4], which[(n+1+n/4%3)%4]}
			}
			for _, what := range which {
				r, compact := answer(c.Input(changed[what]), c.Exit)
				honest(t, c, fmt.Sprintf("line %d %q %s", i+1, whole[i].Data, what), r, compact)
				if r.Status == result.Passed && asRecorded(c).Status == result.Failed {
					t.Errorf("line %d %q %s: a failure became passed", i+1, whole[i].Data, what)
				}
			}
		}
	})
}

// foreignLines say of other tools' runs that all is well, or not.
var foreignLines = []string{
	"===== 12 passed in 0.31s =====", "ok  \texample.com/other\t0.004s", "PASS", "FAIL", "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
	"All checks passed!", "Success: no issues found in 3 source files", "Found 0 errors. Watching for file changes.", "✖ 1 problem (1 error, 0 warnings)", "{}", "[]",
	`<testsuites tests="1" failures="0"><testsuite name="x" tests="1"><testcase name="a"/></testsuite></testsuites>`, `{"Action":"pass","Package":"example.com/other","Elapsed":0.1}`,
	"--- FAIL: TestElse (0.00s)", "error: aborting due to 1 previous error", "other.py:1:1: F401 [*] `os` imported but unused", "other.ts(1,1): error TS2322: no", "Traceback (most recent call last):", "\x00\x01", "\x1b[2J\x1b[H",
}

// swapped is an output with chunk i behind the next.
func swapped(output parsers.Bytes, i int) parsers.Bytes {
	out := slices.Clone(output)
	if i+1 < len(out) {
		out[i], out[i+1] = out[i+1], out[i]
	}
	return repeated(out, 0, 1) // with new offsets
}

// inserted is an output with a line behind chunk i.
func inserted(output parsers.Bytes, i int, line string) parsers.Bytes {
	own := parsers.Chunk{Stream: output[i].Stream, Data: []byte(line + "\n")}
	return repeated(slices.Insert(slices.Clone(output), i+1, own), 0, 1)
}

// TestBytes: a byte that is another hides no failure.
func TestBytes(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		raw := c.Raw()
		random := rand.New(rand.NewPCG(seed(c.Name), 4))
		for _, i := range sampled(c.Name+"bytes", len(raw), budget(len(raw))) {
			other := bytes.Clone(raw)
			if other[i] ^= 1 << random.IntN(8); random.IntN(4) == 0 {
				other[i] = "\n\x00\x1b\r<{[\"'0 "[random.IntN(11)]
			}
			r, compact := answer(c.Input(restreamed(c.Output, other)), c.Exit)
			honest(t, c, fmt.Sprintf("byte %d %q for %q", i, other[i], raw[i]), r, compact)
			if r.Status == result.Passed && asRecorded(c).Status == result.Failed {
				t.Errorf("byte %d %q for %q: a failure became passed", i, other[i], raw[i])
			}
		}
	})
}

// repeated is an output with chunk i so many times.
func repeated(output parsers.Bytes, i, times int) parsers.Bytes {
	var out parsers.Bytes
	var at int64
	for k, chunk := range output {
		n := 1
		if k == i {
			n = times
		}
		for range n {
			out = append(out, parsers.Chunk{Stream: chunk.Stream, Offset: at, Data: chunk.Data})
			at += int64(len(chunk.Data))
		}
	}
	return out
}
