package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/result"
)

// Difference is what changed between two captures of one command.
type Difference struct {
	Before, After *Hit
	New           []result.Finding // in After, not in Before
	Fixed         []result.Finding // in Before, not in After
	Still         []result.Finding // in both, as After shows them
	// Missing are findings of Before that After does not show, but that may still be
	// there: After did not look for them, or its output was not understood. Why says
	// which.
	Missing []result.Finding
	Why     string
	// Tests is how the tests of the two captures differ, by name or by their counts; nil where neither is certain.
	Tests *TestsThen
}

// Diff compares two captures, by default the last two of the newest capture's command;
// one name alone is compared with the newest capture of its command. A name is the id
// of a run, a branch, or anything that git resolves to a commit; a branch or commit
// stands for its newest capture of one command. Only captures and findings that the
// filters select count. Equal fingerprints are counted: three before and two after is
// one fixed.
func Diff(ctx context.Context, s *place.Site, before, after string, f Filters) (*Difference, error) {
	q, err := understood(ctx, s, "diff", f)
	if err != nil {
		return nil, err
	}
	a, b, err := (&pairing{q: q.captures(), s: s}).pair(ctx, before, after)
	if err != nil {
		return nil, err
	}
	if a.Key != b.Key {
		return nil, otherCommand(a, b)
	}
	d := &Difference{}
	if d.Before, err = wholeHit(s, a); err != nil {
		return nil, err
	}
	if d.After, err = wholeHit(s, b); err != nil {
		return nil, err
	}
	d.compare()
	for _, list := range []*[]result.Finding{&d.New, &d.Fixed, &d.Still, &d.Missing} {
		*list = q.findings(*list)
	}
	if d.Tests, err = q.testsBetween(s, a, b); err == nil {
		d.unrun()
	}
	return d, err
}

// unrun takes out of Fixed the failures of tests that did not run in After.
func (d *Difference) unrun() {
	if d.Tests == nil || d.Tests.Change == nil {
		return
	}
	left := map[string]bool{}
	for _, list := range []outcomes.List{d.Tests.Change.Gone, d.Tests.Change.Skipped} {
		for _, t := range list {
			left[t.ID] = true
		}
	}
	fixed := d.Fixed[:0:0]
	for _, f := range d.Fixed {
		if f.Kind == result.TestFailure && left[f.ID] {
			d.Missing, d.Why = append(d.Missing, f), cmp.Or(d.Why, "the test is gone, or was skipped")
		} else {
			fixed = append(fixed, f)
		}
	}
	d.Fixed = fixed
}

// testsBetween compares the tests of two captures, unless the filters ask for a fingerprint or a rule.
func (q *query) testsBetween(s *place.Site, a, b *manifest.Record) (*TestsThen, error) {
	if len(q.Fingerprints)+len(q.Rule) > 0 {
		return nil, nil
	}
	now, named, err := completeTests(s, b)
	if err != nil {
		return nil, err
	}
	t := &TestsThen{Run: a, Since: a}
	switch before, complete, err := completeTests(s, a); {
	case err == nil && named && complete:
		keep := func(l outcomes.List) outcomes.List {
			return slices.DeleteFunc(l, func(t outcomes.Test) bool { return !q.isTest(&t) })
		}
		c := outcomes.Compare(keep(before), keep(now))
		t.Change = &c
	case len(q.files) == 0 && countsAll(a) && countsAll(b):
		t.Fewer, t.Skipped = outcomes.Fewer(a.Counts, b.Counts)
	default:
		return nil, nil
	}
	return t, nil
}

// otherCommand says why two captures cannot be compared.
func otherCommand(a, b *manifest.Record) error {
	if CommandLine(a) == CommandLine(b) && a.Dir != b.Dir {
		return fmt.Errorf("%s ran in %q and %s in %q: only captures of one command in one directory can be compared", a.ID, a.Dir, b.ID, b.Dir)
	}
	return fmt.Errorf("%s ran %q and %s ran %q: only captures of one command can be compared", a.ID, CommandLine(a), b.ID, CommandLine(b))
}

// tells says whether a capture has findings, or is of a kind that could have had some.
func tells(rec *manifest.Record) bool {
	r, err := rec.Result()
	return err == nil && r != nil && (len(r.Findings) > 0 || r.Kind == result.Test || r.Kind == result.Lint || r.Kind == result.Typecheck || r.Kind == result.Build)
}

// nothingToCompare is a manifest.ErrNotFound with a text of its own.
type nothingToCompare string

func (e nothingToCompare) Error() string { return string(e) }
func (nothingToCompare) Unwrap() error   { return manifest.ErrNotFound }

// wholeHit is a capture with all its findings, which a comparison needs.
func wholeHit(s *place.Site, rec *manifest.Record) (*Hit, error) {
	r, err := rec.Result()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("capture " + rec.ID + " has no result")
	}
	whole, missing := Full(s, rec, r)
	if missing != "" {
		return nil, fmt.Errorf("capture %s cannot be compared: %s", rec.ID, missing)
	}
	whole, _ = Whole(s, rec, whole)
	return &Hit{Record: rec, Result: whole}, nil
}

func (d *Difference) compare() {
	left := map[string]int{}
	for _, f := range d.Before.Result.Findings {
		left[f.Fingerprint]++
	}
	for _, f := range d.After.Result.Findings {
		if left[f.Fingerprint] > 0 {
			left[f.Fingerprint]--
			d.Still = append(d.Still, f)
		} else {
			d.New = append(d.New, f)
		}
	}
	for _, f := range lastOf(d.Before.Result.Findings, left) {
		if why := unproven(d.After.Record, d.After.Result, f); why != "" {
			d.Missing, d.Why = append(d.Missing, f), why
		} else {
			d.Fixed = append(d.Fixed, f)
		}
	}
}

// lastOf takes of each fingerprint the last left[fingerprint] findings, and keeps their order.
func lastOf(findings []result.Finding, left map[string]int) (out []result.Finding) {
	total := map[string]int{}
	for _, f := range findings {
		total[f.Fingerprint]++
	}
	seen := map[string]int{}
	for _, f := range findings {
		if seen[f.Fingerprint]++; seen[f.Fingerprint] > total[f.Fingerprint]-left[f.Fingerprint] {
			out = append(out, f)
		}
	}
	return out
}

// unproven says why a capture that does not show f does not prove it gone.
func unproven(rec *manifest.Record, r *result.ToolResult, f result.Finding) string {
	why := doubt(rec, r)
	stopped := func(g result.Finding) bool { return stops(g) || holds(g, f) }
	if why == "" && f.Kind == result.TestFailure && slices.ContainsFunc(r.Findings, stopped) {
		why = "something in it did not build, crashed or could not be set up, so tests may not have run"
	}
	return why
}

// stops says whether a finding kept further tests from running. A finding that
// names a test concerns only that test.
func stops(f result.Finding) bool {
	if f.Severity == result.SevWarning || f.Severity == result.SevInfo {
		return false
	}
	return f.Kind == result.BuildError || f.Kind == result.Panic || f.Kind == result.TestFailure && f.Severity == result.SevError && f.Name == ""
}

// holds says whether suite is a module or a class of the test f that could not be set up, so that f did not run.
func holds(suite, f result.Finding) bool {
	name, _, _ := strings.Cut(suite.ID, " (") // "test_a.T (setUpClass)"
	rest, ok := strings.CutPrefix(f.ID, name)
	return ok && name != "" && rest != "" && suite.Kind == result.TestFailure && suite.Severity == result.SevError && strings.IndexByte(".:/# >", rest[0]) >= 0
}

// accounted says whether all of a capture's output was understood. Only then does
// a finding that is absent from the capture count as gone.
func accounted(rec *manifest.Record, r *result.ToolResult) bool { return doubt(rec, r) == "" }

// doubt says why the absence of a finding from a capture proves nothing; "" if it
// does prove that the finding is gone.
func doubt(rec *manifest.Record, r *result.ToolResult) string {
	switch {
	case rec.Partial:
		return "it was cut short"
	case r == nil:
		return "it has no result"
	case r.Status == result.Error || r.Status == result.Unknown:
		return "it did not run to its end"
	case r.Status == result.OK && rec.Raw != nil && rec.Raw.Size == 0:
		return "" // exit 0 and no output: so ends a linter that found nothing
	case r.ParserConfidence != result.Parsed:
		return "its output was not fully understood"
	case r.ExitMeaning == result.MeansNoTests || r.Extra["no_tests"] == true:
		return "it ran no tests"
	case r.Extra["stopped"] != nil:
		return "it stopped before its end"
	}
	return ""
}

// Accounts says whether a finding that the capture does not show was absent: all of its
// output was understood, and it ran to its end.
func Accounts(rec *manifest.Record, r *result.ToolResult) bool {
	return accounted(rec, r) && (&run{rec: rec, result: r}).whole()
}
