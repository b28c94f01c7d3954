package parsers_test

import (
	"testing"

	"cairn/parsers"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestDialyzerBehindTail: what dialyzer finds stands below the name of the file (rebar3 3.19.0), and makes the run failed
// where a pipe hides the status.
func TestDialyzerBehindTail(t *testing.T) {
	const rows = "===> Analyzing 1 files with _build/default/rebar3_25.2.3_plt...\n\nsrc/kv.erl\n" +
		"Line 17 Column 5: Call to missing or unexported function io_lib:fromat/2\nLine 21: Function dump/1 has no local return\n" +
		"===> Warnings written to _build/default/25.2.3.dialyzer_warnings\n"
	const closing = "===> Warnings occurred running dialyzer: 2\n"
	for out, want := range map[string][]string{
		rows + closing: {"src/kv.erl:17:5 Call to missing or unexported function io_lib:fromat/2", "src/kv.erl:21 Function dump/1 has no local return"},
		closing:        {" Warnings occurred running dialyzer: 2"},
	} {
		r := parsers.Parse(tool.Input{Shell: "rebar3 dialyzer 2>&1 | tail -9", Source: parsers.Separate([]byte(out), nil)}, result.Exit{Observed: true})
		if r.Status != result.Failed || len(r.Findings) != len(want) {
			t.Fatalf("%s: %s, %d findings", out, r.Status, len(r.Findings))
		}
		for i, f := range r.Findings {
			if got := f.Location + " " + f.Message; got != want[i] {
				t.Errorf("%q, want %q", got, want[i])
			}
		}
	}
}
