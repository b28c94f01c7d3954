package parsers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/result"
)

// TestReportForms: reports of other forms than JUnit's name their tests and say what they came to. The files were written by
// mocha-trx-reporter 3.3.1 and mocha-xunit-reporter 2.3.0 (mocha 10), pytest-nunit 1.0.7 and TestNG 7.10.2.
func TestReportForms(t *testing.T) {
	mocha := []string{"passed cart adds", "failed cart empty throws", "failed cart totals"}
	for _, c := range []struct {
		file string
		want []string
	}{
		{"mocha.trx", append([]string{"skipped cart empty waits", "skipped cart ships"}, mocha...)},
		{"mocha-xunit.xml", mocha},
		{"pytest-nunit.xml", []string{"passed test_cart.py::TestCart::test_adds", "skipped test_cart.py::TestCart::test_ships",
			"failed test_cart.py::TestCart::test_totals", "passed test_cart.py::test_n[1]", "failed test_cart.py::test_n[2]"}},
		{"testng-rows.xml", []string{`passed com.acme.CartTest.adds("1 + 1", 2, 2)`, `failed com.acme.CartTest.adds("[a b]", 3, 4)`, `skipped com.acme.CartTest.adds("x", 5, 5)`,
			`failed com.acme.CartTest.adds("y", 1, 9)`, "skipped com.acme.CartTest.after", "failed com.acme.CartTest.fails", "passed com.acme.CartTest.works"}},
		{"testng-junit-rows.xml", []string{`failed com.acme.CartTest.adds {"failed":2,"skipped":1,"passed":1}`,
			"skipped com.acme.CartTest.after", "error com.acme.CartTest.fails", "skipped com.acme.CartTest.off", "passed com.acme.CartTest.works"}},
		{"testng-results.xml", []string{"passed CartTest.adds", "skipped CartTest.ships", "passed CartTest.small(1)", "failed CartTest.small(2)", "failed CartTest.totals"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "reportforms", c.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, cut := range []int{len(text), len(text) / 2} {
				in := Input{Argv: []string{"./run"}, Source: Separate(nil, nil), Workspace: result.Workspace{Root: "/tmp/proj/forms"},
					Artifacts: []Artifact{{Path: c.file, Named: true, Data: bytes.NewReader(text[:cut]), Size: int64(cut)}}}
				list, said := testsOf(in, 1)
				var got []string
				for _, one := range list {
					got = append(got, strings.TrimSpace(string(one.Outcome)+" "+one.ID+" "+string(one.Came)))
				}
				slices.Sort(got)
				slices.Sort(c.want)
				switch {
				case cut == len(text) && (!slices.Equal(got, c.want) || said == nil || !said.Complete):
					t.Errorf("got  %q\nwant %q\n%+v", got, c.want, said)
				case cut < len(text) && said != nil && said.Complete:
					t.Errorf("a report that was cut is called complete: %q", got)
				}
			}
		})
	}
}

// TestReportFormsTrouble: what failed outside of every test is a failure, by the schemas of the forms.
func TestReportFormsTrouble(t *testing.T) {
	for what, doc := range map[string]string{
		"the pool was not closed": `<assemblies><assembly name="Cart.dll" errors="1"><errors><error type="assembly-cleanup" name="Pool"><failure exception-type="System.Exception"><message>the pool was not closed</message><stack-trace>at Pool.Dispose()</stack-trace></failure></error></errors>
<collection><test name="Cart.Adds" result="Pass" time="0.1"/></collection></assembly></assemblies>`,
		"TearDown : no disk": `<test-run result="Failed"><test-suite type="TestFixture" name="Cart" result="Failed" site="TearDown"><failure><message>TearDown : no disk</message><stack-trace>at Cart.Close()</stack-trace></failure>
<test-case fullname="Cart.Adds" result="Passed" duration="0.1"/></test-suite></test-run>`,
		"The active test run was aborted.": `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult testName="Cart.Adds" outcome="Passed" duration="00:00:00.1"/></Results>
<ResultSummary outcome="Failed"><RunInfos><RunInfo outcome="Warning"><Text>slow</Text></RunInfo><RunInfo outcome="Error"><Text>The active test run was aborted.</Text></RunInfo></RunInfos></ResultSummary></TestRun>`,
	} {
		in := Input{Argv: []string{"./run"}, Source: Separate(nil, nil), Workspace: result.Workspace{Root: "/src"},
			Artifacts: []Artifact{{Path: "report.xml", Named: true, Data: strings.NewReader(doc), Size: int64(len(doc))}}}
		r := Parse(in, result.Exit{Observed: true})
		if len(r.Findings) != 1 || r.Findings[0].Message != what || r.Counts["passed"] != 1 {
			t.Errorf("%s: %+v, counts %v", what, r.Findings, r.Counts)
		}
		if list, _ := testsOf(in, 0); len(list) != 1 || list[0].ID != "Cart.Adds" {
			t.Errorf("%s: tests %+v", what, list)
		}
	}
	noise := `<test-run result="Failed"><test-suite type="TestFixture" name="Cart" result="Failed" site="Child"><failure><message>One or more child tests had errors</message></failure>
<test-case fullname="Cart.Adds" result="Failed"><failure><message>3 is not 4</message></failure></test-case></test-suite></test-run>`
	r := Parse(Input{Argv: []string{"./run"}, Source: Separate(nil, nil),
		Artifacts: []Artifact{{Path: "report.xml", Named: true, Data: strings.NewReader(noise), Size: int64(len(noise))}}}, result.Exit{Observed: true})
	if len(r.Findings) != 1 || r.Findings[0].Message != "3 is not 4" {
		t.Errorf("%+v", r.Findings)
	}
}
