package parsers

import (
	"strings"
	"testing"

	"cairn/result"
)

// TestUnittestCut: where the blocks are cut off, the counts say nothing of tests that
// passed, and the end of a block without its head is no second tool's.
func TestUnittestCut(t *testing.T) {
	rule, dashes := strings.Repeat("=", 70), strings.Repeat("-", 70)
	out := "  File \"/src/tests/test_a.py\", line 7, in test_b\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2\n\n" +
		rule + "\nFAIL: test_c (tests.test_a.T.test_c)\n" + dashes + "\nTraceback (most recent call last):\n  File \"/src/tests/test_a.py\", line 9, in test_c\n    self.fail()\nAssertionError: None\n\n" +
		dashes + "\nRan 5 tests in 0.001s\n\nFAILED (failures=4)\n"
	r := Parse(Input{Shell: "python -m unittest 2>&1 | tail -n 20", Source: Separate([]byte(out), nil)}, result.Exit{Observed: true})
	if r.Tool != "unittest" || r.Status != result.Failed || r.Counts["failed"] != 4 || r.Counts["passed"] != 1 || r.Counts["error"] > 0 {
		t.Errorf("%s %s: %v", r.Tool, r.Status, r.Counts)
	}
}

// TestPrintedHead: what a test printed in a run of pytest is no failure of unittest's,
// though a script started pytest.
func TestPrintedHead(t *testing.T) {
	rule := strings.Repeat("=", 35)
	out := "F                                                                        [100%]\n" + rule + " FAILURES " + rule + "\n" + strings.Repeat("_", 36) + " test_a " + strings.Repeat("_", 36) + "\ntest_a.py:3: in test_a\n    assert 0\nE   assert 0\n----------------------------- Captured stdout call -----------------------------\nFAIL: test_x (a.T)\n" +
		strings.Repeat("=", 27) + " short test summary info " + strings.Repeat("=", 28) + "\nFAILED test_a.py::test_a - assert 0\n1 failed in 0.01s\n\n"
	r := Parse(Input{Shell: "./ci.sh", Source: Separate([]byte(out), nil)}, result.Exit{Observed: true, Code: 1})
	if len(r.Findings) != 1 || r.Findings[0].ID != "test_a.py::test_a" {
		t.Errorf("%s: %+v", r.Tool, r.Findings)
	}
}
