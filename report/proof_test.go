package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/recall"
	"cairn/result"
)

// TestProofInMarkdown: the checks that are not proven stand first, each with its reasons, and where there is no room
// for all of them the headline still counts them.
func TestProofInMarkdown(t *testing.T) {
	p := &Proof{Tree: strings.Repeat("ab", 20), Checks: []CheckProof{{"tests", "pytest -q", "missing", "", []string{"there is no run of it"}}, {"lint", "ruff check .", "proven", "01M8AZZ59C27M4AKQ68ZKZ7ZF7", nil}}}
	r := &Report{Runs: []*Run{runOf(t, nil)}, Proof: p}
	text := written(t, "markdown", r)
	want := "### 1 of 2 checks proven for tree abababababab\n\n" +
		"- ❌ `tests` is **missing**: `pytest -q`\n  - `there is no run of it`\n- ✅ `lint` is **proven**: `ruff check .`, run `01M8AZZ59C27`\n"
	if !strings.Contains(text, want) {
		t.Errorf("no\n%s\nin\n%s", want, text)
	}
	for i := range 2000 {
		p.Checks = append(p.Checks, CheckProof{fmt.Sprint("check", i), "true", "missing", "", []string{"there is no run of it"}})
	}
	var b bytes.Buffer
	if err := (Markdown{Limit: CommentLimit}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); len(text) > CommentLimit || !strings.Contains(text, "### 1 of 2002 checks proven") || !strings.Contains(text, "more checks, not shown here") {
		t.Errorf("%d bytes:\n%.300s", len(text), text)
	}
}

// TestPartsOfRun: the commands of a line come before the parts of an output, and the status of one that nothing read is
// how it ended.
func TestPartsOfRun(t *testing.T) {
	one := 1
	hit := &recall.Hit{Record: &manifest.Record{}, Result: &result.ToolResult{Parts: []result.Part{{Tool: "mypy", Status: result.Failed, Findings: 2}, {Tool: "pytest", Name: "py312", Status: result.Passed, Kind: result.Test, Counts: map[string]int{"passed": 3}}}}}
	if got := fmt.Sprint(partsOf(hit)); got != "[{mypy failed 2 findings} {pytest py312 passed 3 passed}]" {
		t.Errorf("parts %s", got)
	}
	hit.Record.Stages = &manifest.Stages{List: []manifest.Stage{{Argv: []string{"pytest", "-q"}, Says: "pytest failed: 1 failed", Status: result.Failed}, {Argv: []string{"cat", "no"}, Exit: &one}}}
	if got := fmt.Sprint(partsOf(hit)); got != "[{pytest -q failed pytest failed: 1 failed} {cat no exit 1 }]" {
		t.Errorf("stages %s", got)
	}
}
