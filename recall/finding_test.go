package recall

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/manifest"
	"cairn/result"
)

func TestFinding(t *testing.T) {
	b := newBook(t)
	r := pytest("a")
	fp := r.Findings[0].Fingerprint
	b.capture("0\n", pytest())
	first := b.capture("1\n", pytest("x", "a"), on("c0ffee", "main"))
	b.capture("2\n", r, key("000011112222"), on("c0ffee", "topic"), func(r *manifest.Record) { r.Argv, r.Shell = nil, "pytest | tail" })
	moved := pytest("p", "q", "a") // the same failure lines further down
	last := b.capture("3\n", moved, on("beef", "main"))
	h, err := Finding(t.Context(), b.Site, strings.ToUpper(fp), Filters{})
	if err != nil {
		t.Fatal(err)
	}
	if h.Fingerprint != fp || h.Captures != 3 || h.First.Run != first.ID || h.Last.Run != last.ID || h.Latest.Location != "tests/test_a.py:3" || h.Since != nil || h.Gone {
		t.Errorf("%+v", h)
	}
	if !slices.Equal(h.Branches, []string{"main", "topic"}) || !slices.Equal(h.Commands, []string{"pytest -q", "pytest | tail"}) {
		t.Errorf("branches %q, commands %q", h.Branches, h.Commands)
	}
	if h.First.Commit != "c0ffee" || h.Last.Status != result.Failed || !h.Last.Time.Equal(start.Add(3*time.Minute)) {
		t.Errorf("first %+v, last %+v", h.First, h.Last)
	}

	// Runs of another command say nothing; one that was cut short is listed,
	// but the first that proves the finding gone is what matters.
	b.capture("4\n", pytest(), key("000011112222"))
	if h, err = Finding(t.Context(), b.Site, fp, Filters{}); err != nil || h.Since != nil {
		t.Errorf("%+v, %v", h, err)
	}
	cut := b.capture("5\n", pytest(), func(r *manifest.Record) { r.Partial = true })
	if h, err = Finding(t.Context(), b.Site, fp, Filters{}); err != nil || h.Since == nil || h.Since.Run != cut.ID || h.Gone {
		t.Errorf("%+v, %v", h, err)
	}
	good := b.capture("6\n", pytest())
	b.capture("7\n", pytest())
	if h, err = Finding(t.Context(), b.Site, fp[:minPrefix], Filters{}); err != nil || h.Since == nil || h.Since.Run != good.ID || !h.Gone {
		t.Errorf("%+v, %v", h, err)
	}
	back := b.capture("8\n", r)
	if h, err = Finding(t.Context(), b.Site, fp, Filters{}); err != nil || h.Since != nil || h.Gone || h.Last.Run != back.ID || h.Captures != 4 {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestFindingByName: a test, a rule, a file and a group are found by what they are called,
// and a name that fits several tests is an error that lists them.
func TestFindingByName(t *testing.T) {
	b := newBook(t)
	r := pytest("test_a", "test_aa")
	b.capture("1\n", r)
	b.capture("2\n", pytest("test_a"))
	b.capture("3\n", pytest())
	b.capture("4\n", sealed(&result.ToolResult{Tool: "ruff", Kind: result.Lint, ParserConfidence: result.Parsed, Findings: []result.Finding{
		{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", RuleName: "unused-import", Message: "x unused", At: &result.Location{Path: "src/a.py", Line: 1}},
		{Kind: result.Diagnostic, Severity: result.SevError, Rule: "F401", Message: "y unused", At: &result.Location{Path: "src/b.py", Line: 1}},
	}}, 1))
	for name, want := range map[string]struct {
		subject  string
		captures int
		gone     bool
	}{
		"tests/test_a.py::test_a": {"test", 2, true}, "test_aa": {"test", 1, true}, "tests/test_a.py": {"file", 2, true}, "test_a.py": {"file", 2, true},
		"F401": {"rule", 1, false}, "unused-import": {"rule", 1, false}, "src": {"file", 1, false}, "tests/*": {"test", 2, true},
		r.Findings[0].Group: {"group", 2, true}, r.Findings[1].Group[:8]: {"group", 1, true},
	} {
		h, err := Finding(t.Context(), b.Site, name, Filters{})
		if err != nil || h.Subject != want.subject || h.Captures != want.captures || h.Gone != want.gone {
			t.Errorf("%s: %+v, %v; want %+v", name, h, err, want)
		}
	}
	for _, not := range []string{"000000000000", "000000", "", "12345", "xyzxyz", "1234567890123", "12 456", "test_", "a.p"} {
		if h, err := Finding(t.Context(), b.Site, not, Filters{}); !errors.Is(err, manifest.ErrNotFound) {
			t.Errorf("Finding(%q) = %+v, %v", not, h, err)
		}
	}
	b.capture("5\n", sealed(&result.ToolResult{Tool: "pytest", Kind: result.Test, ParserConfidence: result.Parsed, Findings: []result.Finding{
		{Kind: result.TestFailure, Severity: result.SevFailure, ID: "tests/other.py::test_a", Name: "test_a", Message: "m"},
	}}, 1))
	_, err := Finding(t.Context(), b.Site, "test_a", Filters{})
	var several *AmbiguousError
	if !errors.As(err, &several) || !slices.Equal(several.Candidates, []string{"tests/other.py::test_a", "tests/test_a.py::test_a"}) {
		t.Errorf("a name of two tests: %v", err)
	}
	if h, err := Finding(t.Context(), b.Site, "test_a", Filters{File: "tests/other.py"}); err != nil || h.Name != "tests/other.py::test_a" {
		t.Errorf("a name and a file: %+v, %v", h, err)
	}
}

// A finding that only the full result has is found with it and without it.
func TestFindingInFull(t *testing.T) {
	b := newBook(t)
	r := pytest("a")
	fp := r.Findings[0].Fingerprint
	rec := b.capture("1\n", nil, b.full(r))
	h, err := Finding(t.Context(), b.Site, fp[:8], Filters{})
	if err != nil || h.Latest.Name != "a" || h.Captures != 1 {
		t.Fatalf("%+v, %v", h, err)
	}
	b.lose(rec.ResultOID)
	h, err = Finding(t.Context(), b.Site, fp, Filters{})
	if err != nil || h.Latest.Fingerprint != "" || h.Captures != 1 || h.Last.Run != rec.ID {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestFindingAmbiguous(t *testing.T) {
	b := newBook(t)
	var want []string
	for i := range 30 {
		r := pytest("a")
		r.Findings[0].Fingerprint = fmt.Sprintf("abcdef%06d", i)
		want = append(want, r.Findings[0].Fingerprint)
		b.capture("x", r)
	}
	_, err := Finding(t.Context(), b.Site, "ABCDEF", Filters{})
	var several *AmbiguousError
	if !errors.As(err, &several) || several.Total != 30 || !slices.Equal(several.Candidates, want[:20]) || fail(err, "and 10 more") != "" {
		t.Errorf("%v", err)
	}
	if h, err := Finding(t.Context(), b.Site, "abcdef00000", Filters{}); !errors.As(err, &several) || several.Total != 10 {
		t.Errorf("%+v, %v", h, err)
	}
}
