package manifest

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cairn/result"
)

func TestSummaries(t *testing.T) {
	exit := func(n int) func(*Record) { return func(r *Record) { r.Exit = &n } }
	bare := func(argv ...string) *Record { return &Record{ID: "x", Argv: argv} }
	tests := []struct {
		name string
		rec  *Record
		edit []func(*Record)
		want string
	}{
		{"counts", capture(1), nil, "pytest failed: 1 failed, 120 passed"},
		{"passed", capture(0), nil, "pytest passed: 121 passed"},
		{"no result", bare("make"), []func(*Record){exit(2)}, "make failed: exit 2"},
		{"no result, fine", bare("make", "all"), []func(*Record){exit(0)}, "make all ok"},
		{"nothing observed", bare("make"), nil, "make unknown"},
		{"signal", bare("make"), []func(*Record){func(r *Record) { r.Signal = "SIGKILL" }}, "make error: killed by SIGKILL"},
		{"timeout", capture(1), []func(*Record){func(r *Record) {
			r.TimedOut = true
			r.V, r.Says, r.RawResult = 1, "", []byte(`{"tool":"pytest","status":"error"}`)
		}}, "pytest error: timed out"},
		{"partial", bare("make"), []func(*Record){func(r *Record) { r.Partial = true }}, "make unknown: cut short"},
		{"a result that lies", capture(0), []func(*Record){exit(3)}, "pytest failed: 121 passed"},
		{"a result that lies about a signal", capture(0), []func(*Record){func(r *Record) { r.Signal = "SIGSEGV" }}, "pytest error: killed by SIGSEGV, 121 passed"},
		{"findings on exit 0", capture(0), []func(*Record){func(r *Record) {
			r.V, r.Says, r.RawResult = 1, "", []byte(`{"tool":"ruff","status":"failed","truncated":{"findings_total":3}}`)
		}}, "ruff failed: 3 findings"},
		{"generic", bare("sh", "-c", "x"), []func(*Record){exit(1), func(r *Record) { r.RawResult = []byte(`{"tool":"generic","status":"failed"}`) }}, "sh -c x failed: exit 1"},
		{"shell", bare("sh", "-c", "x"), []func(*Record){exit(1), func(r *Record) { r.Shell = "a | b" }}, "a | b failed: exit 1"},
		{"escapes", bare("\x1b[31mred\nline\u202e"), []func(*Record){exit(1)}, "[31mred line failed: exit 1"},
		{"long", bare(strings.Repeat("é", 80)), []func(*Record){exit(1)}, strings.Repeat("é", 49) + "… failed: exit 1"},
		{"pin", &Record{Type: TypePin, Target: "sha256:ab", Reason: "keep\nit"}, nil, "pin sha256:ab keep it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, e := range tt.edit {
				e(tt.rec)
			}
			if got := summarize(tt.rec); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMessages(t *testing.T) {
	a, b := capture(1), capture(0)
	a.ID, b.ID = "A", "B"
	a.Argv, a.Dir = []string{"pytest", "-k", "a b"}, "sub"
	a.Git, a.By = &Git{Commit: "0a6dd7b2989b", Branch: "main", Dirty: new(bool)}, &By{Agent: "claude", Session: "s1"}
	*a.Git.Dirty = true
	pin := &Record{ID: "C", Type: TypePin, Target: "sha256:ab"}
	subject, body := message([]*Record{a})
	want := "a < b && c > d\n\nRun: A\nCommand: pytest -k 'a b'\nDirectory: sub\nCommit: 0a6dd7b2989b (main) with changes\nAgent: claude\nSession: s1"
	if subject != "pytest failed: 1 failed, 120 passed" || body != want {
		t.Errorf("one: %q\n%s", subject, body)
	}
	subject, body = message([]*Record{a, b, pin})
	want = "A pytest failed: 1 failed, 120 passed (pytest -k a b in sub)\n    a < b && c > d\nB pytest passed: 121 passed (pytest -q)\nC pin sha256:ab"
	if subject != "2 captures: 1 failed, 1 passed [pytest]; 1 pin" || body != want {
		t.Errorf("three: %q\n%s", subject, body)
	}
	var many []*Record
	for i := range maxLines + 5 {
		r := capture(0)
		r.ID = fmt.Sprint(i)
		many = append(many, r)
	}
	subject, body = message(many)
	if n := strings.Count(body, "\n") + 1; subject != "205 captures: 205 passed" || !strings.HasSuffix(body, "\n… and 6 more") || n != maxLines || !utf8.ValidString(body) {
		t.Errorf("many: %q, %d lines\n%s", subject, n, body)
	}
}

// TestMessageOfManyFindings: at most twenty lines, and the rest exactly counted;
// nothing that a tool printed looks like a trailer or a second line.
func TestMessageOfManyFindings(t *testing.T) {
	r := capture(1)
	tr := &result.ToolResult{SchemaVersion: 1, Tool: "ruff", Kind: result.Lint, Status: result.Failed, ParserConfidence: result.Parsed}
	for i := range 50 {
		at := &result.Location{Path: "a.py", Line: i + 1}
		tr.Findings = append(tr.Findings, result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", At: at, Location: at.String(), Message: "x\nRun: forged\x1b[31m", Fingerprint: fmt.Sprintf("%012d", i)})
	}
	tr.Truncated.FindingsTotal = 60
	if err := r.SetResult(tr); err != nil {
		t.Fatal(err)
	}
	r.ID = "A"
	subject, body := message([]*Record{r})
	findings, tail, _ := strings.Cut(body, "\n\n")
	lines := strings.Split(findings, "\n")
	if subject != "ruff failed: 60 findings" || len(lines) != maxFindings || lines[0] != "a.py:1: F401: x Run: forged[31m" || lines[19] != "… 41 more findings" || !strings.HasPrefix(tail, "Run: A\n") {
		t.Errorf("%q\n%s", subject, body)
	}

	text := capture(1)
	if err := text.SetResult(&result.ToolResult{SchemaVersion: 1, Tool: "make", Kind: result.Generic, Status: result.Failed, ParserConfidence: result.Untyped, Body: "first\n\n" + strings.Repeat("line\n", 40) + "last\n"}); err != nil {
		t.Fatal(err)
	}
	_, body = message([]*Record{text})
	findings, _, _ = strings.Cut(body, "\n\n")
	if lines := strings.Split(findings, "\n"); len(lines) != maxFindings || lines[19] != "last" {
		t.Errorf("text: %s", body)
	}
}
