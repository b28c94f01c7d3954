package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test program be the command that prints a log, as the
// real one is.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "gen" {
		exitOn(generate(os.Stdout, os.Args[2]))
		return
	}
	os.Exit(m.Run())
}

func walls(ms ...int) (s sample) {
	for _, n := range ms {
		s = append(s, took{wall: time.Duration(n) * time.Millisecond})
	}
	return s
}

func TestSample(t *testing.T) {
	for _, tc := range []struct {
		name        string
		s           sample
		median, min int
	}{
		{"none", walls(), 0, 0},
		{"one", walls(7), 7, 7},
		{"odd", walls(9, 1, 5), 5, 1},
		{"even: one that was measured", walls(8, 2, 4, 6), 4, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.s.median(); got != time.Duration(tc.median)*time.Millisecond {
				t.Errorf("median %v, want %d ms", got, tc.median)
			}
			if got := tc.s.min(); got != time.Duration(tc.min)*time.Millisecond {
				t.Errorf("min %v, want %d ms", got, tc.min)
			}
		})
	}
}

// TestRatioIsOfRounds: when the machine is slow for some rounds, it is slow for
// both, and the ratio stays.
func TestRatioIsOfRounds(t *testing.T) {
	a, b := walls(20, 200, 20, 400), walls(10, 100, 10, 200)
	if got := ratio(a, b); got != 2 {
		t.Errorf("ratio %v, want 2", got)
	}
	if got := added(walls(15, 105, 17), walls(10, 100, 10)); got != 5*time.Millisecond {
		t.Errorf("added %v, want 5 ms", got)
	}
	if got := ratio(walls(5), walls(0)); got != 0 {
		t.Errorf("ratio to nothing: %v", got)
	}
}

func TestParseInits(t *testing.T) {
	const trace = `init internal/bytealg @0.005 ms, 0 ms clock, 0 bytes, 0 allocs
something else: init by someone
init github.com/spf13/cobra @1.2 ms, 0.031 ms clock, 12345 bytes, 67 allocs
`
	got := parseInits([]byte(trace))
	if len(got) != 2 || got[1] != (initCost{"github.com/spf13/cobra", 0.031, 12345}) {
		t.Errorf("got %+v", got)
	}
}

func TestGenerate(t *testing.T) {
	for size, want := range map[string]int{"0": 0, "1": 1, "1K": 1 << 10, "1M": 1 << 20} {
		var a bytes.Buffer
		if err := generate(&a, size); err != nil || a.Len() != want {
			t.Fatalf("%s: %d bytes, %v", size, a.Len(), err)
		}
	}
	var log bytes.Buffer
	if err := generate(&log, "9M"); err != nil || log.Len() != 9<<20 {
		t.Fatalf("%d bytes, %v", log.Len(), err)
	}
	seen := map[string]bool{}
	beginnings := append(log.Bytes()[:1<<20:1<<20], log.Bytes()[blockSize:]...) // of both blocks, which differ in the stamps only
	for line := range bytes.Lines(beginnings) {
		if seen[string(line)] {
			t.Fatalf("a line comes twice: %q", line)
		}
		seen[string(line)] = true
	}
	for _, bad := range []string{"", "K", "1T", "-1", "1KK"} {
		if err := generate(&log, bad); err == nil {
			t.Errorf("%q is taken for a size", bad)
		}
	}
}

func TestChoose(t *testing.T) {
	if all, err := choose(""); err != nil || !all["startup"] || !all["parallel"] {
		t.Errorf("%v, %v", all, err)
	}
	if some, err := choose("size,startup"); err != nil || !some["size"] || some["parallel"] {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := choose("sizes"); err == nil {
		t.Error("sizes is taken for a section")
	}
}

// TestFinish prints what was missed first and says so.
func TestFinish(t *testing.T) {
	var out strings.Builder
	b := &bench{out: &out, answer: &out}
	b.hold("well within", 5, 1, "ms", "")
	b.hold("too slow", 5, 6, "ms", "")
	b.hold("just right", 5, 5, "ms", "")
	missed, err := b.finish()
	if err != nil || !missed {
		t.Fatal(missed, err)
	}
	slow, met := strings.Index(out.String(), "too slow"), strings.Index(out.String(), "well within")
	if slow < 0 || met < slow || strings.Count(out.String(), "MISSED") != 1 {
		t.Errorf("got\n%s", out.String())
	}
}

// TestQuick runs every section at its smallest with the real program.
func TestQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	var out bytes.Buffer
	tmp := t.TempDir()
	if _, err := run(t.Context(), options{quick: true, json: true, tmpDir: tmp}, &out); err != nil {
		t.Fatal(err)
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	seen := map[string]bool{}
	for _, f := range got.Figures {
		seen[f.Section] = true
		if f.Rounds < 1 || f.MedianMS < f.MinMS {
			t.Errorf("not a figure: %+v", f)
		}
	}
	for _, s := range sections {
		if !seen[s.name] {
			t.Errorf("section %s has no figure", s.name)
		}
	}
	for _, b := range got.Budgets {
		if b.Limit == 0 && !b.Met {
			t.Errorf("%s: %v %s: %v", b.What, b.Measured, b.Unit, got.Notes)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
