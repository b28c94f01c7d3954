package reviewdog

import (
	"bytes"
	"testing"
	"time"

	"github.com/reviewdog/reviewdog/parser"

	"cairn/report"
	"cairn/result"
)

// TestReviewdogReadsIt: every finding arrives with its place, its message and its rule, and a text that looks like JSON
// or like a command stays a text.
func TestReviewdogReadsIt(t *testing.T) {
	run := &report.Run{ID: "01M8AZZ59C27M4AKQ68ZKZ7ZF7", Command: "ruff check", Tool: "ruff", Kind: result.Lint, Status: result.Failed, Time: time.Unix(0, 0)}
	messages := []string{"`os` imported but unused", `","severity":"INFO"}]} ::error::x`, "two\nlines", "日本 \u200b"}
	for i, m := range messages {
		f := result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", Message: m, At: &result.Location{Path: "a b.py", Line: i + 1, Column: 8, EndLine: i + 1, EndColumn: 10}}
		run.Findings = append(run.Findings, report.Finding{Finding: f, State: report.New, Run: run})
	}
	var b bytes.Buffer
	if err := report.Write(&b, "rdjson", &report.Report{Runs: []*report.Run{run}}); err != nil {
		t.Fatal(err)
	}
	read, err := parser.NewRDJSONParser().Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(read) != len(messages) {
		t.Fatalf("%d of %d findings arrived", len(read), len(messages))
	}
	for i, d := range read {
		start := d.GetLocation().GetRange().GetStart()
		if d.GetMessage() == "" || d.GetLocation().GetPath() != "a b.py" || start.GetLine() != int32(i+1) || start.GetColumn() != 8 || d.GetCode().GetValue() != "F401" || d.GetSeverity().String() != "ERROR" {
			t.Errorf("%q arrived as %v", messages[i], d)
		}
	}
}
