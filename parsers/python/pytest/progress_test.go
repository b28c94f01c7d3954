package pytest

import (
	"testing"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// The verdict of every test is understood, whatever it is and wherever it is printed.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		line, id, desc string
		outcome        read.Outcome
	}{
		{"tests/a.py::test_b PASSED", "tests/a.py::test_b", "", read.Passed},
		{"tests/a.py::T::test_b FAILED", "tests/a.py::T::test_b", "", read.Failed},
		{"tests/a.py::test_b ERROR", "tests/a.py::test_b", "", read.Errored},
		{"tests/a.py::test_b SKIPPED (needs FAILED sandbox (x))", "tests/a.py::test_b", "", read.Skipped},
		{"tests/a.py::test_b SKIPPED", "tests/a.py::test_b", "", read.Skipped},
		{"tests/a.py::test_b XFAIL (bug 12 - later)", "tests/a.py::test_b", "", read.XFailed},
		{"tests/a.py::test_b xfail", "tests/a.py::test_b", "", read.XFailed},
		{"tests/a.py::test_b XPASS (bug [13)", "tests/a.py::test_b", "", read.XPassed},
		{"tests/a.py::test_b PASSED                    [17/29]", "tests/a.py::test_b", "", read.Passed},
		{"tests/a.py::test_b SKIPPED (no)             659.0us", "tests/a.py::test_b", "", read.Skipped},
		{"tests/a.py::test_b FAILED                     1.2ms", "tests/a.py::test_b", "", read.Failed},
		{"tests/a.py::test_b RERUN", "tests/a.py::test_b", "", tool.Rerun},
		{"tests/a.py::test_b[x y - PASSED z] FAILED", "tests/a.py::test_b[x y - PASSED z]", "", read.Failed},
		{"tests/a.py::test_b[[] PASSED", "tests/a.py::test_b[[]", "", read.Passed},
		{"tests/a.py::test_b SUBPASSED[row] (i=1)", "tests/a.py::test_b", "[row] (i=1)", read.Passed},
		{"tests/a.py::test_b SUBFAILED[row] (i=1)            374.5us", "tests/a.py::test_b", "[row] (i=1)", read.Failed},
		{"tests/a.py::test_b SUBFAILED[row] (i=1)          [17/29]", "tests/a.py::test_b", "[row] (i=1)", read.Failed},
		{"tests/a.py::test_b SUBFAILED[row] (i=1)         [ 19%] [ 19%]", "tests/a.py::test_b", "[row] (i=1)", read.Failed},
		{"tests/a.py::test_b SUBFAILED[17/29]", "tests/a.py::test_b", "[17/29]", read.Failed},
		{"tests/a.py::test_b[u-1] hello PASSED", "tests/a.py::test_b[u-1]", "", read.Passed},
		{"tests/a.py::test_b SUBFAILED(i='c - d')", "tests/a.py::test_b", "(i='c - d')", read.Failed},
		{"tests/a.py::test_b [row] (i=1) SUBFAIL", "tests/a.py::test_b", "[row] (i=1)", read.Failed},
		{"[gw0] [ 12%] PASSED tests/a.py::test_b[a b]", "tests/a.py::test_b[a b]", "", read.Passed},
		{"[gw11] [100%] SKIPPED tests/a.py::test_b", "tests/a.py::test_b", "", read.Skipped},
		{"[gw1] FAILED tests/a.py::test_b", "tests/a.py::test_b", "", read.Failed},
		{"[gw1] [ 50%] SUBFAILED[row] (i=1) tests/a.py::test_b", "tests/a.py::test_b", "[row] (i=1)", read.Failed},
		{"tests/a.py::test_b", "", "", ""},
		{"tests/a.py::test_b FAILED tests/other.py::test_x - assert 0", "", "", ""},
		{"tests/a.py::test_b passed 3 rows", "", "", ""},
		{"[gw0] linux -- Python 3.12.1 /usr/bin/python3", "", "", ""},
	} {
		v, ok := cutVerdict(c.line)
		if !ok {
			v = verdict{}
		}
		if v.ID != c.id || v.desc != c.desc || v.Outcome != c.outcome || ok != (c.outcome != "") {
			t.Errorf("%q: %q %q %q", c.line, v.ID, v.desc, v.Outcome)
		}
	}
	for _, c := range []struct {
		line, id string
		outcome  read.Outcome
	}{
		{"PASSED tests/a.py::test_b[x - y]", "tests/a.py::test_b[x - y]", read.Passed},
		{"XFAIL tests/a.py::test_b - bug 12 - later", "tests/a.py::test_b", read.XFailed},
		{"XPASS tests/a.py::test_b", "tests/a.py::test_b", read.XPassed},
		{"RERUN tests/a.py::test_b", "tests/a.py::test_b", tool.Rerun},
		{"SKIPPED [2] tests/a.py:12: needs FAILED sandbox", "", read.Skipped},
		{"FAILED tests/a.py::test_b - assert 1 == 2", "tests/a.py::test_b", read.Failed},
	} {
		v, _, ok := new(run).summed(c.line)
		if v.ID != c.id || v.Outcome != c.outcome || !ok {
			t.Errorf("%q: %q %q", c.line, v.ID, v.Outcome)
		}
	}
}

// With -s the verdict stands on a line of its own, behind what the test printed.
func TestVerdictBehindPrints(t *testing.T) {
	run := run{most: 10, files: map[string]bool{}, failed: map[string]bool{}}
	for _, line := range []string{
		"tests/a.py::test_ids[x y] FAILED tests/other.py::test_x - assert 0", "PASSED",
		"tests/a.py::test_ids[a - b] 12 rows", "FAILED",
		"tests/a.py::test_ids[z] ", "ERROR                                       [ 40%]",
	} {
		run.progress(tool.Line{Text: line}, nil)
	}
	if v := run.verdicts; len(v) != 2 || v[0].ID != "tests/a.py::test_ids[a - b]" || v[1].ID != "tests/a.py::test_ids[z]" || v[1].Outcome != read.Errored {
		t.Errorf("%+v", v)
	}
}
