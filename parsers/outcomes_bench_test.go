package parsers

import (
	"fmt"
	"strings"
	"testing"

	"cairn/result"
)

// verbosePytest is what pytest -v prints of a run of n tests, of which one failed.
func verbosePytest(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "============================= test session starts ==============================\nplatform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0 -- /usr/bin/python3\ncachedir: .pytest_cache\nrootdir: /src\ncollected %d items\n\n", n)
	for i := range n {
		outcome := "PASSED"
		if i == n/2 {
			outcome = "FAILED"
		}
		name := fmt.Sprintf("tests/unit/test_module_%03d.py::TestClass%02d::test_behaviour_%d[case-%d] %s", i/250, i/20%17, i%23, i, outcome)
		fmt.Fprintf(&b, "%-93s[%3d%%]\n", name, i*100/n)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.Repeat("=", 24)+fmt.Sprintf(" 1 failed, %d passed in 12.01s ", n-1)+strings.Repeat("=", 24))
	return []byte(b.String())
}

// BenchmarkOutcomes reads the output of 100,000 named tests, without and with the list of what they came to.
func BenchmarkOutcomes(b *testing.B) {
	text := verbosePytest(100_000)
	for _, listed := range []bool{false, true} {
		b.Run(fmt.Sprintf("listed=%v", listed), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s := New(Input{Argv: []string{"pytest", "-v"}, Source: Separate(text, nil), Workspace: result.Workspace{Root: "/src"}})
				s.Scan()
				s.Result(result.Exit{Observed: true, Code: 1})
				if listed {
					if list, _ := s.Outcomes(); len(list) != 100_000 || len(list.Encode()) == 0 {
						b.Fatalf("%d tests", len(list))
					}
				}
			}
		})
	}
}
