package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/result"
)

// drawFacts is a capture with the facts of a run.
func drawFacts(t *rapid.T) *Record {
	r := &Record{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Time: noon, Argv: []string{rapid.SampledFrom([]string{"pytest", "x ok", "a failed: b", ""}).Draw(t, "argv")}}
	r.Dir = rapid.SampledFrom([]string{".", "sub/dir"}).Draw(t, "dir")
	if rapid.Bool().Draw(t, "exited") {
		code := rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "code")
		r.Exit = &code
	}
	r.Signal = rapid.SampledFrom([]string{"", "", "SIGKILL"}).Draw(t, "signal")
	r.TimedOut, r.Partial = rapid.IntRange(0, 5).Draw(t, "timeout") == 0, rapid.IntRange(0, 5).Draw(t, "partial") == 0
	if rapid.Bool().Draw(t, "raw") {
		r.Raw = &Raw{OID: "sha256:" + strings.Repeat("ab", 32), Size: 10, Lines: 1}
	}
	if rapid.Bool().Draw(t, "git") {
		r.Git = &Git{Commit: strings.Repeat("c", 40), Branch: "main", Tree: strings.Repeat("d", 40)}
		if rapid.Bool().Draw(t, "known") {
			dirty := rapid.Bool().Draw(t, "dirty")
			r.Git.Dirty = &dirty
		}
	}
	return r
}

func drawFinding(t *rapid.T, i int) result.Finding {
	text := rapid.SampledFrom([]string{"", "a", "ValueError: no", "tests/a.py::test_x", "a.go", "x: y: z", "1", `"<é>"`, "a.py:3", ":3"})
	f := result.Finding{
		Kind:     rapid.SampledFrom([]result.FindingKind{result.TestFailure, result.Diagnostic, result.Panic}).Draw(t, "kind"),
		Severity: rapid.SampledFrom([]result.Severity{result.SevFailure, result.SevError, result.SevWarning}).Draw(t, "severity"),
		Source:   text.Draw(t, "source"), ID: text.Draw(t, "id"), Rule: text.Draw(t, "rule"), Message: text.Draw(t, "message"),
		Expected: text.Draw(t, "expected"), Actual: text.Draw(t, "actual"), Fingerprint: fmt.Sprintf("%012x", i), Group: "0123456789ab",
		Detail: "of no use to git", Frames: []result.Location{{Path: "libc.so", External: true}},
	}
	if rapid.Bool().Draw(t, "placed") {
		f.At = &result.Location{Path: rapid.SampledFrom([]string{"a", "tests/a.py", "a.py:3", "x:y", ":3"}).Draw(t, "path"), Line: rapid.IntRange(0, 2).Draw(t, "line"), External: rapid.Bool().Draw(t, "external")}
		if f.At.Line > 0 {
			f.At.Column = rapid.IntRange(0, 2).Draw(t, "column")
		}
		f.Location = f.At.String()
	}
	return f
}

func drawResult(t *rapid.T, r *Record) *result.ToolResult {
	tr := &result.ToolResult{
		SchemaVersion: 1, ExitCode: r.Exit, Signal: r.Signal, TimedOut: r.TimedOut, Partial: r.Partial, Findings: []result.Finding{},
		Tool:         rapid.SampledFrom([]string{"pytest", "go-test", "generic", "", "odd tool"}).Draw(t, "tool"),
		Kind:         rapid.SampledFrom([]result.Kind{result.Test, result.Lint, result.Generic, ""}).Draw(t, "kind"),
		Status:       rapid.SampledFrom([]result.Status{result.Passed, result.OK, result.Failed, result.Error, result.Unknown}).Draw(t, "status"),
		StatusSource: rapid.SampledFrom([]result.StatusSource{result.FromExit, result.FromSignal, result.FromFindings}).Draw(t, "source"),
		ExitMeaning:  rapid.SampledFrom([]result.Meaning{"", result.MeansFindings, result.MeansUsage}).Draw(t, "meaning"),
		Summary:      rapid.SampledFrom([]string{"", "exit 0", "1 failed, 2 passed", "2 errors", "1 passed: really", "killed by SIGKILL"}).Draw(t, "summary"),
		Body:         rapid.SampledFrom([]string{"", "text"}).Draw(t, "body"),

		ParserConfidence: rapid.SampledFrom([]result.Confidence{result.Parsed, result.Heuristic, result.Untyped}).Draw(t, "confidence"),
		Counts:           rapid.SampledFrom([]map[string]int{nil, {}, {"failed": 1, "passed": 2}, {"error": 2}, {"x_y": 3}}).Draw(t, "counts"),
		Extra:            map[string]any{"doubt": "why", "noise": 1},
	}
	if r.Dir != "." {
		tr.Dir = r.Dir
	}
	if r.Raw != nil {
		tr.RawOID, tr.Raw = r.Raw.OID, &result.Raw{Bytes: r.Raw.Size, Lines: r.Raw.Lines, Binary: rapid.Bool().Draw(t, "binary")}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "findings") {
		tr.Findings = append(tr.Findings, drawFinding(t, i))
	}
	tr.Truncated = result.Truncated{FindingsTotal: len(tr.Findings) + rapid.IntRange(0, 1).Draw(t, "left out"), FindingsShown: len(tr.Findings)}
	return tr
}

// kept is what a line keeps of a result.
func kept(r *Record, tr *result.ToolResult) *result.ToolResult {
	c := *tr
	if c.Raw != nil && good(honestStatus(r, tr.Status)) {
		raw := *c.Raw
		raw.Lines = 0
		c.Raw = &raw
	}
	c.Extra = map[string]any{"doubt": "why"}
	if c.Status == result.Passed || c.Status == result.OK {
		c.Body = ""
	}
	if len(c.Counts) == 0 {
		c.Counts = nil
	}
	c.Findings = []result.Finding{}
	for _, f := range tr.Findings {
		f.Detail, f.Frames, f.Name = "", nil, ""
		if strings.Contains(f.Message, f.Expected) && strings.Contains(f.Message, f.Actual) {
			f.Expected, f.Actual = "", "" // the message says both
		}
		c.Findings = append(c.Findings, f)
	}
	return &c
}

// TestLean: whatever a line leaves out, reading it gives back; and nothing is
// ever read as better than it was.
func TestLean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawFacts(t)
		tr := drawResult(t, r)
		if err := r.SetResult(tr); err != nil {
			t.Fatal(err)
		}
		line, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Exit, r.Exit) || back.Dir != r.Dir || back.Signal != r.Signal || (back.Git == nil) != (r.Git == nil) {
			t.Fatalf("facts changed: %+v\n%s", back, line)
		}
		if r.Git != nil && !reflect.DeepEqual(back.Git.Dirty, r.Git.Dirty) {
			t.Fatalf("git changed: %s", line)
		}
		got, err := back.Result()
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Findings {
			got.Findings[i].Name = ""
		}
		if len(got.Counts) == 0 {
			got.Counts = nil
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(kept(r, tr))
		if string(a) != string(b) {
			t.Fatalf("read    %s\nwritten %s\nline %s", a, b, line)
		}
	})
}

// TestLeanSizes: the budgets of a line.
func TestLeanSizes(t *testing.T) {
	run := func(exit int) *Record {
		return &Record{
			ID: "01M81KS84KPBQN3T93B7XFEQVW", Time: noon, Argv: []string{"python3", "-m", "pytest", "-q"}, Dir: ".", Key: "e8827f92a879", Exit: &exit, DurationMS: 915,
			Git: &Git{Commit: strings.Repeat("c", 40), Tree: strings.Repeat("d", 40), Branch: "main", Dirty: new(bool)},
			Raw: &Raw{OID: "sha256:" + strings.Repeat("ab", 32), Size: 1872, Lines: 51},
		}
	}
	size := func(r *Record, tr *result.ToolResult) (int, string) {
		if err := r.SetResult(tr); err != nil {
			t.Fatal(err)
		}
		line, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return len(line) + 1, string(line)
	}
	passed := &result.ToolResult{SchemaVersion: 1, Tool: "pytest", Kind: result.Test, Status: result.Passed, StatusSource: result.FromExit, Counts: map[string]int{"passed": 5}, Summary: "5 passed", ParserConfidence: result.Parsed, Parser: &result.ParserInfo{Name: "pytest", Version: 4}}
	if n, line := size(run(0), passed); n > 400 {
		t.Errorf("a run that passed takes %d bytes: %s", n, line)
	}
	failed := *passed
	failed.Status, failed.ExitMeaning, failed.Counts, failed.Summary = result.Failed, result.MeansFindings, map[string]int{"failed": 4, "passed": 1}, "4 failed, 1 passed"
	for i, name := range []string{"test_expired", "test_login", "TestRoles::test_role[admin]", "TestRoles::test_role[user]"} {
		failed.Findings = append(failed.Findings, result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: "FAILED", ID: "tests/test_auth.py::" + name, Suite: []string{"tests/test_auth.py"}, Name: name,
			Rule: "AssertionError", Message: "assert 401 == 200", Location: "tests/test_auth.py:16", At: &result.Location{Path: "tests/test_auth.py", Line: 16, Function: name},
			Expected: "200", Actual: "401", Operator: "==", Detail: "> assert a == b", Fingerprint: fmt.Sprintf("%012d", i), Group: "0123456789ab", RawSpan: &result.Span{End: 9},
		})
	}
	failed.Truncated = result.Truncated{FindingsTotal: 4, FindingsShown: 4}
	if n, line := size(run(1), &failed); n > 1300 {
		t.Errorf("a run with four failures takes %d bytes: %s", n, line)
	}
	if n, _ := size(run(1), &failed); n < 600 || maps.Equal(failed.Counts, passed.Counts) {
		t.Errorf("%d bytes are too good to be true", n)
	}
}
