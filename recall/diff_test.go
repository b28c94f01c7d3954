package recall

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/manifest"
	"cairn/result"
)

// compare gives the difference of two results without a store.
func compare(before, after *result.ToolResult) *Difference {
	d := &Difference{Before: &Hit{Record: &manifest.Record{}, Result: before}, After: &Hit{Record: &manifest.Record{}, Result: after}}
	d.compare()
	return d
}

// Each fingerprint counts as often as it occurs: new is what there is more of,
// fixed what there is less of, still the rest.
func TestDiffMultiset(t *testing.T) {
	draw := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		before, after := draw.Draw(t, "before"), draw.Draw(t, "after")
		if len(after) == 0 {
			after = append(after, "e") // a run that fails says so by a finding
		}
		d := compare(pytest(before...), pytest(after...))
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			count := func(list []string) (n int) {
				for _, s := range list {
					if s == name {
						n++
					}
				}
				return n
			}
			was, is := count(before), count(after)
			if got, want := count(messages(d.New)), max(is-was, 0); got != want {
				t.Fatalf("%s: %d new, want %d", name, got, want)
			}
			if got, want := count(messages(d.Fixed)), max(was-is, 0); got != want {
				t.Fatalf("%s: %d fixed, want %d", name, got, want)
			}
			if got, want := count(messages(d.Still)), min(was, is); got != want {
				t.Fatalf("%s: %d still, want %d", name, got, want)
			}
		}
		if len(d.Missing) > 0 || !slices.Equal(messages(compare(pytest(after...), pytest(after...)).Still), after) {
			t.Fatalf("missing %v; a run compared with itself changes", d.Missing)
		}
	})
}

// What a run does not show is fixed only if the run would have shown it.
func TestDiffMissing(t *testing.T) {
	passing := func(edit func(*result.ToolResult)) *result.ToolResult {
		r := pytest()
		edit(r)
		return r
	}
	for name, test := range map[string]struct {
		after   *result.ToolResult
		partial bool
		why     string
	}{
		"passed":         {after: pytest()},
		"other failures": {after: pytest("x", "y")},
		"cut short":      {pytest(), true, "cut short"},
		"heuristic":      {after: passing(func(r *result.ToolResult) { r.ParserConfidence = result.Heuristic }), why: "not fully understood"},
		"killed":         {after: passing(func(r *result.ToolResult) { r.Status = result.Error }), why: "did not run to its end"},
		"unknown":        {after: passing(func(r *result.ToolResult) { r.Status = result.Unknown }), why: "did not run to its end"},
		"no tests":       {after: passing(func(r *result.ToolResult) { r.ExitMeaning = result.MeansNoTests }), why: "no tests"},
		"none selected":  {after: passing(func(r *result.ToolResult) { r.Extra = map[string]any{"no_tests": true} }), why: "no tests"},
		"stopped": {
			after: passing(func(r *result.ToolResult) { r.Extra = map[string]any{"stopped": "stopping after 1 failures"} }),
			why:   "stopped before its end",
		},
		"build error": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.BuildError, Severity: result.SevError})
			}),
			why: "did not build",
		},
		"panic": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.Panic, Severity: result.SevFailure})
			}),
			why: "crashed",
		},
		"not collected": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: "tests/test_a.py"})
			}),
			why: "could not be set up",
		},
		"its module": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: "tests/test_a.py", Name: "test_a"})
			}),
			why: "could not be set up",
		},
		"another's setup": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: "t.py::x", Name: "x"})
			}),
		},
		"warning": {
			after: passing(func(r *result.ToolResult) {
				r.Findings = append(r.Findings, result.Finding{Kind: result.BuildError, Severity: result.SevWarning})
			}),
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			d := &Difference{
				Before: &Hit{Record: &manifest.Record{}, Result: pytest("gone")},
				After:  &Hit{Record: &manifest.Record{Partial: test.partial}, Result: test.after},
			}
			d.compare()
			if test.why == "" && len(d.Fixed) != 1 || test.why != "" && (len(d.Missing) != 1 || len(d.Fixed) != 0) || !strings.Contains(d.Why, test.why) {
				t.Errorf("fixed %v, missing %v because %q", messages(d.Fixed), messages(d.Missing), d.Why)
			}
		})
	}
	// A linter that exits 0 without a word is clean.
	lint := &result.ToolResult{Tool: "ruff", Kind: result.Lint, Status: result.OK, ParserConfidence: result.Untyped}
	if why := doubt(&manifest.Record{Raw: &manifest.Raw{}}, lint); why != "" {
		t.Errorf("a silent linter: %s", why)
	}
	if why := doubt(&manifest.Record{Raw: &manifest.Raw{Size: 9}}, lint); why == "" {
		t.Error("words that nobody understood are taken for success")
	}
}

func TestDiffPairs(t *testing.T) {
	b := newBook(t)
	if _, err := Diff(t.Context(), b.Site, "", "", Filters{}); !errors.Is(err, manifest.ErrNotFound) {
		t.Errorf("of nothing: %v", err)
	}
	one := b.capture("1\n", pytest("a", "b"))
	if _, err := Diff(t.Context(), b.Site, "", "", Filters{}); !errors.Is(err, manifest.ErrNotFound) || fail(err, "only capture of its command") != "" {
		t.Errorf("of one: %v", err)
	}
	two := b.capture("2\n", pytest("b", "c"))
	other := b.capture("3\n", pytest("z"), key("000011112222"))
	three := b.capture("4\n", pytest("c"))
	for name, test := range map[string]struct{ a, b, before, after, new, fixed, still string }{
		"last two":     {"", "", two.ID, three.ID, "", "b", "c"},
		"with newest":  {one.ID, "", one.ID, three.ID, "c", "a b", ""},
		"the newest":   {three.ID, "", two.ID, three.ID, "", "b", "c"},
		"by ids":       {one.ID, two.ID, one.ID, two.ID, "c", "a", "b"},
		"other way":    {two.ID, one.ID, one.ID, two.ID, "c", "a", "b"},
		"by an object": {one.Raw.OID, two.ID, one.ID, two.ID, "c", "a", "b"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			d, err := Diff(t.Context(), b.Site, test.a, test.b, Filters{})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{d.Before.Record.ID, d.After.Record.ID, strings.Join(messages(d.New), " "), strings.Join(messages(d.Fixed), " "), strings.Join(messages(d.Still), " ")}
			if want := []string{test.before, test.after, test.new, test.fixed, test.still}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	_, err := Diff(t.Context(), b.Site, one.ID, other.ID, Filters{})
	if msg := fail(err, "only captures of one command"); msg != "" {
		t.Error(msg)
	}
	if _, err := Diff(t.Context(), b.Site, "nothing", "", Filters{}); !errors.Is(err, manifest.ErrNotFound) {
		t.Errorf("of an id that means nothing: %v", err)
	}
	orphan := digest(b, "orphan")
	if _, err := Diff(t.Context(), b.Site, orphan, "", Filters{}); fail(err, "object of no capture") != "" {
		t.Error(fail(err, "object of no capture"))
	}
}

// All findings are compared, also those that only the full result has; where
// it is not here, that is an error and not a difference.
func TestDiffFull(t *testing.T) {
	b := newBook(t)
	r := pytest("a", "b")
	before := b.capture("1\n", nil, b.full(r))
	b.capture("2\n", pytest("b"))
	d, err := Diff(t.Context(), b.Site, "", "", Filters{})
	if err != nil || strings.Join(messages(d.Fixed), "") != "a" || strings.Join(messages(d.Still), "") != "b" {
		t.Fatalf("%+v, %v", d, err)
	}
	b.lose(before.ResultOID)
	if _, err := Diff(t.Context(), b.Site, "", "", Filters{}); fail(err, "not in this clone") != "" {
		t.Error(fail(err, "not in this clone"))
	}
	b.capture("3\n", nil)
	if _, err := Diff(t.Context(), b.Site, "", "", Filters{}); fail(err, "has no result") != "" {
		t.Error(fail(err, "has no result"))
	}
}
