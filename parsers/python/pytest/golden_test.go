package pytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/result"
)

// want is what a person reads in the raw output of each case: the status, how
// far it can be believed, the counts, and how many findings there are. The
// file truth beside it names them.
var pytestWant = []struct{ name, want string }{
	{"all-pass", "passed parsed deselected=13 passed=1; 0"},
	{"all-styles-auto", "failed parsed error=6 failed=42 passed=4 skipped=1 warnings=1 xfailed=1 xpassed=1; 48"},
	{"ci-color", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"ci-tb-no", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"collect-only", "ok parsed; 0"},
	{"collection-errors", "error parsed error=2; 2"},
	{"collection-errors-quiet-continue", "failed parsed error=2 failed=5 passed=2 subtests_passed=3; 6"},
	{"collection-errors-v7", "error parsed error=2; 2"},
	{"conftest-import-error", "error parsed; 1"},
	{"conftest-import-v7", "error parsed; 1"},
	{"conftest-syntax", "error parsed; 1"},
	{"coverage-under", "failed parsed passed=1; 1"},
	{"coverage-under-v7", "failed parsed passed=1; 1"},
	{"coverage-run-module", "passed parsed passed=2; 0"},
	{"hypothesis", "failed parsed failed=1; 1"},
	{"module-setup", "failed parsed error=3; 3"},
	{"odd-failures", "failed parsed error=2 failed=20; 22"},
	{"odd-failures-short", "failed parsed error=2 failed=20; 22"},
	{"odd-failures-v7", "failed parsed error=2 failed=20; 22"},
	{"parametrize-error", "error parsed error=1; 1"},
	{"pydantic", "failed parsed failed=2; 2"},
	{"pretty-captured", "failed parsed error=2 failed=9 passed=4 skipped=1 xfailed=1; 11"},
	{"plugin-breaks", "error parsed; 1"},
	{"plugin-imports-code", "error parsed; 1"},
	{"syrupy-difference", "failed parsed failed=3; 3"},
	{"timeout-signal", "failed parsed deselected=1 failed=1; 1"},
	{"timeout-signal-other-thread", "failed parsed failed=1 passed=1; 1"},
	{"timeout-thread", "error heuristic; 1"},
	{"timeout-thread-tail", "failed heuristic; 1"},
	{"items-flake8-pylint", "failed parsed failed=7 passed=3; 45"},
	{"items-ruff-mypy", "failed parsed failed=5 passed=4; 18"},
	{"tail-within-block", "failed parsed failed=5 passed=3; 5"},
	{"benchmark-regressed", "failed parsed error=0 failed=1 passed=1 skipped=0; 2"},
	{"tail-loop", "failed heuristic error=1 failed=11 passed=7 skipped=1; 12"},
	{"reruns-report-all", "failed parsed error=1 failed=2 passed=4 rerun=8 skipped=1; 3"},
	{"tty", "failed parsed deselected=50 failed=2 passed=1; 2"},
	{"default", "failed parsed error=2 failed=13 passed=4 skipped=1 warnings=6 xfailed=1; 15"},
	{"default-v7", "failed parsed error=6 failed=42 passed=4 skipped=1 warnings=1 xfailed=1 xpassed=1; 48"},
	{"doctest", "failed parsed failed=1; 1"},
	{"doctest-modules", "failed parsed failed=1; 1"},
	{"doctest-short", "failed parsed failed=1; 1"},
	{"doctest-ndiff", "failed parsed failed=2; 2"},
	{"doctest-continue", "failed parsed failed=2; 2"},
	{"tb-line-odd-ids", "failed parsed failed=23 passed=1; 22"},
	{"tb-no-odd-ids", "failed parsed failed=23 passed=1 subtests_passed=1; 22"},
	{"very-quiet-prints", "failed parsed error=2 failed=3 passed=2 skipped=0; 5"},
	{"report-none", "failed parsed error=2 failed=3 passed=2; 5"},
	{"report-none-quiet", "failed parsed error=2 failed=3 passed=2; 5"},
	{"style-times", "failed parsed error=1 failed=2 passed=3 skipped=1 xfailed=1; 3"},
	{"style-count", "failed parsed error=1 failed=2 passed=3 skipped=1 xfailed=1; 3"},
	{"nocapture-names", "failed parsed error=1 failed=2 passed=3 skipped=1 xfailed=1; 3"},
	{"nocapture-parameters", "failed parsed error=1 failed=3 passed=2 subtests_passed=2 xpassed=1; 3"},
	{"verbose-head", "failed heuristic; 3"},
	{"no-summary-verbose", "failed parsed error=2 failed=3 passed=2; 5"},
	{"os-exit-zero", "failed heuristic; 1"},
	{"os-exit-zero-quiet", "failed heuristic failed=2; 1"},
	{"fixtures-listing", "ok parsed; 0"},
	{"warning-filter", "error parsed; 1"},
	{"same-basename", "error parsed error=1; 1"},
	{"summary-failures-v5", "failed parsed error=3 failed=21 passed=2 skipped=2 warnings=1 xfailed=1; 24"},
	{"default-v4", "failed parsed error=3 failed=21 passed=2 skipped=2 warnings=1 xfailed=1; 24"},
	{"sugar", "failed parsed error=2 failed=3 passed=2; 5"},
	{"instafail", "failed parsed error=2 failed=3 passed=2; 5"},
	{"instafail-collecting", "error parsed error=2; 2"},
	{"from-subdir", "failed parsed error=2 failed=6 passed=2 subtests_passed=3; 7"},
	{"internal-error", "error heuristic; 1"},
	{"internal-error-report", "error parsed passed=0; 1"},
	{"internal-hook", "error parsed passed=1; 1"},
	{"interrupted", "error parsed failed=1; 2"},
	{"interrupted-quiet", "error parsed failed=1; 2"},
	{"ids-that-hold-dashes", "failed parsed failed=5; 5"},
	{"make-both", "failed parsed failed=2 passed=3; 3"},
	{"make-test", "failed parsed failed=5 passed=2 subtests_passed=3; 4"},
	{"shell-and", "passed parsed passed=2; 0"},
	{"swallowed", "failed parsed deselected=51 failed=1 passed=1; 1"},
	{"grep-lines", "failed heuristic; 17"},
	{"head-cut", "failed heuristic; 1"},
	{"run-sh", "failed parsed failed=1 passed=1; 1"},
	{"maxfail-2", "failed parsed failed=2 passed=1; 2"},
	{"maxfail-x", "failed parsed error=1; 1"},
	{"narrow-40", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"no-header", "failed parsed failed=1; 1"},
	{"no-match", "error parsed passed=0; 1"},
	{"no-such-file", "error parsed passed=0; 1"},
	{"abort-quiet", "error parsed failed=2; 3"},
	{"leak-at-end", "error parsed error=1 passed=1; 2"},
	{"cells", "failed parsed failed=2; 2"},
	{"notebooks", "failed parsed failed=5 passed=3; 5"},
	{"no-summary", "failed parsed failed=1; 1"},
	{"no-terminal", "failed generic; 0"},
	{"no-tests", "failed parsed deselected=20 passed=0; 1"},
	{"no-tests-quiet", "failed parsed deselected=2 passed=0; 1"},
	{"os-exit", "error heuristic; 0"},
	{"pass-quiet", "passed parsed passed=2; 0"},
	{"pass-strict-markers", "passed parsed passed=2; 0"},
	{"retry-passes", "passed parsed flaky=1 passed=2; 1"},
	{"pipe-tail", "failed parsed failed=2 passed=1; 2"},
	{"prints-imitation", "failed parsed failed=2 passed=1; 2"},
	{"prints-imitation-quiet", "failed parsed failed=2 passed=1; 2"},
	{"prints-line", "failed parsed failed=2 passed=1; 2"},
	{"prints-nocapture", "failed parsed failed=2 passed=1; 2"},
	{"pytest-exit", "error parsed passed=0; 1"},
	{"pytester", "failed parsed failed=1 passed=1; 1"},
	{"pytester-nocapture", "failed parsed failed=1 passed=1; 1"},
	{"pytester-quiet", "failed parsed failed=1 passed=1; 1"},
	{"python313", "failed parsed deselected=49 failed=4; 4"},
	{"quiet", "failed parsed error=2 failed=13 passed=4 skipped=1 warnings=6 xfailed=1; 15"},
	{"quiet-subset", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"random-flaky-async", "failed parsed failed=3 passed=1 rerun=2; 3"},
	{"report-all", "failed parsed deselected=46 failed=4 passed=3 skipped=1 xfailed=1 xpassed=1; 4"},
	{"report-none-prints", "failed parsed failed=2 passed=1; 2"},
	{"segfault", "error heuristic; 1"},
	{"segfault-merged", "error heuristic; 1"},
	{"showlocals", "failed parsed deselected=50 failed=3; 3"},
	{"summary-of-passed-teardown", "failed parsed error=1 failed=3 passed=2 subtests_passed=2 xpassed=1; 3"},
	{"subtests", "failed parsed failed=5 passed=2 subtests_passed=3; 4"},
	{"subtests-quiet", "failed parsed failed=5 passed=2 subtests_passed=3; 4"},
	{"subtests-report-all", "failed parsed failed=1 passed=3 subtests_passed=84; 1"},
	{"subtests-tb-no", "failed parsed failed=5 passed=2; 4"},
	{"subtests-v7", "failed parsed failed=4 passed=3 subtests_passed=2; 4"},
	{"exception-groups", "failed parsed failed=5 warnings=1; 5"},
	{"check-several", "failed parsed failed=2 passed=2; 2"},
	{"tb-line", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"tb-line-v7", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"tb-long", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"tb-native", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"tb-no", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"tb-short", "failed parsed error=2 failed=13 passed=4 skipped=1 warnings=6 xfailed=1; 15"},
	{"tb-short-subset", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"two-runs", "failed parsed deselected=1 failed=1 passed=2; 1"},
	{"two-runs-default", "failed parsed failed=2 passed=3; 2"},
	{"unittest-style", "failed parsed deselected=50 failed=3; 3"},
	{"unknown-option", "error parsed; 1"},
	{"table-row", "failed parsed failed=2 passed=1; 2"},
	{"verbose-subset", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"verbose-vv", "failed parsed failed=9 passed=3 skipped=1 warnings=6 xfailed=1; 9"},
	{"very-quiet", "failed parsed error=5 failed=16 passed=0 skipped=0; 21"},
	{"very-quiet-pass", "passed parsed error=0 failed=0 passed=2 skipped=0; 0"},
	{"wide-200", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"width-80", "failed parsed deselected=33 error=5 failed=16; 21"},
	{"xdist-maxfail", "error parsed failed=2 passed=1; 2"},
	{"xdist-os-exit", "failed parsed failed=1 passed=1; 1"},
	{"xdist-segfault", "failed parsed failed=1 passed=2; 1"},
	{"xdist-verbose", "failed parsed failed=2 passed=1; 2"},
	{"xdist-worker-crash", "failed parsed failed=1 passed=2; 1"},
}

func inShort(r *result.ToolResult) string {
	s := fmt.Sprintf("%s %s", r.Status, r.ParserConfidence)
	for _, k := range slices.Sorted(maps.Keys(r.Counts)) {
		s += fmt.Sprintf(" %s=%d", k, r.Counts[k])
	}
	return fmt.Sprintf("%s; %d", s, len(r.Findings))
}

func TestPytestGolden(t *testing.T) {
	for _, c := range casetest.Cases(t, "pytest") {
		t.Run(c.Name, func(t *testing.T) {
			i := slices.IndexFunc(pytestWant, func(w struct{ name, want string }) bool { return w.name == c.Name })
			if i < 0 {
				t.Fatal("this case has no line in pytestWant")
			}
			r := c.Parse()
			if got := inShort(r); got != pytestWant[i].want {
				t.Errorf("got  %s\nwant %s\n%s", got, pytestWant[i].want, facts(r))
			}
			checkTruth(t, c, r)
		})
	}
}

// checkTruth compares with what was read in the raw output by other means.
func checkTruth(t *testing.T, c casetest.Case, r *result.ToolResult) {
	t.Helper()
	if len(c.Truth) == 0 {
		return
	}
	var tests []string
	for _, fact := range c.Truth {
		kind, value, _ := strings.Cut(fact, " ")
		has := func(f result.Finding) bool {
			for _, rel := range r.LocalFinding(f).Related { // of members of an exception group
				if kind == "says" && strings.Contains(rel.Message, value) || kind == "at" && rel.At != nil && strings.HasPrefix(rel.At.String()+":", value+":") {
					return true
				}
			}
			switch kind {
			case "test":
				return f.ID == value
			case "says":
				return strings.Contains(f.Message, value)
			case "at":
				return strings.HasPrefix(r.LocalFinding(f).Location+":", value+":")
			}
			return f.Rule == value
		}
		if !slices.ContainsFunc(r.Findings, has) {
			t.Errorf("no finding has %q", fact)
		}
		if kind == "test" {
			tests = append(tests, value)
		}
	}
	var got []string
	for _, f := range r.Findings {
		if f.Kind == result.TestFailure {
			got = append(got, f.ID)
		}
	}
	slices.Sort(got)
	slices.Sort(tests)
	if !slices.Equal(got, tests) {
		t.Errorf("failed tests\ngot  %q\nwant %q", got, tests)
	}
}
