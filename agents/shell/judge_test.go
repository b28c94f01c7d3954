package shell

import (
	"strings"
	"testing"

	"cairn/capture"
	"cairn/result"
)

func failures(message string, ids ...string) (all []result.Finding) {
	for _, id := range ids {
		all = append(all, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: message, RawSpan: &result.Span{Start: 1, End: 2}})
	}
	return all
}

// TestToldOnce: the names that "rspec | tail" leaves, and why each test failed, which is above, are one answer.
func TestToldOnce(t *testing.T) {
	of := func(tool string, all []result.Finding) *result.ToolResult {
		r := &result.ToolResult{Tool: tool, Kind: result.Test, Status: result.Failed, ParserConfidence: result.Parsed, Findings: all}
		r.Truncated.FindingsTotal = len(all)
		return r
	}
	stage := &capture.Stage{Before: "tail", Result: of("rspec", failures("expected 3", "Cart adds", "Cart fails"))}
	out := &capture.Outcome{Result: of("rspec", failures("failed", "Cart fails")), Stages: []*capture.Stage{stage}, Hidden: "[rspec, before tail]\nCart fails: expected 3\n"}
	text, ok := compactText(Auto, "rspec | tail -30", out, smallOutput+1)
	if !ok || strings.Count(text, "Cart fails") != 1 || strings.Count(text, "expected 3") != 2 || !strings.HasSuffix(text, "[rspec, before tail]\n") {
		t.Errorf("told twice, or not at all: %v\n%s", ok, text)
	}
	hidden := out.Hidden
	if out.Hidden += "[rspec, before tail]\nOther fails: expected 4\n"; fuller(out) != nil {
		t.Error("what another command found would be left out")
	}
	out.Hidden = hidden
	for name, change := range map[string]func(){
		"a failure that the command before the pipe does not have": func() { out.Result.Findings = failures("failed", "Cart fails", "Other") },
		"another tool": func() { out.Result = of("mocha", failures("failed", "Cart fails")) },
	} {
		change()
		if fuller(out) != nil {
			t.Error(name)
		}
	}
}

// TestFailsUnseen: a failure that the output tells is not said once more below it.
func TestFailsUnseen(t *testing.T) {
	r := &result.ToolResult{Status: result.Failed, StatusSource: result.FromFindings, Findings: failures("Expected: 3 Actual: 2", "CartTest#test_bad")}
	out := &capture.Outcome{Result: r, Raw: []byte("Expected: 3\n  Actual: 2\n1\n")}
	if failsUnseen(out) {
		t.Error("it stands in the output")
	}
	if r.Findings[0].RawSpan = nil; !failsUnseen(out) {
		t.Error("only a file tells it")
	}
	if out.Raw = nil; !failsUnseen(out) {
		t.Error("nothing was printed")
	}
}
