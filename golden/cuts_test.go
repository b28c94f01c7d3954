package golden

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// sampled gives up to count numbers below n, the last ones among them, the
// same ones each time for one name.
func sampled(name string, n, count int) []int {
	if n <= count {
		count = n
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
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

// budget is how many changed outputs of a case are tried: all cases together
// take half a minute on two cores with the race detector.
func budget(size int) int {
	n := max(5, min(14, (100<<10)/(size+1)))
	if testing.Short() {
		n = min(n, 6)
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
var closing = regexp.MustCompile(`(?m)^(ok  \t|=+ .* in [\d.]+s|\d+ passed.* in )`)

// TestCut: an output that ends early is never more than it was.
func TestCut(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		raw := c.Raw()
		whole := parsers.Parse(c.Input(c.Output), c.Exit)
		one := len(closing.FindAllIndex(raw, 2)) < 2
		lastLine := bytes.LastIndexByte(bytes.TrimRight(raw, "\n"), '\n')
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

// TestLines: a line that is missing, or there twice, hides no failure.
func TestLines(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		whole := reordered(c, func(int) parsers.Stream { return parsers.Stdout })
		if len(whole) == 0 {
			return
		}
		for _, i := range sampled(c.Name, len(whole), budget(len(c.Raw()))) {
			line := strings.TrimSpace(string(whole[i].Data))
			for times, what := range map[int]string{0: "without", 2: "twice"} {
				r, compact := answer(c.Input(repeated(whole, i, times)), c.Exit)
				honest(t, c, fmt.Sprintf("%s line %d %q", what, i+1, line), r, compact)
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
