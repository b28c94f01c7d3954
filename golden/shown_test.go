package golden

import (
	"fmt"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// showers are commands that show what was once printed, and how they lay it out.
var showers = []relay{
	{filter: "cat ci.log", line: func(_ int, l string) string { return l }},
	{filter: "git show HEAD:ci.log", line: func(_ int, l string) string { return l }},
	{filter: "cd docs && sed -n 1,900p ci.md", line: func(_ int, l string) string { return l }},
	{filter: `for f in *.log; do echo "== $f"; cat "$f"; done`, line: func(_ int, l string) string { return l }},
	{filter: "zcat ci.log.gz | tail -500", line: func(_ int, l string) string { return l }},
	{filter: "git log -1", line: func(_ int, l string) string { return "    " + l }},
	{filter: "git diff", line: func(_ int, l string) string { return "+" + l }},
	{filter: "git diff -U99", line: func(_ int, l string) string { return " " + l }},
	{filter: "grep -rn . docs", line: func(i int, l string) string { return fmt.Sprintf("docs/ci.md:%d:%s", i+1, l) }},
	{filter: "cat -n ci.log", line: func(i int, l string) string { return fmt.Sprintf("%6d\t%s", i+1, l) }},
	{filter: "man ci", line: func(_ int, l string) string { return "       " + l }},
}

// TestOnlyShown: what a file, a history or a difference quotes of a run has no verdict: neither failed nor passed.
func TestOnlyShown(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		if len(c.Raw()) == 0 {
			return
		}
		first := int(seed(c.Name) % uint64(len(showers)))
		for k := range 3 {
			form := showers[(first+k*4)%len(showers)]
			in := c.Input(parsers.Separate(laid(c.Raw(), form), nil))
			in.Shell, in.Artifacts = form.filter, nil
			s := parsers.New(in)
			s.Scan()
			if r := s.Result(result.Exit{Observed: true}); r.Status != result.OK && r.Status != result.Unknown {
				t.Errorf("%s: %s %s %s", form.filter, r.Tool, r.Status, r.Summary)
			}
			if list, _ := s.Outcomes(); len(list) > 0 {
				t.Errorf("%s: %d tests ran", form.filter, len(list))
			}
		}
	})
	for line, want := range map[string]result.Status{
		"cat ci.log; ls":                result.OK,
		"$PY -m pytest 2>&1 | tail -20": result.Failed,
		"pytest > ci.log; cat ci.log":   result.Failed,
		"cat ci.log | sh":               result.Failed,
		`out=$(./ci); echo "$out"`:      result.Failed,
		"source ci.sh; cat ci.log":      result.Failed,
		"find . -name ci -exec {} ;":    result.Failed,
		"git bisect run ./ci; git show": result.Failed,
	} {
		in := parsers.Input{Shell: line, Source: parsers.Separate([]byte("FAILED a_test.py::test_a - assert 1 == 2\n=== 1 failed, 2 passed in 0.10s ===\n"), nil)}
		if r := parsers.Parse(in, result.Exit{Observed: true}); r.Status != want {
			t.Errorf("%s: %s, want %s", line, r.Status, want)
		}
	}
}
