package golang

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/result"
)

// goExpected was read off the recorded output: the names of cases, status and
// confidence, then a line for each finding. A case stands for its text, its -v
// and its -json form, where these were recorded.
const goExpected = `
# subs local fullpath: failed parsed
test_failure|Example_unordered||example output: got "x", want "y" (unordered)
test_failure|Example||example output: got "b", want "c"
test_failure|TestDeep/l1/l2/l3|subs/s_test.go:35|deep
test_failure|TestDeep/l1/l2|subs/s_test.go:36|own text of l2
test_failure|TestLong|subs/s_test.go:72|mismatch (-want +got):
test_failure|TestMany|subs/s_test.go:27|third is fatal
test_failure|TestPar/0|subs/s_test.go:50|Parse(0) = 1, want 0
test_failure|TestPar/2|subs/s_test.go:50|Parse(2) = 3, want 4
test_failure|TestSilent||failed without saying why
test_failure|TestStderr|subs/s_test.go:68|red thing
test_failure|TestTable/#00|subs/s_test.go:18|got 0, want -1
test_failure|TestTable/#01|subs/s_test.go:18|got 0, want -1
test_failure|TestTable/#1|subs/s_test.go:18|got 2, want -1
test_failure|TestTable/(0.00s)|subs/s_test.go:18|got 7, want -1
test_failure|TestTable/(paren)|subs/s_test.go:18|got 7, want -1
test_failure|TestTable/100%|subs/s_test.go:18|got 4, want -1
test_failure|TestTable/a/b|subs/s_test.go:18|got 3, want -1
test_failure|TestTable/größe|subs/s_test.go:18|got 7, want -1
test_failure|TestTable/quote"d|subs/s_test.go:18|got 7, want -1
test_failure|TestTable/tab_here|subs/s_test.go:18|got 8, want -1
test_failure|TestTable/with_space|subs/s_test.go:18|got 10, want -1
test_failure|TestTable/x=1,y=2|subs/s_test.go:18|got 7, want -1
# shuffle: failed parsed
test_failure|Example_unordered||example output: got "x", want "y" (unordered)
test_failure|Example||example output: got "b", want "c"
test_failure|TestDeep/l1/l2/l3|subs/s_test.go:35|deep
test_failure|TestDeep/l1/l2|subs/s_test.go:36|own text of l2
# broken gbuildtext: failed parsed
build_error||broken/b.go:12:14|cannot use "x" (untyped string constant) as int value in argument to g
build_error||broken/b.go:12:19|cannot use 3 (untyped int constant) as string value in argument to g
build_error||broken/b.go:12:38|cannot use 5 (untyped int constant) as string value in variable declaration
build_error||broken/b.go:3:8|"os" imported and not used
build_error||broken/b.go:6:6|declared and not used: unused
build_error||broken/b.go:7:9|undefined: totl
# osx: failed parsed
test_failure|TestBad|osx/o_test.go:6|bad
test_failure|osx||the test binary ended without a verdict, after: leaving now
# logfatal: failed parsed
test_failure|logfatal||the test binary ended without a verdict, after: cannot open ledger.db
# exits: failed parsed
test_failure|exits||the test binary ended without a verdict, after: exits: LEDGER_DB is not set; cannot run integration tests
# initpanic: failed parsed
panic|initpanic|initpanic/i_test.go:5|panic: init broke
# deadlock: failed parsed
panic|TestDead|deadlock/d_test.go:7|fatal error: all goroutines are asleep - deadlock!
# mapw: failed parsed
panic|TestConc|mapw/m_test.go:10|fatal error: concurrent map writes
# overflow: failed parsed
panic|TestSO|overflow/o_test.go:5|fatal error: stack overflow
# panic-deref: failed parsed
panic|TestDeref|panics/p.go:5|panic: runtime error: invalid memory address or nil pointer dereference
# panic-sub: failed parsed
panic|TestSub/in_ner|panics/p_test.go:19|panic: runtime error: index out of range [5] with length 0
# panic-err: failed parsed
panic|TestErr|panics/p_test.go:21|panic: multi
# panic-gor: failed parsed
panic|TestGor|panics/p.go:5|panic: runtime error: invalid memory address or nil pointer dereference
# panic-gorhelper: failed parsed
panic|panics|panics/p.go:5|panic: runtime error: invalid memory address or nil pointer dereference
# panic-repanic: failed parsed
panic|TestRepanic|panics/p_test.go:34|panic: first
# panic-same: failed parsed
panic|TestRepanicSame|panics/p_test.go:39|panic: first
# panic-defer: failed parsed
panic|TestDefer|panics/p_test.go:44|panic: first
# panic-cleanup: failed parsed
panic|TestCleanup|panics/p_test.go:49|panic: in cleanup
# panic-par: failed parsed
panic|TestParPanic/b|panics/p.go:5|panic: runtime error: invalid memory address or nil pointer dereference
# panic-goexit: failed parsed
test_failure|TestGoexit/child||test executed panic(nil) or runtime.Goexit: subtest may have called FailNow on a parent test
# timeout: failed parsed
test_failure|TestBad|timeout/t_test.go:11|bad before the timeout
test_failure|TestPoll/backend|timeout/t_test.go:8|test timed out after 1s
# race: failed parsed
test_failure|TestRace|race/r.go:5|data race: read in race.(*C).Inc, previous write in race.(*C).Inc
test_failure|TestSub/one|race/r.go:5|data race: write in race.(*C).Inc, previous read in race.(*C).Get
test_failure|TestSub/one|race/r_test.go:28|also wrong
# seed: failed parsed
test_failure|FuzzSeed/seed#1|fuzzy/f_test.go:30|seed is "bad"
# fuzzcrash: failed parsed
test_failure|FuzzCrash|fuzzy/f_test.go:13|digits in "0"
# fuzzpanic: failed parsed
panic|FuzzPanic|fuzzy/f_test.go:21|panic: too long
# benchbad: failed parsed
test_failure|BenchmarkBad|bench/b_test.go:6|bench is bad
test_failure|BenchmarkSub/n=2|bench/b_test.go:7|sub bad
# count cover: failed parsed
test_failure|TestDeep|internal/deep/d_test.go:5|Sum() = 3, want 4
# broketest: failed parsed
build_error||broketest/b_test.go:3:28|undefined: undefinedThing
build_error||broketest/x_test.go:3:32|declared and not used: a
build_error||broketest/x_test.go:3:41|t.Foo undefined (type *testing.T has no field or method Foo)
# vetbad: failed parsed
build_error||vetbad/v_test.go:3:40|fmt.Printf format %d has arg "x" of wrong type string
build_error||vetbad/v_test.go:3:63|(*testing.common).Errorf format %s has arg 3 of wrong type int
# usedep: failed parsed
build_error||dep/d.go:3:23|cannot use "s" (untyped string constant) as int value in return statement
# missing: failed parsed
build_error||missing/m_test.go:5:2|package foo/bar is not in std (/usr/local/go/src/foo/bar)
# syntax: failed parsed
build_error||syntax/s_test.go:6:1|expected operand, found '}'
# cyc: failed parsed
build_error|cyc/a||import cycle not allowed: package example.com/ledger/cyc/a imports example.com/ledger/cyc/b from a.go imports example.com/ledger/cyc/a from b.go
build_error|cyc/b||import cycle not allowed: package example.com/ledger/cyc/a imports example.com/ledger/cyc/b from a.go imports example.com/ledger/cyc/a from b.go
# setupbad: failed parsed
build_error|setupbad|setupbad/a.go|found packages setupbad (a.go) and other (b.go) in /tmp/ledger/setupbad
# nosuch: failed parsed
build_error|./nope|nope|stat /tmp/ledger/nope: directory not found
# nomatch: failed parsed
build_error|./zzz/...||pattern ./zzz/...: lstat ./zzz/: no such file or directory
# badflag: failed parsed
build_error|.||no Go files in /tmp/ledger
# testmain-panic: failed parsed
panic|TestMain|tm/m_test.go:5|panic: setup went wrong
# external: failed parsed
panic|TestExternal|rout/r_test.go:5|panic: assignment to entry in nil map
# timeout-parallel: failed parsed
test_failure|TestPar/a|timeout/t_test.go:8|test timed out after 1s
test_failure|TestPar/b|timeout/t_test.go:8|test timed out after 1s
# workspace: failed parsed
test_failure|TestIn|a/x_test.go:5|in a
test_failure|TestIn|b/x_test.go:5|in b
# testify: failed parsed
panic|TestSuite/TestBoom|cart/cart_test.go:39|test panicked: boom in suite
test_failure|TestCmp|cart/cart_test.go:30|rows mismatch (-want +got):
test_failure|TestEqual|cart/cart_test.go:18|Not equal: expected 5, actual 6: total of 3 items
test_failure|TestHelper|cart/cart_test.go:26|Not equal: expected 1, actual 2
test_failure|TestLen|cart/cart_test.go:22|"[1 2]" should have 3 item(s), but has 2
test_failure|TestMultiline|cart/cart_test.go:33|Not equal: expected "a\nb\nc", actual "a\nx\nc"
test_failure|TestNoError|cart/cart_test.go:20|Received unexpected error: connection refused
test_failure|TestStruct|cart/cart_test.go:19|Not equal: expected cart.row{ID:1, Name:"a"}, actual cart.row{ID:2, Name:"a"}
test_failure|TestSuite/TestOne|cart/cart_test.go:37|Not equal: expected 1, actual 2
test_failure|TestSuite/TestTwo|cart/cart_test.go:38|Expected nil, but got: &errors.errorString{s:"x"}
test_failure|TestTrue|cart/cart_test.go:21|"abc" does not contain "x"
# nomod: failed parsed
build_error|./...||pattern ./...: directory prefix . does not contain main module or its selected dependencies
# badusage: error parsed
generic|||flag needs an argument: -run
# badtimeout: error parsed
generic|||invalid value "x" for flag -timeout: parse error
# trimpath: failed parsed
panic|TestDeref|panics/p.go:5|panic: runtime error: invalid memory address or nil pointer dereference
# chdir: failed parsed
test_failure|TestDeep|ledger/internal/deep/d_test.go:5|Sum() = 3, want 4
# subdir: failed parsed
test_failure|TestDeep|internal/deep/d_test.go:5|Sum() = 3, want 4
# passall local-pass bench: passed parsed
# norun no-tests-to-run: ok parsed
# panic-single: failed parsed
panic|TestPutThenGet|store/store.go:20|panic: assignment to entry in nil map
# goroutine-panic: failed parsed
panic|TestGoroutinePanic|tf/tf_test.go:70|panic: runtime error: index out of range [5] with length 0
# no-such-package: failed parsed
build_error|./nope|nope|stat /home/dev/ledger/nope: directory not found
# os-exit-in-test: failed parsed
test_failure|tf||the test binary ended without a verdict
# testmain-exit: failed parsed
test_failure|exits||the test binary ended without a verdict, after: exits: LEDGER_DB is not set; cannot run integration tests
# fuzz-crash: failed parsed
test_failure|FuzzReverse|fuzzy/fuzzy_test.go:15|Reverse("é") produced invalid UTF-8 "\xa9\xc3"
# parallel-failfast-shuffle: failed parsed
test_failure|ExampleAmount_String||example output: got "0.-5 €", want "-0.05 €"
test_failure|TestSplitSumsToWhole|money/money_test.go:47|parts do not sum to the whole:
# build-failed: failed parsed
build_error||report/report.go:10:34|undefined: totl
build_error||report/report.go:14:9|too many return values
build_error||report/report.go:9:6|declared and not used: unused
# tricky-output-json tricky-output-verbose: failed parsed
test_failure|TestNilMap|tf/tf_test.go:51|recovered: assignment to entry in nil map
test_failure|TestParallel/beta|tf/tf_test.go:25|unexpected name "beta"
test_failure|TestParallel/gamma|tf/tf_test.go:25|unexpected name "gamma"
test_failure|TestRows|tf/tf_test.go:39|mismatch (-want +got):
# stack-overflow-fatal: failed heuristic
generic||so/so_test.go:3|fatal error: stack overflow
`

func TestGoTestGolden(t *testing.T) {
	for _, block := range strings.Split(goExpected, "\n# ")[1:] {
		head, rest, _ := strings.Cut(strings.TrimSuffix(block, "\n"), "\n")
		names, verdict, _ := strings.Cut(head, ": ")
		want := []string{verdict}
		if rest != "" {
			want = append(want, strings.Split(rest, "\n")...)
		}
		for _, name := range strings.Fields(names) {
			for _, form := range []string{"", "-v", "-json"} {
				if _, err := os.Stat(filepath.Join(casetest.Golden, "go-test", name+form)); err != nil && form != "" {
					continue
				}
				t.Run(name+form, func(t *testing.T) {
					casetest.SameLines(t, brief(casetest.Read(t, "go-test/"+name+form).Parse()), want)
				})
			}
		}
	}
}

// TestGoTestFakeFailure: a passing test of a quiet run prints a well-formed
// report. That cannot be told from a failure, so it is reported as one.
func TestGoTestFakeFailure(t *testing.T) {
	r := casetest.Read(t, "go-test/tricky-output").Parse()
	fakes := 0
	for _, f := range r.Findings {
		if f.Name == "TestFake" {
			fakes++
		}
	}
	if len(r.Findings) != 5 || fakes != 1 {
		t.Errorf("%d findings, %d of them TestFake; want 5 and 1", len(r.Findings), fakes)
	}
}

// TestGoTestCounts: what passed and was skipped is known from events only.
func TestGoTestCounts(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"subs":      {"failed": 21, "packages_failed": 1, "packages_ok": 0},
		"subs-v":    {"failed": 21, "passed": 3, "skipped": 1, "packages_failed": 1, "packages_ok": 0},
		"subs-json": {"failed": 21, "passed": 3, "skipped": 1, "packages_failed": 1, "packages_ok": 0},
		"passall":   {"packages_failed": 0, "packages_ok": 2},
		"count":     {"failed": 3, "packages_failed": 1, "packages_ok": 0},
		"usedep":    {"packages_failed": 1, "packages_not_built": 1, "packages_ok": 1},
	} {
		got := casetest.Read(t, "go-test/"+name).Parse().Counts
		for k, n := range want {
			if got[k] != n {
				t.Errorf("%s: %s is %d, want %d", name, k, got[k], n)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestGoTestTruth: every fact that was read from the raw output, without the
// parser's help, is somewhere in the result.
func TestGoTestTruth(t *testing.T) {
	for _, c := range casetest.Cases(t, "go-test") {
		if c.Name == "stack-overflow-fatal" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			r := c.Parse()
			for _, fact := range c.Truth {
				kind, what, _ := strings.Cut(fact, " ")
				if kind != "says" && !slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return tells(f, kind, what) }) {
					t.Errorf("not told: %s %s", kind, what)
				}
			}
		})
	}
}

func tells(f result.Finding, kind, what string) bool {
	switch kind {
	case "test":
		return f.Name == what
	case "package":
		return f.ID == what
	}
	if strings.HasSuffix(f.Location, what) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(r result.Related) bool {
		return r.At != nil && strings.HasSuffix(r.At.String(), what)
	})
}

// TestGoTestFormats: text, -v and -json of one run give the same findings.
func TestGoTestFormats(t *testing.T) {
	pairs := 0
	for _, c := range casetest.Cases(t, "go-test") {
		base, ok := strings.CutSuffix(c.Name, "-json")
		if !ok {
			base, ok = strings.CutSuffix(c.Name, "-v")
		}
		if !ok || base == "tricky-output" || base == "old" {
			continue
		}
		pairs++
		t.Run(c.Name, func(t *testing.T) {
			casetest.SameLines(t, identities(c.Parse()), identities(casetest.Read(t, "go-test/"+base).Parse()))
		})
	}
	if pairs < 25 {
		t.Errorf("only %d pairs", pairs)
	}
}

// TestGoReportDepth: what a message repeats further in than its name tells is
// no report; a subtest's and a fuzz input's are.
func TestGoReportDepth(t *testing.T) {
	for line, want := range map[string]bool{
		"--- FAIL: TestA (0.00s)":                true,
		"    --- FAIL: TestA/b (0.00s)":          true,
		"        --- FAIL: TestA/b/c#01 (0.00s)": true,
		"    --- FAIL: FuzzA (0.00s)":            true,
		"        --- FAIL: FuzzA/b (0.00s)":      true,
		"        --- FAIL: TestA (0.00s)":        false,
		"            --- FAIL: TestA/b (0.00s)":  false,
		"glued text--- FAIL: TestA (0.00s)":      true,
	} {
		if _, ok := readGoReport(line); ok != want {
			t.Errorf("%q: %v", line, ok)
		}
	}
}
