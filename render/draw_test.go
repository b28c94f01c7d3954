package render

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"cairn/result"
)

// hostile are texts that have broken renderers: escapes, line breaks, hidden
// and wide characters, text that imitates a marker.
var hostile = []string{
	"", " ", "x", "assert 1 == 2", "\x1b[31mred\x1b[0m", "\x1b]0;title\a", "a\rb", "line\nbreak", "tab\there",
	"\x00\x01", "\xff\xfe", "größe/日本", "e\u0301", "\u202egnp.exe", "👩‍👩‍👧", "\u2028", "[… 3 lines, 4-6]",
	"passed", "ok: exit 0", strings.Repeat("long ", 300), strings.Repeat("日本", 200), "C", "F401", "1e5", "no",
}

func drawText(t *rapid.T, label string) string {
	n := rapid.IntRange(0, 3).Draw(t, label+" pieces")
	var b strings.Builder
	for range n {
		if rapid.Bool().Draw(t, label+" kind") {
			b.WriteString(rapid.SampledFrom(hostile).Draw(t, label))
		} else {
			b.WriteString(rapid.String().Draw(t, label))
		}
	}
	return b.String()
}

func drawLocation(t *rapid.T) *result.Location {
	if rapid.Bool().Draw(t, "has location") {
		return nil
	}
	return &result.Location{
		Path:     rapid.SampledFrom([]string{"a.py", "b/c.go", "dir with space/d.ts", "größe.c", "/usr/lib/x.h"}).Draw(t, "path"),
		Line:     rapid.IntRange(0, 300).Draw(t, "line"),
		Column:   rapid.IntRange(0, 80).Draw(t, "column"),
		External: rapid.Bool().Draw(t, "external"),
	}
}

func drawFinding(t *rapid.T) result.Finding {
	f := result.Finding{
		Kind:     rapid.SampledFrom([]result.FindingKind{result.TestFailure, result.Diagnostic, result.BuildError}).Draw(t, "finding kind"),
		Severity: rapid.SampledFrom([]result.Severity{result.SevFailure, result.SevError, result.SevWarning, result.SevInfo, "odd"}).Draw(t, "severity"),
		Message:  drawText(t, "message"),
		At:       drawLocation(t),
		Expected: drawText(t, "expected"),
		Actual:   drawText(t, "actual"),
	}
	if rapid.Bool().Draw(t, "has id") {
		f.ID = drawText(t, "id")
	}
	if rapid.Bool().Draw(t, "has rule") {
		f.Rule = drawText(t, "rule")
	}
	for range rapid.IntRange(0, 5).Draw(t, "frames") {
		if l := drawLocation(t); l != nil {
			f.Frames = append(f.Frames, *l)
		}
	}
	return f
}

func drawExit(t *rapid.T) result.Exit {
	return result.Exit{
		Observed: rapid.Bool().Draw(t, "observed"),
		Code:     rapid.SampledFrom([]int{0, 1, 2, 126, 127, 137, 255}).Draw(t, "code"),
		Signal:   rapid.SampledFrom([]string{"", "", "", "SIGKILL"}).Draw(t, "signal"),
		TimedOut: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "timed out"),
	}
}

// drawSealed is any result that a parser could make of any output.
func drawSealed(t *rapid.T) *result.ToolResult {
	exit := drawExit(t)
	r := &result.ToolResult{
		Tool:             rapid.SampledFrom([]string{"pytest", "go-test", "make", ""}).Draw(t, "tool"),
		Kind:             rapid.SampledFrom([]result.Kind{result.Test, result.Lint, result.Generic}).Draw(t, "kind"),
		ParserConfidence: rapid.SampledFrom([]result.Confidence{result.Parsed, result.Heuristic, result.Untyped}).Draw(t, "confidence"),
		ExitMeaning:      rapid.SampledFrom([]result.Meaning{"", "", result.MeansUsage, result.MeansCrashed, result.MeansNoTests}).Draw(t, "meaning"),
		Signal:           exit.Signal, TimedOut: exit.TimedOut,
		Partial: rapid.Bool().Draw(t, "partial"),
		Body:    drawText(t, "body"),
		Truncated: result.Truncated{
			FindingsTotal: rapid.SampledFrom([]int{0, 0, 500}).Draw(t, "total"),
			Raw:           rapid.Bool().Draw(t, "cut"),
		},
	}
	if exit.Observed {
		r.ExitCode = &exit.Code
	}
	if rapid.Bool().Draw(t, "kept") {
		r.RawOID = "sha256:" + strings.Repeat("0123456789abcdef", 4)
		r.Raw = &result.Raw{Bytes: int64(rapid.IntRange(0, 999).Draw(t, "bytes")), Lines: int64(rapid.IntRange(0, 99).Draw(t, "lines"))}
	}
	for range rapid.SampledFrom([]int{0, 1, 3, 7, 130}).Draw(t, "findings") {
		r.Findings = append(r.Findings, drawFinding(t))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "parts") {
		r.Parts = append(r.Parts, result.Part{Tool: fmt.Sprint("tool", i), Kind: result.Test, Name: drawText(t, "part"), Findings: i, Status: rapid.SampledFrom([]result.Status{"", result.Failed, result.Passed}).Draw(t, "part status")})
	}
	if rapid.Bool().Draw(t, "counts") {
		r.Counts = map[string]int{"failed": rapid.IntRange(0, 9).Draw(t, "failed"), "passed": rapid.IntRange(0, 9).Draw(t, "passed"), drawText(t, "count"): 3}
	}
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, rapid.Bool().Draw(t, "tested"), r.Findings)
	result.Seal(r, result.Workspace{Root: "/home/dev/shop", Dir: "/home/dev/shop"})
	r.Summary = result.Summarise(r)
	return r
}
