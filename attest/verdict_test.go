package attest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/result"
)

// TestDifference: what the record says and the bytes do not is named, in bounded lists, with the
// versions of both parsers.
func TestDifferenceIsNamed(t *testing.T) {
	failing := func(version, from, to int) *result.ToolResult {
		r := &result.ToolResult{Status: result.Failed, ParserConfidence: result.Parsed, Parser: &result.ParserInfo{Name: "pytest", Version: version}}
		for i := from; i < to; i++ {
			r.Findings = append(r.Findings, result.Finding{Fingerprint: fmt.Sprintf("f%02d", i), Location: "a.py:3", Message: "password=hunter22x is wrong"})
		}
		r.Truncated.FindingsTotal = len(r.Findings)
		return r
	}
	rec := &manifest.Record{Tool: "pytest", Parser: 3, Status: result.Failed, Counts: map[string]int{"failed": 30, "passed": 2}}
	is := failing(4, 28, 31)
	is.Status = result.Error
	d := compare(rec, failing(3, 0, 30), is)
	d.compareTests(outcomes.List{{ID: "a", Outcome: outcomes.Passed}, {ID: "b", Outcome: outcomes.Passed}, {ID: "c", Outcome: outcomes.Passed}, {ID: "d", Outcome: outcomes.Passed}},
		outcomes.List{{ID: "a", Outcome: outcomes.Failed}, {ID: "c", Outcome: outcomes.Passed, At: "c.py:1"}, {ID: "d", Outcome: outcomes.Passed}, {ID: "e", Outcome: outcomes.Skipped}})
	want := []string{"status failed, now error", "failed 30, now 0", "passed 2, now 0", "28 findings of the record that the bytes do not give",
		"1 finding that the record does not have", "4 tests that came to something else"}
	if got := d.summary(); !slices.Equal(got, want) {
		t.Errorf("the summary is %q", got)
	}
	lines := d.lines()
	for _, want := range []string{"gone f19 a.py:3 ", "gone and 8 more", "come f30 a.py:3 ", "test a: passed, now failed", "test b: passed, now not there", "test c: passed, now passed (at)", "test e: not there, now skipped"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no line begins with %q:\n%s", want, strings.Join(lines, "\n"))
		}
	}
	text, err := json.Marshal(d)
	if err != nil || strings.Contains(string(text), "hunter22x") || !strings.Contains(string(text), `"recorded_by":"pytest/3","parser":"pytest/4","status":{"was":"failed","is":"error"}`) {
		t.Errorf("in JSON, it is %s: %v", text, err)
	}
	if same := compare(rec, failing(3, 0, 30), failing(4, 0, 30)); len(same.Gone)+len(same.Come) > 0 {
		t.Errorf("equal findings differ: %v", same.lines())
	}
}

// TestDifferenceOfCut: a record that does not name all of its findings cannot say which are new.
func TestDifferenceOfCut(t *testing.T) {
	was := &result.ToolResult{Findings: []result.Finding{{Fingerprint: "a"}}}
	was.Truncated.FindingsTotal = 3
	is := &result.ToolResult{Findings: []result.Finding{{Fingerprint: "a"}, {Fingerprint: "b"}, {Fingerprint: "c"}}}
	if d := compare(&manifest.Record{}, was, is); len(d.summary()) > 0 {
		t.Errorf("it says %q", d.summary())
	}
}
