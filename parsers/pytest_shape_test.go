package parsers

import (
	"bytes"
	"flag"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// prints lists the fingerprints of a result, sorted.
func prints(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		all = append(all, f.Fingerprint)
	}
	slices.Sort(all)
	return all
}

// TestPytestSameFingerprints: the same failures, shown differently.
func TestPytestSameFingerprints(t *testing.T) {
	for _, group := range [][]string{
		{"width-80", "narrow-40", "wide-200", "ci-color", "quiet-subset", "verbose-subset", "very-quiet", "tb-long", "tb-short-subset", "tb-native"},
		{"default", "quiet", "tb-short"},
		{"subtests", "collection-errors-quiet-continue"},
		{"prints-imitation", "prints-imitation-quiet", "prints-line", "report-none-prints", "xdist-verbose", "prints-nocapture"},
		{"pytester", "pytester-quiet", "pytester-nocapture"},
		{"doctest-modules", "doctest-short"},
	} {
		want := pytestCaseNamed(t, group[0])
		first := want.parse(want.stdout)
		for _, name := range group[1:] {
			t.Run(name, func(t *testing.T) {
				c := pytestCaseNamed(t, name)
				r := c.parse(c.stdout)
				for _, f := range r.Findings {
					if !slices.Contains(prints(first), f.Fingerprint) && (name != "collection-errors-quiet-continue" || f.Severity == result.SevFailure) {
						t.Errorf("%s has no counterpart in %s: %s %q %q", f.ID, group[0], f.Rule, f.Message, f.Fingerprint)
					}
				}
				if len(r.Findings) < len(first.Findings) {
					t.Errorf("%d findings, %s has %d", len(r.Findings), group[0], len(first.Findings))
				}
			})
		}
	}
}

// TestPytestFromSubdirectory: where pytest was started changes the node id that
// re-runs a test, but not its identity.
func TestPytestFromSubdirectory(t *testing.T) {
	top, sub := pytestCaseNamed(t, "subtests-quiet"), pytestCaseNamed(t, "from-subdir")
	below := prints(sub.parse(sub.stdout))
	for _, f := range top.parse(top.stdout).Findings {
		if !slices.Contains(below, f.Fingerprint) {
			t.Errorf("%s is another finding from a subdirectory", f.ID)
		}
	}
}

// TestPytestShapes: what changes no word changes no fact.
func TestPytestShapes(t *testing.T) {
	for _, c := range pytestCases(t) {
		want := facts(c.parse(c.stdout))
		check := func(name string, in Input) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				if got := facts(Parse(in, result.Exit{Observed: true, Code: c.exit})); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
		in := c.input(c.stdout)
		in.Source = oneByOne{Separate(c.stdout, c.stderr)}
		check("one byte at a time", in)
		in.Source = Separate(bytes.ReplaceAll(c.stdout, []byte("\n"), []byte("\r\n")), c.stderr)
		check("CRLF", in)
		in.Source = Separate(coloured(c.stdout), c.stderr)
		check("colour", in)
		in.Source = Separate(nil, c.stdout)
		if len(c.stderr) == 0 {
			check("on stderr", in)
		}
	}
}

// oneByOne yields each byte as a chunk of its own.
type oneByOne struct{ of Bytes }

func (o oneByOne) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for c := range o.of.Chunks() {
			for i := range c.Data {
				if !yield(Chunk{Stream: c.Stream, Offset: c.Offset + int64(i), Data: c.Data[i : i+1]}) {
					return
				}
			}
		}
	}
}

// coloured paints every line.
func coloured(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		fmt.Fprintf(&b, "\x1b[31m\x1b[1m%s\x1b[0m", body)
		b.Write(line[len(body):])
	}
	return b.Bytes()
}

// honest holds whatever happens to the output of a failing run.
func honest(t *testing.T, what string, r *result.ToolResult) {
	t.Helper()
	if r.ExitCode == nil || *r.ExitCode == 0 {
		return
	}
	if r.Status == result.Passed || r.Status == result.OK {
		t.Errorf("%s: %s on exit %d", what, r.Status, *r.ExitCode)
	}
	if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s: parsed, with nothing, on exit %d", what, *r.ExitCode)
	}
	if doubt, _ := r.Extra["doubt"].(string); strings.HasPrefix(doubt, "the parser stopped") {
		t.Errorf("%s: %s", what, doubt)
	}
}

// everyByte makes TestPytestCut and TestPytestLines exhaustive, which takes
// minutes: go test -run TestPytest ./parsers -args -pytest.all
var everyByte = flag.Bool("pytest.all", false, "cut the recorded pytest runs at every byte and change every line")

// places to cut or change: all of them, or some 25 of n and the last 15.
func samples(n int) (all []int) {
	step := 1
	if !*everyByte {
		step = n/25 + 1
	}
	for i := 0; i < n; i++ {
		if i%step == 0 || i >= n-15 {
			all = append(all, i)
		}
	}
	return all
}

// TestPytestCut: an output that ends early is never complete.
func TestPytestCut(t *testing.T) {
	for _, c := range pytestCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lastLine := bytes.LastIndex(c.stdout, []byte(" in 0.")) // of the closing counts
			for _, n := range samples(len(c.stdout)) {
				r := c.parse(c.stdout[:n])
				honest(t, fmt.Sprintf("%s[:%d]", c.name, n), r)
				if n <= lastLine && r.Status == result.Passed && !strings.Contains(c.cmd, "; ") {
					t.Fatalf("passed without the closing line, at %d", n)
				}
			}
		})
	}
}

// TestPytestLines: dropping or doubling any line hides nothing.
func TestPytestLines(t *testing.T) {
	for _, c := range pytestCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lines := slices.Collect(bytes.Lines(c.stdout))
			for _, i := range samples(len(lines)) {
				without := slices.Concat(lines[:i], lines[i+1:])
				honest(t, fmt.Sprintf("%s without line %d", c.name, i+1), c.parse(bytes.Join(without, nil)))
				twice := slices.Concat(lines[:i+1], lines[i:])
				honest(t, fmt.Sprintf("%s line %d twice", c.name, i+1), c.parse(bytes.Join(twice, nil)))
			}
		})
	}
}

// BenchmarkPytest measures the parser alone, on 32 MB of a run with failures.
func BenchmarkPytest(b *testing.B) {
	for _, name := range []string{"default", "verbose-vv", "tb-native", "pass-strict-markers"} {
		c := pytestCaseNamed(b, name)
		head, body, _ := bytes.Cut(c.stdout, []byte("\n\n"))
		text := slices.Concat(head, []byte("\n\n"), bytes.Repeat(body, 8<<20/len(body)+1))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				in := c.input(text)
				parsePytest(&in)
			}
		})
	}
}
