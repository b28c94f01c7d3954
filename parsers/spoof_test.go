package parsers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/outcomes"
	"cairn/result"
)

// spoofs are what a test may print to look better than it is, or to make up tests. {bad} and
// {ok} are the names of two tests as their runner prints them, of which the first one fails,
// {ghost} of no test.
var spoofs = []string{
	"PASSED", "PASSED\n", "\nPASSED", "ok", "ok\n", "... ok\n",
	"{bad} PASSED\n", "\n{bad} PASSED\n", "\n{bad} PASSED                      [ 66%]\n", "\n{ghost} PASSED\n", "\n{ghost} FAILED\n", "\n{ok} FAILED\n",
	"\n[gw0] [ 66%] PASSED {bad} \n", "\nPASSED {bad}\n",
	"\n============================== 3 passed in 0.01s ===============================\n",
	"\n=========================== short test summary info ============================\nPASSED {bad}\nPASSED {ghost}\n============================== 3 passed in 0.01s ===============================\n",
	"\n============================= test session starts ==============================\ncollected 1 item\n\n{ghost} PASSED      [100%]\n\n============================== 1 passed in 0.01s ===============================\n",
	"\r                                                                                \r", "\r\x1b[2K{bad} PASSED\n", "\x1b[2K\x1b[1G", "\x1b[1A\x1b[2K", "\x1b[2J\x1b[H", "\b\b\b\b\b\b\b\b\b\b\b\b", "\x1b[8m", "\x1b[1K", "\x1bc",
	"\n--- PASS: {bad} (0.00s)\n", "--- PASS: {bad} (0.00s)\n", "\n    --- PASS: {bad} (0.00s)\n", "\n--- PASS: {ghost} (0.00s)\n", "\n--- FAIL: {ghost} (0.00s)\n", "\n=== RUN   {ghost}\n--- PASS: {ghost} (0.00s)\n",
	"\n=== RUN   {bad}\n--- PASS: {bad} (0.00s)\n", "\nPASS\nok  \texample.com/a\t0.010s\n", "\n=== CONT  {ok}\n", "\n=== PAUSE {bad}\n=== CONT  {bad}\n--- PASS: {bad} (0.00s)\n",
	"\ntest {bad} ... ok\n", "test {bad} ... ok\n", "\ntest {ghost} ... ok\n", "\ntest {ghost} ... FAILED\n", "\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
	"\nrunning 1 test\ntest {ghost} ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
	"✔ {bad} (1ms)\n", "✔ {ghost} (1ms)\n", "▶ {bad}\n  ✔ {ghost} (1ms)\n✔ {bad} (2ms)\n", "▶ {ghost}\n", "ℹ tests 3\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ duration_ms 1\n",
	"\nTAP version 14\n1..3\nok 1 - {bad}\nok 2 - {ok}\nok 3 - {ghost}\n", "\n# tests 3\n# pass 3\n# fail 0\n",
	"\n<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"pytest\" tests=\"1\" failures=\"0\" errors=\"0\"><testcase classname=\"test_a\" name=\"test_bad\" time=\"0.1\"/></testsuite></testsuites>\n",
	"\n{\"Action\":\"pass\",\"Package\":\"example.com/a\",\"Test\":\"{bad}\",\"Elapsed\":0}\n",
	"\n{ \"type\": \"test\", \"name\": \"{bad}\", \"event\": \"ok\" }\n",
	"\n  ✔ {bad}\n  ✔ {ghost}\n", "\n  ─\n\n  3 tests passed\n", "\r  ✔ {bad}\n",
	"\n  {bad}\n", "\n  {ghost}\n", "\n3 examples, 0 failures\n", "\nFinished in 0.05654 seconds (files took 1.89 seconds to load)\n3 examples, 0 failures\n",
	"\n  Scenario: {bad}  # features/a.feature:4\n    Given a cart  # features/steps/a.py:2\n", "\n  Scenario: {ghost}  # features/a.feature:9\n    Given a cart  # features/steps/a.py:2\n\n",
	"\n1 feature passed, 0 failed, 0 skipped\n3 scenarios passed, 0 failed, 0 skipped\n3 steps passed, 0 failed, 0 skipped\nTook 0min 0.000s\n", "\n3 scenarios (3 passed)\n3 steps (3 passed)\n0m0.144s\n",
	"\nAll tests passed (3 assertions in 3 test cases)\n\n", "\ntest cases: 3 | 3 passed\nassertions: 3 | 3 passed\n", "\nc2s.cc:4: PASSED:\n  CHECK( 1 == 1 )\n\n",
	"\n-------------------------------------------------------------------------------\n{ghost}\n-------------------------------------------------------------------------------\nc2s.cc:9\n...............................................................................\n\nc2s.cc:9: PASSED:\n  CHECK( 1 == 1 )\n\n",
	"\n• [0.000 seconds]\n", "\n• [0.000 seconds]\n------------------------------\nCart {ghost}\nexample.com/a/a_test.go:9\n• [0.000 seconds]\n------------------------------\n",
	"\nRan 3 of 3 Specs in 0.001 seconds\nSUCCESS! -- 3 Passed | 0 Failed | 0 Pending | 0 Skipped\nPASS\n",
}

// spoofed is a runner whose output has a place in which a test prints.
type spoofed struct {
	name           string
	argv           []string
	bad, ok, ghost string // as printed
	id             string // of bad: {bad}'s
	output         string // with PRINTED where {bad} prints
}

var spoofedRunners = []spoofed{
	{"pytest -v -s", []string{"pytest", "-v", "-s"}, "test_a.py::test_bad", "test_a.py::test_ok", "test_a.py::test_ghost", "test_a.py::test_bad", `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
rootdir: /src
collected 3 items

test_a.py::test_ok PASSED
test_a.py::test_bad PRINTEDFAILED
test_a.py::test_last PASSED

=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

    def test_bad():
        print(SPOOF, end="")
>       assert 0
E       assert 0

test_a.py:7: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_bad - assert 0
========================= 1 failed, 2 passed in 0.01s ==========================
`},
	{"pytest -v -rA", []string{"pytest", "-v", "-rA"}, "test_a.py::test_bad", "test_a.py::test_ok", "test_a.py::test_ghost", "test_a.py::test_bad", `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
rootdir: /src
collected 3 items

test_a.py::test_ok PASSED                                                [ 33%]
test_a.py::test_bad FAILED                                               [ 66%]
test_a.py::test_last PASSED                                              [100%]

=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

    def test_bad():
        print(SPOOF, end="")
>       assert 0
E       assert 0

test_a.py:7: AssertionError
----------------------------- Captured stdout call -----------------------------
PRINTED
==================================== PASSES ====================================
=========================== short test summary info ============================
PASSED test_a.py::test_ok
PASSED test_a.py::test_last
FAILED test_a.py::test_bad - assert 0
========================= 1 failed, 2 passed in 0.01s ==========================
`},
	{"go test -v", []string{"go", "test", "-v", "./..."}, "TestBad", "TestOk", "TestGhost", "example.com/a.TestBad", `=== RUN   TestOk
--- PASS: TestOk (0.00s)
=== RUN   TestBad
PRINTED    a_test.go:7: no
--- FAIL: TestBad (0.00s)
=== RUN   TestLast
--- PASS: TestLast (0.00s)
FAIL
FAIL	example.com/a	0.003s
FAIL
`},
	{"cargo test --nocapture", []string{"cargo", "test", "--", "--nocapture", "--test-threads=1"}, "tests::bad", "tests::ok", "tests::ghost", "tests::bad", `   Compiling a v0.1.0 (/src)
    Finished ` + "`test`" + ` profile [unoptimized + debuginfo] target(s) in 0.20s
     Running unittests src/lib.rs (target/debug/deps/a-5b0d0e5c6c8f6f5e)

running 3 tests
test tests::bad ... PRINTED
thread 'tests::bad' (7) panicked at src/lib.rs:6:9:
no
note: run with ` + "`RUST_BACKTRACE=1`" + ` environment variable to display a backtrace
FAILED
test tests::last ... ok
test tests::ok ... ok

failures:

failures:
    tests::bad

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass ` + "`--lib`" + `
`},
	{"node --test", []string{"node", "--test"}, "bad", "works", "ghost", "bad", `✔ works (0.9ms)
PRINTED✖ bad (9.5ms)
✔ last (0.2ms)
ℹ tests 3
ℹ suites 0
ℹ pass 2
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 118.9

✖ failing tests:

test at a.test.js:3:1
✖ bad (9.5ms)
  AssertionError [ERR_ASSERTION]: no
`},
}

// recorded are runners whose output with the mark PRINTED is in testdata/spoofs.
func recorded(t *testing.T) (all []spoofed) {
	for _, s := range []spoofed{
		{name: "ava", argv: []string{"npx", "ava"}, id: "bad"},
		{name: "behave", argv: []string{"behave", "--no-capture"}, id: "features/a.feature › bad"},
		{name: "cucumber", argv: []string{"cucumber"}, id: "features/a.feature # Scenario: bad"},
		{name: "catch2", argv: []string{"./c2", "-s"}, id: "bad"},
		{name: "rspec", argv: []string{"rspec", "-fd"}, id: "Cart bad"},
		{name: "ginkgo", argv: []string{"ginkgo", "-v"}, id: "Cart bad"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "spoofs", s.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		s.output, s.bad, s.ok, s.ghost = string(text), "bad", "works", "ghost"
		all = append(all, s)
	}
	return all
}

// TestSpoofs: whatever a failing test prints, it is not listed as passed, and a list with a
// test that there is not, or without one that there is, is not called complete.
func TestSpoofs(t *testing.T) {
	for _, s := range append(recorded(t), spoofedRunners...) {
		for i, spoof := range spoofs {
			t.Run(fmt.Sprintf("%s/%d", s.name, i), func(t *testing.T) {
				printed := strings.NewReplacer("{bad}", s.bad, "{ok}", s.ok, "{ghost}", s.ghost).Replace(spoof)
				output := strings.Replace(s.output, "PRINTED", printed, 1)
				list, said := testsOf(Input{Argv: s.argv, Source: Separate([]byte(output), nil), Workspace: result.Workspace{Root: "/src"}}, 1)
				if said == nil {
					t.Fatalf("no tests were read:\n%s", output)
				}
				bad, names := false, 0
				for _, one := range list {
					if one.Tool != "" && one.Tool != s.name && s.name == "catch2" {
						continue // ./c2 may be a script that runs two tools: the tests of each have its name
					}
					if one.ID == s.id {
						if bad = one.Outcome.Bad(); !bad {
							t.Errorf("%q: %s is listed as %s\n%s", printed, one.ID, one.Outcome, output)
						}
					}
					if strings.Contains(strings.ToLower(one.ID), "ghost") && said.Complete {
						t.Errorf("%q: %s is listed as %s, and the list called complete", printed, one.ID, one.Outcome)
					}
					names++
				}
				if said.Complete && (!bad || names != 3) {
					t.Errorf("%q: called complete: %+v", printed, list)
				}
			})
		}
	}
}

// testsOf is what every test of an output came to.
func testsOf(in Input, code int) (outcomes.List, *result.Outcomes) {
	s := New(in)
	s.Scan()
	s.Result(result.Exit{Observed: true, Code: code})
	return s.Outcomes()
}

// TestSpoofedReports: a report that contradicts what the run printed makes no failure a pass.
func TestSpoofedReports(t *testing.T) {
	s := spoofedRunners[0]
	output := strings.Replace(s.output, "PRINTED", "", 1)
	report := func(cases string, n, failures int) string {
		return fmt.Sprintf("<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"pytest\" errors=\"0\" failures=\"%d\" skipped=\"0\" tests=\"%d\">%s</testsuite></testsuites>\n", failures, n, cases)
	}
	ok := `<testcase classname="test_a" name="test_%s" time="0.001"/>`
	for name, text := range map[string]string{
		"written by a test":    report(fmt.Sprintf(ok+ok+ok, "ok", "bad", "last"), 3, 0),
		"of other tests":       report(fmt.Sprintf(ok+ok, "ghost", "ghost2"), 2, 0),
		"without the failure":  report(fmt.Sprintf(ok+ok, "ok", "last"), 2, 0),
		"counts what it lacks": report(fmt.Sprintf(ok+ok, "ok", "last"), 3, 1),
		"cut":                  strings.TrimSuffix(report(fmt.Sprintf(ok+ok+ok, "ok", "bad", "last"), 3, 0), "</testsuite></testsuites>\n"),
		"empty":                report("", 0, 0),
		"with a ghost":         report(fmt.Sprintf(ok+ok+ok+ok, "ok", "bad", "last", "ghost"), 4, 0),
		"of a failing ghost":   report(fmt.Sprintf(ok, "ok")+`<testcase classname="test_a" name="test_ghost"><failure message="no">E no</failure></testcase>`+fmt.Sprintf(ok, "last"), 3, 1),
	} {
		for _, quiet := range []bool{true, false} {
			out := output
			if quiet {
				out = "..F                                                                      [100%]\n" + output[strings.Index(output, "=================================== FAILURES"):]
				out = strings.Replace(out, "========================= 1 failed, 2 passed in 0.01s ==========================", "1 failed, 2 passed in 0.01s", 1)
			}
			list, said := testsOf(Input{
				Argv: []string{"pytest", "--junitxml=out.xml"}, Source: Separate([]byte(out), nil), Workspace: result.Workspace{Root: "/src"},
				Artifacts: []Artifact{{Path: "out.xml", Role: RoleReport, Named: true, Data: strings.NewReader(text), Size: int64(len(text))}},
			}, 1)
			for _, one := range list {
				if strings.HasSuffix(one.ID, "test_bad") && !one.Outcome.Bad() || strings.Contains(one.ID, "ghost") && said.Complete {
					t.Errorf("%s: %s is listed as %s: %+v", name, one.ID, one.Outcome, said)
				}
			}
			if said.Complete && len(list) != 3 {
				t.Errorf("%s: called complete: %+v", name, list)
			}
		}
	}
}
