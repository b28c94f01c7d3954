package golden

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/tokens"
	"cairn/render"
	"cairn/result"
)

// TestShortWhole: an output of at most 60 tokens is shown whole below a line that says how the command ended and has the
// output's id, and nothing else is said.
func TestShortWhole(t *testing.T) {
	count, err := tokens.New()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, c Case) {
		var raw strings.Builder
		for chunk := range c.Input(c.Output).Source.Chunks() {
			raw.Write(chunk.Data)
		}
		r, compact := answer(c.Input(c.Output), c.Exit)
		text := result.Clean(raw.String())
		written := func(f result.Finding) bool { return f.Extra["artifact"] != nil }
		elsewhere := len(r.Artifacts) > 0 || r.Extra["output_in"] != nil || slices.ContainsFunc(r.Findings, written)
		if elsewhere || strings.TrimSpace(text) == "" || count(text) > 60 {
			return
		}
		first, below, _ := strings.Cut(compact, "\n")
		if strings.Trim(below, " \t\n") != strings.Trim(text, " \t\n") {
			t.Errorf("not shown whole: - printed, + shown\n%s", diff(text, below))
		}
		code, failed := c.Exit.Code, r.Status != result.Passed && r.Status != result.OK
		if !strings.HasSuffix(first, render.Short(r.RawOID)) || failed != !strings.HasPrefix(first, r.Tool+" "+string(result.Passed)) && failed != !strings.HasPrefix(first, r.Tool+" "+string(result.OK)) {
			t.Errorf("the first line is %q, of a run that ended with %d", first, code)
		}
	})
}
