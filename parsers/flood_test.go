package parsers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/golden"
	"cairn/internal/racing"
	"cairn/parsers"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestFloodsBreakNothing: of a recorded run with more findings than are kept, no reader breaks off.
func TestFloodsBreakNothing(t *testing.T) {
	t.Parallel()
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if racing.Skips(i, 20) {
			continue
		}
		in := c.Input(c.Output)
		in.Limits = tool.Limits{Findings: 1 + 2*(i%2)}
		if r := parsers.Parse(in, c.Exit); r.Extra["broken"] != nil {
			t.Errorf("%s, of which %d are kept: %v", c.Name, in.Limits.Findings, r.Extra["broken"])
		}
	}
}

// TestFloodsAreCounted: of a recorded run with more findings than are kept, the short
// way that only counts says what the long way says.
func TestFloodsAreCounted(t *testing.T) {
	t.Parallel()
	cases, err := golden.Load("../golden")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if i%5 > 0 && os.Getenv("CAIRN_TEST_THOROUGH") == "" || racing.Skips(i/5, 20) {
			continue
		}
		whole := parsers.Parse(c.Input(c.Output), c.Exit)
		for _, kept := range []int{1, 2, len(whole.Findings) / 2} {
			if kept == 0 || kept >= len(whole.Findings) {
				continue
			}
			read := func(whole bool) string {
				in := c.Input(c.Output)
				in.Limits = tool.Limits{Findings: kept, Whole: whole}
				b, _ := json.Marshal(parsers.Parse(in, c.Exit))
				return string(b)
			}
			got, want := read(false), read(true)
			if got != want {
				t.Errorf("%s, of which %d are kept:\n%s\nwant\n%s", c.Name, kept, got, want)
			}
		}
	}
}

// TestFloodOfShapes: whatever lines come in whatever order, each once, a flood has the counts of a
// run of which all findings are kept, the short way and the long way.
func TestFloodOfShapes(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"src/a.c:3:7: error: no such thing [-Wx]", "src/a.c:3: warning: bad", "src/b.c:0:3: fatal error: x.h: No such file", "src/a.c:9:1: note: declared here",
		"src/a.c: In function 'f':", "src/a.cc: In member function 'int C::f(int)':", "src/a.c: In function `f':", "main.o: In function `main':", "ld: In function 'f':", "src/a.h: In function 'f': not so:", "In file included from src/a.c:3:", "  3 |   return x;", "    |          ^", "int x = y;", "        ^~~", "", "src/a.c +3:7: error: vi's",
		"src/a.py:3: undefined name 'x'", "src/a.py:3:7: let x\nsrc/a.py:3:7: ^ here", "src/a.ts(3,7): error TS1: no", "a.yaml:1:1: [error] too many spaces (colons)",
		"error: no such thing", "error: no such file\n  --> src/a.x:3:7", "  --> src/a.x:3:7", "ParserError: unexpected x\n ╭─[src/a.x:4:7]", "  |", "3 | let x = 3;", "ParserError: expected x", "  × no such thing", "[X_1] Warning: no",
		"2026-11-20T12:00:05Z ERROR worker-3 failed on item 5: cannot connect", "2026-11-20 12:00:05 WARN slow", `time="x" level=fatal msg="a.yaml:3: no"`, "note: all is well",
		"job: cannot open a.ini line 3", "[ERROR] failed at conf/a.ini:3:7: no such key", "2 errors", "Usage: job [options]", "Error: no such option",
		"/usr/bin/ld: main.o: undefined reference to `x'", "collect2: error: ld returned 1 exit status", "2 warnings and 1 error generated.", "\x1b[31msrc/a.c:3:7: error: red\x1b[0m", "größe.c:3: error: ö",
	})
	rapid.Check(t, func(t *rapid.T) {
		in := parsers.Input{Shell: rapid.SampledFrom([]string{"./job", "gcc -c a.c", "clang -c a.c", "yamllint -f parsable .", "cython a.pyx", "ktlint"}).Draw(t, "command")}
		in.Source = parsers.Separate([]byte(strings.Join(rapid.SliceOfNDistinct(line, 1, 40, rapid.ID[string]).Draw(t, "lines"), "\n")+"\n"), nil)
		counts := func(kept int, all bool) string {
			in.Limits = tool.Limits{Findings: kept, Whole: all}
			r := parsers.Parse(in, result.Exit{Observed: true, Code: 1})
			if len(r.Counts) == 0 {
				r.Counts = tool.BySeverity(r.Findings)
			}
			return fmt.Sprint(r.Counts, " of ", max(r.Truncated.FindingsTotal, len(r.Findings)))
		}
		kept := rapid.IntRange(1, 5).Draw(t, "kept")
		short, long, whole := counts(kept, false), counts(kept, true), counts(0, false)
		if short != long || long != whole {
			t.Fatalf("counted %s, read %s, kept %s", short, long, whole)
		}
	})
}
