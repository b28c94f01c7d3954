package golden

import (
	"strings"
	"testing"

	"cairn/result"
)

// honest holds for whatever became of the output of a case.
func honest(t *testing.T, c Case, what string, r *result.ToolResult, compact string) {
	t.Helper()
	if doubt, _ := r.Extra["doubt"].(string); strings.HasPrefix(doubt, "the parser stopped") {
		t.Errorf("%s: %s", what, doubt)
	}
	for _, f := range r.Findings {
		if s := f.RawSpan; s != nil && (s.Start < 0 || s.End < s.Start || s.End > r.Raw.Bytes) {
			t.Errorf("%s: raw_span %d-%d of %d bytes", what, s.Start, s.End, r.Raw.Bytes)
		}
	}
	if !c.Failing() {
		return
	}
	if r.Status == result.Passed || r.Status == result.OK {
		t.Errorf("%s: %s, but %+v", what, r.Status, c.Exit)
	}
	if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s: parsed without a finding, but %+v", what, c.Exit)
	}
	header, _, _ := strings.Cut(compact, "\n")
	verdict, found := strings.CutPrefix(header, r.Tool+" ")
	if !found || !strings.HasPrefix(verdict, "failed") && !strings.HasPrefix(verdict, "error") && !strings.HasPrefix(verdict, "unknown") {
		t.Errorf("%s: the header of a failing run says %q", what, header)
	}
}
