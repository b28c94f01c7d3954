package pytest

import (
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// The text of a report that is no traceback is its message and its detail.
func TestPytestPlainReports(t *testing.T) {
	const checked = "FAILURE: check 1 == 2: first check\ntests/test_a.py:4 in test_a() -> check.equal(1, 2, \"first check\")\n\nFAILURE: check 3 in [1]\n------------------------------------------------------------\nFailed Checks: 2\n"
	for name, c := range map[string]struct{ text, said, message, rule, at, detail string }{
		"pytest-check":     {checked, "check 1 == 2: first check", "check 1 == 2: first check; check 3 in [1]", "", "tests/test_a.py:4", "> check.equal(1, 2, \"first check\")\nFAILURE: check 3 in [1]"},
		"pytest-check 3":   {"tests/test_a.py::test_a:0: check 1 == 2: first check\n\n" + checked, "check 1 == 2: first check", "check 1 == 2: first check; check 3 in [1]", "", "tests/test_a.py:4", "> check.equal(1, 2, \"first check\")\nFAILURE: check 3 in [1]"},
		"pytest.fail":      {"no more\n  of this\n", "Failed: no more", "Failed: no more", "Failed", "tests/test_a.py", "  of this"},
		"pytest.fail, cut": {"no more\n  of this\n", "F...", "Failed: no more", "Failed", "tests/test_a.py", "  of this"},
		"its own text":     {"Found 2\n- a\n- b\n", "F...", "Found 2", "", "tests/test_a.py", "- a\n- b"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "F                                                                        [100%]\n" + pytestFails +
				"____________________________________ test_a ____________________________________\n" + c.text +
				"=========================== short test summary info ============================\nFAILED tests/test_a.py::test_a - " + c.said + "\n1 failed in 0.01s\n"
			r := casetest.ParseKnown(tool.Input{Shell: "pytest -q", Source: tool.Separate([]byte(text), nil)}, result.Exit{Observed: true, Code: 1})
			if len(r.Findings) != 1 {
				t.Fatalf("%+v", r.Findings)
			}
			if f := r.Findings[0]; f.Message != c.message || f.Rule != c.rule || f.Location != c.at || f.Detail != c.detail {
				t.Errorf("%q %q %q %q", f.Message, f.Rule, f.Location, f.Detail)
			}
		})
	}
}
