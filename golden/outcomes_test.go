package golden

import (
	"slices"
	"strings"
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

// tests is the table of all tests of a case whose output names one that did not fail.
func tests(t *testing.T, c Case) string {
	r, list, said := tested(c)
	if said == nil || !slices.ContainsFunc(list, func(o outcomes.Test) bool { return !o.Outcome.Bad() }) {
		return ""
	}
	var b strings.Builder
	if err := outcomes.Write(&b, "table", outcomes.Document{Tool: r.Tool, Tests: list, Said: *said}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOutcomes holds every list of all tests against its result: no failure passes, and a
// list that is called complete agrees with the exit.
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
	})
}
