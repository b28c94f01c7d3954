package sarif

import (
	"testing"

	"cairn/result"
)

func TestRead(t *testing.T) {
	r, ok := Read(`{"ruleId":"R1","level":"error","message":{"text":"no"},
		"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":3,"startColumn":7,"endLine":4,"endColumn":2}},"message":{"text":"here"}}],
		"fixes":[{"description":{"text":"do"},"artifactChanges":[{"artifactLocation":{"uri":"a.go"},"replacements":[{"deletedRegion":{"startLine":3,"startColumn":1,"endLine":3,"endColumn":9},"insertedContent":{"text":"x"}}]}]}]}`)
	if !ok || *r.RuleID != "R1" || r.Severity() != result.SevError {
		t.Fatalf("%+v %v", r, ok)
	}
	if at, want := r.Locations[0].At(), (result.Location{Path: "a.go", Line: 3, Column: 7, EndLine: 4, EndColumn: 2, Label: "here"}); at != want {
		t.Errorf("at %+v", at)
	}
	if all := r.AllFixes(); len(all) != 1 || all[0].Description != "do" || len(all[0].Edits) != 1 || all[0].Edits[0] != (result.Edit{Path: "a.go", Start: "3:1", End: "3:9", Text: "x"}) {
		t.Errorf("fixes %+v", all)
	}
	for _, text := range []string{"", "{}", `{"locations":[]}`, `{"locations":3}`, `{"ruleId":"x","message":{"text":"no place"}}`} {
		if r, ok := Read(text); ok {
			t.Errorf("%q: %+v", text, r)
		}
	}
}

// TestSeverity: a level that is not given is a warning.
func TestSeverity(t *testing.T) {
	for level, want := range map[string]result.Severity{"error": result.SevError, "warning": result.SevWarning, "note": result.SevInfo, "none": result.SevInfo, "": result.SevWarning} {
		if got := (&Record{Level: level}).Severity(); got != want {
			t.Errorf("%q: %s", level, got)
		}
	}
}
