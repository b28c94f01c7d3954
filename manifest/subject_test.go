package manifest

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
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
	pin := &Record{ID: "C", Type: TypePin, Target: "sha256:ab"}
	subject, body := message([]*Record{a})
	if subject != "pytest failed: 1 failed, 120 passed" || body != "A pytest -q" {
		t.Errorf("one: %q %q", subject, body)
	}
	subject, body = message([]*Record{a, b, pin})
	if subject != "2 captures: 1 failed, 1 passed; 1 pin" || body != "A pytest failed: 1 failed, 120 passed\nB pytest passed: 121 passed\nC pin sha256:ab" {
		t.Errorf("three: %q\n%s", subject, body)
	}
	var many []*Record
	for i := range maxLines + 5 {
		r := capture(1)
		r.ID = fmt.Sprint(i)
		many = append(many, r)
	}
	subject, body = message(many)
	if subject != "205 captures: 205 failed" || !strings.HasSuffix(body, "\n… and 5 more") || !utf8.ValidString(body) {
		t.Errorf("many: %q\n%s", subject, body)
	}
}
