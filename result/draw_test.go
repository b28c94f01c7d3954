package result

import (
	"fmt"

	"pgregory.net/rapid"
)

// drawResult is any result that a parser may hand over, consistent with the
// status rule.
func drawResult(t *rapid.T) *ToolResult {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z /.:\x1b\[\n0-9]{0,30}`),
		rapid.SampledFrom([]string{"", "x", "\x1b[1mred", "/home/ann/proj/a.go:3:4", "took 5ms", "a\r\nb", "\xff", "e\u0301"}))
	draw := func(label string) string { return text.Draw(t, label) }
	count := rapid.IntRange(-2, 2000)
	loc := func(label string) Location {
		return Location{Path: draw(label), Line: count.Draw(t, label), Column: count.Draw(t, label),
			EndLine: count.Draw(t, label), EndColumn: count.Draw(t, label), Function: draw(label), External: rapid.Bool().Draw(t, label)}
	}
	conf := rapid.SampledFrom([]Confidence{Parsed, Heuristic, Untyped}).Draw(t, "confidence")
	r := &ToolResult{
		Tool: "tool", Kind: rapid.SampledFrom([]Kind{Test, Lint, Build, Generic}).Draw(t, "kind"), ParserConfidence: conf,
		Summary: CleanLine(draw("summary")), Body: draw("body"), Parser: &ParserInfo{Name: draw("parser"), Version: 1, ColumnUnit: "byte"},
		Counts:  map[string]int{draw("count"): count.Draw(t, "n"), "failed": 1},
		Raw:     &Raw{Bytes: 10, Lines: 2},
		Extra:   map[string]any{draw("key"): []any{draw("value"), 1.5, 7, true, nil, map[string]any{"k": draw("deep")}}},
		Partial: rapid.Bool().Draw(t, "partial"),
	}
	n := 0
	if conf != Untyped {
		n = rapid.IntRange(0, 5).Draw(t, "findings")
	}
	for range n {
		f := Finding{
			Kind:     rapid.SampledFrom([]FindingKind{TestFailure, Diagnostic, BuildError, Panic, GenericFinding, Vulnerability}).Draw(t, "finding kind"),
			Severity: rapid.SampledFrom([]Severity{SevFailure, SevError, SevWarning, SevInfo}).Draw(t, "severity"),
			ID:       draw("id"), Rule: rapid.SampledFrom([]string{"", "F401"}).Draw(t, "rule"), Message: draw("message"),
			MessageTruncated: rapid.Bool().Draw(t, "cut"), Detail: draw("detail"), Expected: draw("expected"),
			Suite: []string{draw("suite")}, Tags: []string{draw("tag")}, Suggestions: []string{draw("suggestion")},
		}
		if rapid.Bool().Draw(t, "located") {
			l := loc("at")
			f.At = &l
		}
		if rapid.Bool().Draw(t, "rich") {
			l := loc("related")
			f.Locations = []Location{loc("other")}
			f.Frames = []Location{loc("frame")}
			f.Related = []Related{{Message: draw("note"), At: &l}}
			f.Fixes = []Fix{{Applicability: "safe", Edits: []Edit{{Path: draw("edit"), Start: "1:1", End: "1:2", Text: draw("new")}}}}
			f.Package = &PackageRef{Ecosystem: "npm", Name: draw("package")}
			f.RawSpan = &Span{Start: 1, End: 2}
			f.Extra = map[string]any{"x": draw("x")}
		}
		r.Findings = append(r.Findings, f)
	}
	e := Exit{Observed: rapid.Bool().Draw(t, "observed"), Code: rapid.SampledFrom([]int{0, 0, 1, 2, 126, 139}).Draw(t, "code")}
	if rapid.IntRange(0, 5).Draw(t, "ended by") == 0 {
		e = Exit{Signal: "SIGKILL", TimedOut: rapid.Bool().Draw(t, "timeout")}
	}
	r.Status, r.StatusSource = Derive(e, r.Kind, "", conf, true, r.Findings)
	r.Signal, r.TimedOut = e.Signal, e.TimedOut
	if e.Observed {
		r.ExitCode = &e.Code
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "parts") {
		r.Parts = append(r.Parts, Part{Tool: fmt.Sprint("part", i), ParserConfidence: Parsed, Name: draw("part")})
	}
	return r
}
