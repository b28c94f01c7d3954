package render

import (
	"fmt"
	"strings"
	"testing"

	"cairn/result"
)

// TestBriefly: beyond the findings in full, each is named as far as there is room, the gravest first, and counted.
func TestBriefly(t *testing.T) {
	r := &result.ToolResult{Tool: "lint", RawOID: "sha256:" + strings.Repeat("a", 64)}
	for i := range 130 {
		f := result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Rule: "W1", Message: fmt.Sprint("unlike ", i)}
		f.At = &result.Location{Path: fmt.Sprintf("src/f%d.py", i%5), Line: i/5 + 1, Column: 1 + i}
		if i%10 == 9 {
			f.Severity, f.Rule = result.SevError, "E9"
		}
		r.Findings = append(r.Findings, f)
	}
	r.Truncated.FindingsTotal = len(r.Findings)
	text := Compact(r, nil)
	if !strings.Contains(text, "30 more findings (30 warnings), without messages below: cairn recall object") {
		t.Fatal(text)
	}
	full := Expand(text)
	for _, f := range r.Findings {
		at := fmt.Sprintf("%s:%d: ", f.At.Path, f.At.Line)
		if strings.Count(full, at) != 1 || !strings.Contains(full, at+f.Rule) && !strings.Contains(full, at+string(f.Severity)+" "+f.Rule) {
			t.Errorf("%s%s stands %d times", at, f.Rule, strings.Count(full, at))
		}
	}
	for i := range r.Findings {
		r.Findings[i].At.Path = strings.Repeat("long/", 30) + fmt.Sprint(i)
	}
	if text = Compact(r, nil); !strings.Contains(text, "30 more findings (30 warnings), 12 without messages below") {
		t.Error(text[strings.Index(text, "more findings")-5:])
	}
	for i := range r.Findings {
		r.Findings[i].At, r.Findings[i].Rule = nil, ""
	}
	if text = Compact(r, nil); !strings.Contains(text, "30 more findings (30 warnings): cairn recall") {
		t.Error(text[strings.Index(text, "more findings")-5:])
	}
}

// TestBrieflyNamesTests that failed, each by its name.
func TestBrieflyNamesTests(t *testing.T) {
	r := &result.ToolResult{Tool: "unit", Kind: result.Test}
	for i := range 120 {
		id := fmt.Sprintf("suite::test_%03d", i)
		r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Rule: "ValueError", Message: "differs"})
	}
	r.Truncated.FindingsTotal = len(r.Findings)
	text := Compact(r, nil)
	for _, f := range r.Findings {
		if !strings.Contains(text, f.ID) {
			t.Errorf("%s is not named", f.ID)
		}
	}
}
