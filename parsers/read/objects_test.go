package read

import (
	"strings"
	"testing"

	"cairn/result"
)

var someObjects = Objects{
	At: []string{"/*", "/issues/*"}, Clean: true, Path: "file", Line: "at.start.line", Column: "at.start.column", EndLine: "at.end.line", EndColumn: "at.end.column",
	Rule: "code", URL: "docs", Severity: "level", Message: "message",
}

// TestObjects: the parts of a finding are found by their names, wherever they stand.
func TestObjects(t *testing.T) {
	const whole = `{"x": [{"file": "no"}], "file": "a\u00f6.c", "at": {"end": {"line": 4, "column": 9}, "start": {"line": 3, "column": 7, "y": {}}}, "code": 2086, "docs": "https://e.org", "level": "Warning", "message": "a \"b\"\nmore"}`
	for name, text := range map[string]string{"a list": "[" + whole + "]", "a list inside": `{"issues": [` + whole + `]}`} {
		rep := someObjects.Parse(input("x", text, ""))
		if rep == nil || len(rep.Findings) != 1 {
			t.Fatalf("%s: %+v", name, rep)
		}
		f := rep.Findings[0]
		if want := (result.Location{Path: "aö.c", Line: 3, Column: 7, EndLine: 4, EndColumn: 9}); *f.At != want {
			t.Errorf("%s: at %+v", name, *f.At)
		}
		if f.Rule != "2086" || f.RuleURL != "https://e.org" || f.Severity != result.SevWarning || f.RawSeverity != "Warning" || f.Message != `a "b"` || f.Detail != "a \"b\"\nmore" {
			t.Errorf("%s: %+v", name, f)
		}
	}
	tells(t, "parts that are missing", someObjects.Parse(input("x", `[{"message": "no", "file": null, "at": null}]`, "")), "error - |no|", "complete")
	tells(t, "nothing found", someObjects.Parse(input("x", `[]`, "")), "complete")
	tells(t, "no objects", someObjects.Parse(input("x", `{"other": 1}`, "")), "declined")
	fitted := someObjects
	fitted.Fit = func(f *result.Finding) { f.Rule = "R" + f.Rule }
	tells(t, "fitted", fitted.Parse(input("x", `[{"message": "no", "code": 1}]`, "")), "error - R1|no|", "complete")
}

// TestObjectsDoubt: what does not have the form is not passed over in silence.
func TestObjectsDoubt(t *testing.T) {
	for name, member := range map[string]string{"a word for a number": `"at": {"start": {"line": "3"}}`, "a number for an object": `"at": 3`, "a list for a word": `"code": ["E1"]`} {
		rep := someObjects.Parse(input("x", `[{"message": "no"}, {"message": "no", `+member+`}]`, ""))
		if rep == nil || !strings.Contains(rep.Doubt, "form that is known") {
			t.Errorf("%s: %+v", name, rep)
		}
	}
	if rep := someObjects.Parse(input("x", `[{"text": "another tool's"}]`, "")); rep != nil {
		t.Errorf("another tool's list: %+v", rep)
	}
}
