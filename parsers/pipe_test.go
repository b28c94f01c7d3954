package parsers_test

import (
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// That "| head" left before a program had printed everything is no failure of the line; a test's own broken pipe is.
func TestReaderLeft(t *testing.T) {
	const died = "0\nTraceback (most recent call last):\n  File \"many.py\", line 2, in <module>\n    print(i)\nBrokenPipeError: [Errno 32] Broken pipe\n"
	const test = "E       BrokenPipeError: [Errno 32] Broken pipe\n\ntest_a.py:3: BrokenPipeError\n" +
		"=========================== short test summary info ============================\nFAILED test_a.py::test_x - BrokenPipeError: [Errno 32] Broken pipe\n1 failed in 0.01s\n"
	for _, c := range []struct {
		line, output string
		code         int
		want         result.Status
	}{
		{"python3 many.py | head -1", died, 0, result.OK},
		{"python3 many.py | head -1", died, 1, result.Failed},
		{"python3 send.py; true", died, 0, result.Failed},
		{"pytest -q 2>&1 | head -40", test, 0, result.Failed},
	} {
		r := parsers.Parse(parsers.Input{Shell: c.line, Source: parsers.Separate([]byte(c.output), nil)}, result.Exit{Observed: true, Code: c.code})
		if r.Status != c.want {
			t.Errorf("%s, exit %d: got %s, want %s", c.line, c.code, r.Status, c.want)
		}
	}
}
