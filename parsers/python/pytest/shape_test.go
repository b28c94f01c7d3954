package pytest

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
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
		want := casetest.Read(t, "pytest/"+group[0])
		first := want.Parse()
		for _, name := range group[1:] {
			t.Run(name, func(t *testing.T) {
				c := casetest.Read(t, "pytest/"+name)
				r := c.Parse()
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
	top, sub := casetest.Read(t, "pytest/subtests-quiet"), casetest.Read(t, "pytest/from-subdir")
	below := prints(sub.Parse())
	for _, f := range top.Parse().Findings {
		if !slices.Contains(below, f.Fingerprint) {
			t.Errorf("%s is another finding from a subdirectory", f.ID)
		}
	}
}

// TestPytestShapes: what changes no word changes no fact.
func TestPytestShapes(t *testing.T) {
	for _, c := range casetest.Cases(t, "pytest") {
		want := facts(c.Parse())
		check := func(name string, in tool.Input) {
			t.Run(c.Name+"/"+name, func(t *testing.T) {
				if got := facts(casetest.ParseKnown(in, result.Exit{Observed: true, Code: c.Exit})); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
		in := c.Input(c.Stdout)
		in.Source = oneByOne{Of: tool.Separate(c.Stdout, c.Stderr)}
		check("one byte at a time", in)
		in.Source = tool.Separate(bytes.ReplaceAll(c.Stdout, []byte("\n"), []byte("\r\n")), c.Stderr)
		check("CRLF", in)
		in.Source = tool.Separate(coloured(c.Stdout), c.Stderr)
		check("colour", in)
		in.Source = tool.Separate(nil, c.Stdout)
		if len(c.Stderr) == 0 {
			check("on stderr", in)
		}
	}
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
	if why, broken := r.Extra["broken"]; broken {
		t.Errorf("%s: %s", what, why)
	}
}

// everyByte makes TestPytestCut and TestPytestLines exhaustive, which takes
// minutes: go test -run TestPytest ./parsers -args -pytest.all
var everyByte = flag.Bool("pytest.all", false, "cut the recorded pytest runs at every byte and change every line")

// places to cut or change: all of them, or some 25 of n and the last 15; under the race detector a fifth of those.
func samples(n int) (all []int) {
	step, few, last := 1, 25, 15
	if racing.Enabled {
		few, last = 5, 3
	}
	if !*everyByte {
		step = n/few + 1
	}
	for i := 0; i < n; i++ {
		if i%step == 0 || i >= n-last {
			all = append(all, i)
		}
	}
	return all
}

// TestPytestCut: an output that ends early is never complete.
func TestPytestCut(t *testing.T) {
	for _, c := range casetest.Cases(t, "pytest") {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			lastLine := bytes.LastIndex(c.Stdout, []byte(" in 0.")) // of the closing counts
			for _, n := range samples(len(c.Stdout)) {
				r := c.ParseOf(c.Stdout[:n])
				honest(t, fmt.Sprintf("%s[:%d]", c.Name, n), r)
				if n <= lastLine && r.Status == result.Passed && !strings.Contains(c.Cmd, "; ") && !strings.Contains(c.Cmd, "|| ") { // of a retry the exit says it
					t.Fatalf("passed without the closing line, at %d", n)
				}
			}
		})
	}
}

// TestPytestLines: dropping or doubling any line hides nothing.
func TestPytestLines(t *testing.T) {
	for _, c := range casetest.Cases(t, "pytest") {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			lines := slices.Collect(bytes.Lines(c.Stdout))
			for _, i := range samples(len(lines)) {
				without := slices.Concat(lines[:i], lines[i+1:])
				honest(t, fmt.Sprintf("%s without line %d", c.Name, i+1), c.ParseOf(bytes.Join(without, nil)))
				twice := slices.Concat(lines[:i+1], lines[i:])
				honest(t, fmt.Sprintf("%s line %d twice", c.Name, i+1), c.ParseOf(bytes.Join(twice, nil)))
			}
		})
	}
}

// BenchmarkPytest measures the parser alone, on 32 MB of a run with failures.
func BenchmarkPytest(b *testing.B) {
	for _, name := range []string{"default", "verbose-vv", "tb-native", "pass-strict-markers"} {
		c := casetest.Read(b, "pytest/"+name)
		head, body, _ := bytes.Cut(c.Stdout, []byte("\n\n"))
		text := slices.Concat(head, []byte("\n\n"), bytes.Repeat(body, 8<<20/len(body)+1))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				in := c.Input(text)
				parse(&in)
			}
		})
	}
}
