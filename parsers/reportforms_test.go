package parsers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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
		{"testng-results.xml", []string{"passed CartTest.adds", "skipped CartTest.ships", "failed CartTest.small", "failed CartTest.totals"}},
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
					got = append(got, string(one.Outcome)+" "+one.ID)
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
