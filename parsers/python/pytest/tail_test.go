package pytest

import (
	"slices"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// What "pytest | tail" lets through is all that is known, and its exit code is
// tail's: the failures must be found all the same.
func TestPytestTail(t *testing.T) {
	const one = "FAILED tests/test_a.py::test_b - assert 1 == 2\n"
	for name, c := range map[string]struct {
		text  string
		found int
	}{
		"quiet":             {one + "1 failed, 3 passed in 0.04s\n", 1},
		"ruled":             {one + "========================= 1 failed, 3 passed in 0.04s =========================\n", 1},
		"counts alone":      {"1 failed, 3 passed in 0.04s\n", 1},
		"ruled counts":      {"========================= 2 failed, 3 passed in 0.04s =========================\n", 1},
		"passing":           {"3 passed in 0.04s\n", 0},
		"not right before":  {one + "another line\n3 passed in 0.04s\n", 0},
		"half of a summary": {one + "2 failed in 0.04s\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := casetest.ParseKnown(tool.Input{Shell: "pytest | tail", Source: tool.Separate([]byte(c.text), nil)}, result.Exit{Observed: true})
			want := result.Failed
			if c.found == 0 {
				want = result.Passed
			}
			if r.Tool != "pytest" || r.Status != want || len(r.Findings) != c.found {
				t.Errorf("%s %s with %d findings, want %s with %d: %+v", r.Tool, r.Status, len(r.Findings), want, c.found, r.Findings)
			}
		})
	}
}

// pytest-timeout ends the run in the middle of a line, with the stacks of all
// threads; with -q nothing else is there.
func TestPytestTimeoutEnds(t *testing.T) {
	const rule = "+++++++++++++++++++++++++++++++++++ Timeout ++++++++++++++++++++++++++++++++++++\n"
	const stacks = rule + "~~~~~~~~~~~~~~~~~~~~ Stack of MainThread (140123662003072) ~~~~~~~~~~~~~~~~~~~~~\n" +
		"  File \"/usr/lib/python3/site-packages/_pytest/python.py\", line 187, in pytest_pyfunc_call\n    result = testfunction(**testargs)\n" +
		"  File \"/home/dev/shop/tests/test_slow.py\", line 7, in test_slow\n    time.sleep(3)\n" + rule
	const head = "============================= test session starts ==============================\ncollected 3 items\n\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"quiet":            {"F" + stacks, []string{"tests/test_slow.py:7"}},
		"behind a failure": {head + "tests/test_slow.py F" + stacks, []string{"tests/test_slow.py:7", "tests/test_slow.py"}},
		"verbose":          {head + "tests/test_slow.py::test_slow " + stacks, []string{"tests/test_slow.py:7"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := tool.Input{Shell: "pytest", Source: tool.Separate([]byte(c.text), nil), Workspace: result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop"}}
			r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 1})
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Location)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) || r.ParserConfidence == result.Parsed {
				t.Errorf("%s %q, want %q: %+v", r.ParserConfidence, got, c.want, r.Findings)
			}
		})
	}
}

// An expression that is wrong is why nothing ran, whatever else went wrong.
func TestPytestWrongExpression(t *testing.T) {
	const out = "==================================== ERRORS ====================================\n___________________________ ERROR collecting test_a.py ___________________________\n" +
		"E   ModuleNotFoundError: No module named 'x'\n=========================== short test summary info ============================\nERROR test_a.py\n1 error in 0.05s\n"
	const said = "ERROR: Wrong expression passed to '-k': (: at column 2: expected not OR left parenthesis OR identifier; got end of input\n\n"
	r := casetest.ParseKnown(tool.Input{Shell: "pytest -q -k '('", Source: tool.Separate([]byte(out), []byte(said))}, result.Exit{Observed: true, Code: 4})
	if len(r.Findings) != 2 {
		t.Errorf("%+v", r.Findings)
	}
}

// pytest-sugar counts no errors of the collection.
func TestPytestSugarCollection(t *testing.T) {
	const out = "Test session starts (platform: linux, Python 3.11.7, pytest 8.4.2, pytest-sugar 1.1.1)\nrootdir: /home/dev/shop\n\n" +
		"――――――――――――――――――――――――― ERROR collecting test_a.py ――――――――――――――――――――――――――\n" +
		"test_a.py:1: in <module>\n    import x\nE   ModuleNotFoundError: No module named 'x'\n" +
		"=========================== short test summary info ============================\nFAILED test_a.py\n" +
		"!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n\nResults (0.05s):\n"
	r := casetest.ParseKnown(tool.Input{Shell: "pytest", Source: tool.Separate([]byte(out), nil)}, result.Exit{Observed: true, Code: 2})
	if len(r.Findings) != 1 || r.ParserConfidence != result.Parsed || r.Findings[0].Location != "test_a.py:1" {
		t.Errorf("%s: %+v", r.ParserConfidence, r.Findings)
	}
}
