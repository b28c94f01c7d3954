package read

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/parsers/tool"
)

// TestAtGlance: what is said of a line at a glance is what is said of it when it is read,
// whatever stands above and below it, and however many findings are kept.
func TestAtGlance(t *testing.T) {
	t.Parallel()
	whole := rapid.SampledFrom([]string{
		"src/a.x", "  3:7  error  too long  rule", "2026-11-20T12:00:05Z INFO all is well", "2026-11-20T12:00:05Z ERROR cannot connect to a.ini:3:7", "a.ini:3:7: ^ here",
		"a.x:3:7:XError: no", "a.x:3:7: error: no", "  --> src/a.x:3:7", "TypeError: no", "    at f (src/a.js:3:5)", "Error:", "  in \"a.yml\", line 2, column 3", "a.x:3:7: ^ here",
	})
	composed := rapid.Custom(func(t *rapid.T) string {
		parts := [...][]string{
			{"", "2026-11-20T12:00:05Z ", "2026-11-20 12:00:05,123 ", "2026/11/22 19:44:37 ", "12:00 ", "  ", "\t", "[", "job: ", "/usr/bin/job: ", "level=info ", "level=error msg=x ", "fine ", "Error: ", "│ "},
			{"", "INFO ", "ERROR ", "[ERROR] ", "WARN: ", "DEBUG ", "error: ", "** ", "TypeError: ", "warning[x]: ", "Error (75): ", "internal compiler error: ", "line 3: ", "^ "},
			{"", "src/a.x:3:7: ", "a.x:3: ", "a.x(3,7): ", "db.example.com:54: ", "a.x:3:7:", "x3:1:2: ", "a.x: line 3: ", "in a.ini line 3 ", "src/a.x", "usage:3:7: ", "Usage: job", "2.x:1:1: "},
			{"", "error: no such thing [x]", "warning: bad", "note: see", "all is well", "cannot connect", "^ here", "worker-3 done in 3.5ms: ok", "0 errors", "3:7  error  too long  rule", "XError: no", "  --> src/a.x:3:7", `in "a.yml", line 2, column 3`, "    at f (src/a.js:3:5)"},
			{"", " ", "  "},
		}
		var b strings.Builder
		for i, p := range parts {
			if rapid.IntRange(0, 2).Draw(t, "without") > 0 {
				continue
			}
			b.WriteString(rapid.SampledFrom(p).Draw(t, string(rune('a'+i))))
		}
		return b.String()
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(whole, composed), 1, 12).Draw(t, "lines"), "\n") + "\n"
		kept := rapid.SampledFrom([]int{1, 2, tool.MaxFindings}).Draw(t, "kept")
		read := func(all bool) *tool.Report {
			return Diagnostics(&tool.Input{Argv: []string{"./job"}, Source: tool.Separate([]byte(text), nil), Limits: tool.Limits{Findings: kept, Whole: all}})
		}
		if got, want := read(false), read(true); !reflect.DeepEqual(got, want) {
			t.Fatalf("of\n%s\n%+v\nwant\n%+v", text, got, want)
		}
	})
}
