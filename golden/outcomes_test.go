package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cairn/outcomes"
	"cairn/parsers"
	"cairn/result"
)

// tested is what every test of a case came to.
func tested(c Case) (r *result.ToolResult, list outcomes.List, said *result.Outcomes) {
	s := parsers.New(c.Input(c.Output))
	s.Scan()
	r = s.Result(c.Exit)
	list, said = s.Outcomes()
	return r, list, said
}

// TestOutcomes compares the list of all tests with the file tests.txt of each case whose
// output names a test that did not fail, and holds every list against its result: no
// failure passes, and a list that is called complete agrees with the exit.
func TestOutcomes(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		r, list, said := tested(c)
		if said == nil {
			return
		}
		came := map[string]outcomes.Outcome{}
		bad := false
		for _, one := range list {
			came[one.ID] = one.Outcome
			bad = bad || one.Outcome.Bad()
		}
		for _, f := range r.Findings {
			if o, ok := came[f.ID]; ok && f.Kind == result.TestFailure && f.Severity != result.SevWarning && f.Severity != result.SevInfo && !o.Bad() && o != outcomes.XPassed {
				t.Errorf("%s failed, and is listed as %s", f.ID, o)
			}
		}
		limits := slices.ContainsFunc(r.Findings, func(f result.Finding) bool { return f.Kind != result.TestFailure && f.Severity != result.SevWarning })
		if said.Complete && c.Failing() != (bad || limits) {
			t.Errorf("the list is called complete, and exit %+v contradicts it: %+v", c.Exit, said)
		}
		if said.Complete == (said.Reason != "") {
			t.Errorf("complete without a reason, or the other way round: %+v", said)
		}
		if !slices.ContainsFunc(list, func(o outcomes.Test) bool { return !o.Outcome.Bad() }) {
			return
		}
		var b bytes.Buffer
		if err := outcomes.Write(&b, "table", outcomes.Document{Tool: r.Tool, Tests: list, Said: *said}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(c.Dir, "tests.txt")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v (go test ./golden -run TestOutcomes -update writes it)", err)
		} else if string(want) != b.String() {
			t.Errorf("tests.txt differs: - expected, + got (go test ./golden -run TestOutcomes -update)\n%s", diff(string(want), b.String()))
		}
	})
}
