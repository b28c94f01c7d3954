package read

import (
	"strings"
	"testing"

	"cairn/parsers/tool"
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

// TestObjectsOfFiles: the members beside a list hold for each of its elements, in front of them or behind them; a key may be the path.
func TestObjectsOfFiles(t *testing.T) {
	files := Objects{At: []string{"/*"}, Path: "file", In: "errors", Line: "line", Message: "message", Default: result.SevWarning, Fixable: "fix"}
	const list = `[{"line": 3, "message": "no", "fix": true}, {"message": "nor"}]`
	keyed := Objects{At: []string{"/files"}, Clean: true, Keyed: true, In: "errors", Line: "line", Message: "message", Default: result.SevWarning, Fixable: "fix"}
	lists := keyed
	lists.In = ""
	for name, rep := range map[string]*tool.Report{
		"behind the path":  files.Parse(input("x", `[{"file": "a.kt", "errors": `+list+`}]`, "")),
		"before the path":  files.Parse(input("x", `[{"errors": `+list+`, "file": "a.kt"}]`, "")),
		"below the path":   keyed.Parse(input("x", `{"files": {"a.kt": {"errors": `+list+`}, "b.kt": {"errors": []}}}`, "")),
		"the path's value": lists.Parse(input("x", `{"files": {"a.kt": `+list+`}}`, "")),
	} {
		tells(t, name, rep, "warning a.kt:3 |no|", "warning a.kt |nor|", "complete")
		if !rep.Findings[0].Fixable || rep.Findings[1].Fixable {
			t.Errorf("%s: fixable: %+v", name, rep.Findings)
		}
	}
	rep := files.Parse(input("x", `[{"file": "a.kt", "errors": [{"message": "no"}, {"message": 1, "line": "x"}]}]`, ""))
	if rep == nil || !strings.Contains(rep.Doubt, "form that is known") {
		t.Errorf("a word for a number: %+v", rep)
	}
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

// TestObjectsOfVersions: a part has the name that one of the versions gives it, stands in the first of a list, and may count
// from 0; what the tool does not accept is another's.
func TestObjectsOfVersions(t *testing.T) {
	o := Objects{
		At: []string{"/*"}, Path: "file_path at.file", Line: "at.line", Line0: true, Column: "at.column", Column0: true, Rule: "code ruleId", Message: "message", Help: "help",
		Kind: result.BuildError, Accept: func(f *result.Finding) bool { return f.Rule != "" },
	}
	rep := o.Parse(input("x", `[{"at": [{"file": "a.c", "line": 2, "column": 0}, {"line": 9}], "code": "A1", "message": "no", "help": "do"},
		{"file_path": "b.c", "at": [{"line": 0, "column": null}], "ruleId": "B1", "message": "nor"}, {"message": "another's"}]`, ""))
	tells(t, "of two versions", rep, "error a.c:3:1 A1|no|", "error b.c:1 B1|nor|", "complete")
	if f := rep.Findings[0]; f.Kind != result.BuildError || len(f.Suggestions) != 1 || f.Suggestions[0] != "do" {
		t.Errorf("%+v", f)
	}
	tells(t, "two lists", Objects{At: []string{"/*"}, In: "errors warnings", Path: "file", Message: "message"}.Parse(
		input("x", `[{"file": "a.c", "errors": [{"message": "no"}], "warnings": [{"message": "nor"}]}]`, "")), "error a.c |no|", "error a.c |nor|", "complete")
}
