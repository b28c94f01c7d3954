package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/manifest"
	"cairn/recall/filter"
	"cairn/result"
)

// varied is a book of captures that differ in all that filters look at, in many shards.
func varied(t *testing.T) (*book, map[string]bool) {
	b := newBook(t)
	head := git(t, b.Repo.TopLevel, "rev-parse", "HEAD")
	full := map[string]bool{}
	for n := range 60 {
		b.n += 7 * 60 // another day after some
		r := pytest([]string{"a", "b", "c"}[:n%4]...)
		if n%6 == 5 {
			r = sealed(&result.ToolResult{Tool: "ruff", ToolFamily: "ruff", Kind: result.Lint, ParserConfidence: result.Parsed, Findings: []result.Finding{{
				Kind: result.Diagnostic, Severity: result.SevError, Rule: fmt.Sprintf("F40%d", n%3), RuleName: "unused", Message: "unused", At: &result.Location{Path: fmt.Sprintf("src/shop/m%d.py", n%5), Line: n},
			}}}, 1)
		}
		edits := []func(*manifest.Record){func(rec *manifest.Record) {
			dirty := n%2 == 0
			rec.Key, rec.DurationMS = fmt.Sprintf("%012x", n%3), int64(n*37%100)
			rec.Argv = [][]string{{"pytest", "-q"}, {"pytest", "-q", "tests/a b.py"}, {"ruff", "check", "."}}[n%3]
			rec.Git = &manifest.Git{Commit: []string{head, strings.Repeat("ab", 20), strings.Repeat("cd", 20)}[n%3], Branch: []string{"main", "feature/a", "feature/b/c", ""}[n%4], Dirty: &dirty}
			if n%5 == 0 {
				rec.Git.Dirty = nil
			}
			if n%11 == 0 {
				rec.Git = nil
			}
			if n%3 > 0 {
				rec.By = &manifest.By{Agent: []string{"claude", "pi"}[n%2], Session: fmt.Sprintf("s%d-%d", n%4, n)}
			}
		}}
		if n%9 == 4 && len(r.Findings) > 0 {
			edits = append(edits, b.full(r))
		}
		rec := b.capture(fmt.Sprintf("output %d of it\n", n%7), r, edits...)
		full[rec.ResultOID] = true
	}
	return b, full
}

// drawFilters draws filters of which many select something.
func drawFilters(rt *rapid.T) (f Filters) {
	fingerprint, _ := fingerprintOf("b")
	values := map[string][]string{
		"status": {"failed", "passed,error", "f*", "failed,ok"}, "tool": {"pytest", "ruff,pytest", "r*", "go"}, "kind": {"test", "lint", "[lt]*"},
		"fingerprint": {fingerprint, fingerprint[:7], "000000000000," + fingerprint}, "rule": {"AssertionError", "F40?", "unused,x", "F401"},
		"file": {"tests", "test_a.py", "src/shop/", "src/*.py", "m1.py,m2.py", "./tests/test_a.py"}, "branch": {"main", "feature/*", "feature/a,main"},
		"commit": {"HEAD", "abab", "cdcd,HEAD", "main"}, "tree": {"HEAD", "HEAD^{tree}"}, "dirty": {"yes", "no", "unknown", "no,unknown"},
		"command": {"pytest", "pytest -q", "*a b*", "ruff\npytest"}, "agent": {"claude", "pi,claude", "p*"}, "session": {"s1", "s1,s2-", "s?-1*"},
		"since": {at(60 * 7 * 20), "2026-11-23"}, "until": {at(60 * 7 * 40)}, "grep": {"output 3", "AssertionError: b", "nothing has it", "test_a.py"},
		"sort": {"newest", "oldest", "slowest", "smallest"}, "limit": {"3"},
	}
	for _, of := range filter.All() {
		if rapid.IntRange(0, 6).Draw(rt, "has "+of.Name) == 0 {
			if err := f.Set(of, rapid.SampledFrom(values[of.Name]).Draw(rt, of.Name)); err != nil {
				rt.Fatal(err)
			}
		}
	}
	return f
}

// TestFiltersIndexed: what the index chooses, a plain reading of all records chooses, for
// every mixture of filters, in the same order.
func TestFiltersIndexed(t *testing.T) {
	defer func(n int) { fewShards = n }(fewShards)
	fewShards = 1
	b, full := varied(t)
	for oid := range full { // of some the full result is in another clone
		if oid != "" {
			b.lose(oid)
			break
		}
	}
	some := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFilters(rt)
		var got []string
		for hit, err := range Objects(t.Context(), b.Site, Query{Filters: f}) {
			if err != nil {
				rt.Fatal(err)
			}
			got = append(got, hit.Record.ID)
		}
		want, all := scanned(rt, t, b, f)
		if !slices.Equal(got, want) {
			rt.Fatalf("%+v\ngot  %v\nwant %v", f, got, want)
		}
		if some += len(got); f.Limit > 0 {
			return
		}
		f.Sort = ""
		s, err := StatsOf(t.Context(), b.Site, f)
		if err != nil || s.Total.Captures != all {
			rt.Fatalf("%+v: stats count %+v, want %d, %v", f, s, all, err)
		}
	})
	if some == 0 {
		t.Error("nothing was ever found")
	}
}

// scanned is what filters select of all records, read one after the other.
func scanned(rt *rapid.T, t *testing.T, b *book, f Filters) (ids []string, all int) {
	q, err := understood(t.Context(), b.Site, "objects", f)
	if err != nil {
		rt.Fatal(err)
	}
	var hits []*Hit
	for rec, err := range b.Manifest.Records(t.Context(), manifest.Query{Newest: true}) {
		if err != nil {
			rt.Fatal(err)
		}
		hit, err := q.match(b.Site, rec)
		if err != nil {
			rt.Fatal(err)
		}
		if hit != nil {
			hits = append(hits, hit)
		}
	}
	slices.SortStableFunc(hits, func(a, b *Hit) int {
		switch f.Sort {
		case "oldest":
			return a.Record.Time.Compare(b.Record.Time)
		case "slowest":
			return int(b.Record.DurationMS - a.Record.DurationMS)
		case "smallest":
			return int(a.Record.Raw.Size - b.Record.Raw.Size)
		}
		return 0
	})
	for _, hit := range hits {
		if f.Limit == 0 || len(ids) < f.Limit {
			ids = append(ids, hit.Record.ID)
		}
	}
	return ids, len(hits)
}

// TestFiltersOfQuestions: the questions about findings take captures by the filters.
func TestFiltersOfQuestions(t *testing.T) {
	b := newBook(t)
	clean := func(branch, agent string, n int) func(*manifest.Record) {
		return func(r *manifest.Record) {
			dirty := false
			r.Git, r.By = &manifest.Git{Commit: strings.Repeat(fmt.Sprint(n), 40), Branch: branch, Dirty: &dirty}, &manifest.By{Agent: agent, Session: "s"}
		}
	}
	b.capture("", pytest(), clean("main", "pi", 1))
	onMain := b.capture("", pytest("a"), clean("main", "pi", 1))
	b.capture("", pytest(), clean("feature/x", "claude", 2))
	onTopic := b.capture("", pytest("a", "b"), clean("feature/x", "claude", 3))
	fingerprint, _ := fingerprintOf("a")
	h, err := Finding(t.Context(), b.Site, fingerprint, Filters{Branch: "feature/*"})
	if err != nil || h.Captures != 1 || h.Last.Run != onTopic.ID {
		t.Errorf("a finding on branches: %+v, %v", h, err)
	}
	blamed, err := Blame(t.Context(), b.Site, "a", Filters{Agent: "pi"})
	if err != nil || blamed.Failed.Run != onMain.ID || blamed.Flaky == nil || blamed.Flaky.Runs != 2 || blamed.Flaky.Fails != 1 {
		t.Errorf("blame of an agent's runs: %+v, %v", blamed, err)
	}
	if blamed, err = Blame(t.Context(), b.Site, "a", Filters{Branch: "feature/x"}); err != nil || blamed.Failed.Run != onTopic.ID || blamed.Flaky != nil {
		t.Errorf("blame on a branch: %+v, %v", blamed, err)
	}
	for name, f := range map[string]Filters{"agent": {Agent: "claude"}, "file": {File: "other.py"}, "branch": {Branch: "feature/*"}} {
		if found, err := Flaky(t.Context(), b.Site, f); err != nil || len(found.Tests) != 0 {
			t.Errorf("flaky, by %s: %+v, %v", name, found, err)
		}
	}
	for name, f := range map[string]Filters{"agent": {Agent: "pi,x"}, "file": {File: "tests"}, "rule": {Rule: "Assert*"}} {
		if found, err := Flaky(t.Context(), b.Site, f); err != nil || len(found.Tests) != 1 || found.Tests[0].Runs != 2 {
			t.Errorf("flaky, by %s: %+v, %v", name, found, err)
		}
	}
	d, err := Diff(t.Context(), b.Site, "main", "feature/x", Filters{})
	if err != nil || d.Before.Record.ID != onMain.ID || d.After.Record.ID != onTopic.ID || !slices.Equal(messages(d.New), []string{"b"}) {
		t.Errorf("two branches: %+v, %v", d, err)
	}
	if d, err = Diff(t.Context(), b.Site, "feature/x", "main", Filters{Rule: "Assert*"}); err != nil || !slices.Equal(messages(d.Fixed), []string{"b"}) {
		t.Errorf("the other way round: %+v, %v", d, err)
	}
	if d, err = Diff(t.Context(), b.Site, "main", "feature/x", Filters{File: "other.py"}); err != nil || len(d.New)+len(d.Still) != 0 {
		t.Errorf("of one file: %+v, %v", d, err)
	}
	found, _, err := Search{Text: "AssertionError", Filters: Filters{Branch: "main"}}.Run(t.Context(), b.Site)
	if err != nil || len(found) != 1 || found[0].Captures != 1 {
		t.Errorf("search on a branch: %+v, %v", found, err)
	}
	onTree := func(tree string) func(*manifest.Record) {
		return func(r *manifest.Record) {
			dirty := true
			r.Key, r.Git = "0123456789ab", &manifest.Git{Commit: strings.Repeat("9", 40), Branch: "wip", Dirty: &dirty, Worktree: strings.Repeat(tree, 40)}
		}
	}
	b.capture("", pytest("w"), onTree("a"))
	b.capture("", pytest(), onTree("b"))
	if found, err := Flaky(t.Context(), b.Site, Filters{Branch: "wip"}); err != nil || len(found.Tests) != 0 {
		t.Errorf("two trees with changes: %+v, %v", found, err)
	}
	b.capture("", pytest(), onTree("a"))
	if found, err := Flaky(t.Context(), b.Site, Filters{Branch: "wip"}); err != nil || len(found.Tests) != 1 || found.Tests[0].Runs != 2 {
		t.Errorf("one tree with changes: %+v, %v", found, err)
	}
	for question, f := range map[string]Filters{"flaky": {Status: "failed"}, "finding": {Limit: 3}, "blame": {Sort: "newest"}, "diff": {Sort: "best"}, "stats": {Status: "running"}} {
		if _, err := f.Read(question, time.Now()); err == nil {
			t.Errorf("%s takes %+v", question, f)
		}
	}
}
