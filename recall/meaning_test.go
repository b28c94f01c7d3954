package recall

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cairn/manifest"
)

// drawn is a capture of a history that was drawn, in the few facts that the
// references below look at.
type drawn struct {
	rec     *manifest.Record
	key     string
	branch  string
	tree    string
	clean   bool
	partial bool
	failing []string
}

// drawHistory appends captures of up to two commands on two branches.
func drawHistory(rt *rapid.T, b *book, n int) []drawn {
	var all []drawn
	for range rapid.IntRange(2, 10).Draw(rt, "runs") {
		d := drawn{
			key:    fmt.Sprintf("%06x%06x", n, rapid.IntRange(0, 1).Draw(rt, "key")),
			branch: rapid.SampledFrom([]string{"main", "topic"}).Draw(rt, "branch"),
			tree:   rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(rt, "tree"),
			clean:  rapid.Bool().Draw(rt, "clean"), partial: rapid.IntRange(0, 5).Draw(rt, "partial") == 0,
			failing: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID).Draw(rt, "failing"),
		}
		for i := range d.failing {
			d.failing[i] += fmt.Sprint(n) // other findings in each history
		}
		slices.Sort(d.failing)
		d.rec = b.capture("", pytest(d.failing...), key(d.key), func(r *manifest.Record) {
			dirty := !d.clean
			r.Git = &manifest.Git{Commit: d.tree, Branch: d.branch, Dirty: &dirty} // a clean commit names its tree
			r.Partial = d.partial
		})
		all = append(all, d)
	}
	return all
}

// fingerprintOf is that of a test of the book.
func fingerprintOf(test string) (fingerprint, group string) {
	f := pytest(test).Findings[0]
	return f.Fingerprint, f.Group
}

// TestFindingAgainstReference: how often a finding was seen, how often its
// commands passed in between, what came after.
func TestFindingAgainstReference(t *testing.T) {
	b := newBook(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		all := drawHistory(rt, b, n)
		test := "a" + fmt.Sprint(n)
		shows := func(d drawn) bool { return slices.Contains(d.failing, test) }
		fingerprint, _ := fingerprintOf(test)
		got, err := Finding(t.Context(), b.Site, fingerprint, Filters{})
		first, last := slices.IndexFunc(all, shows), -1
		for i, d := range all {
			if shows(d) {
				last = i
			}
		}
		if first < 0 {
			if !errors.Is(err, manifest.ErrNotFound) {
				rt.Fatalf("a finding that was never seen: %v, %v", got, err)
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		keys, captures, passes, since, gone := map[string]bool{}, 0, 0, 0, false
		for _, d := range all {
			if shows(d) {
				keys[d.key] = true
				captures++
			}
		}
		for i, d := range all {
			if !shows(d) && !d.partial && keys[d.key] && i > first && i < last {
				passes++
			}
			if i > last && d.key == all[last].key {
				since++
				gone = gone || !d.partial
			}
		}
		want := fmt.Sprint(all[first].rec.ID, all[last].rec.ID, captures, passes, since, gone)
		if have := fmt.Sprint(got.First.Run, got.Last.Run, got.Captures, got.Passes, got.RunsSince, got.Gone); have != want {
			rt.Fatalf("got  %s\nwant %s", have, want)
		}
		var with []string
		for _, other := range []string{"b", "c"} {
			if captures > 1 && !slices.ContainsFunc(all, func(d drawn) bool { return shows(d) && !slices.Contains(d.failing, other+fmt.Sprint(n)) }) {
				with = append(with, other+fmt.Sprint(n))
			}
		}
		have := messages(got.With)
		if slices.Sort(have); !slices.Equal(have, with) {
			rt.Fatalf("always with %v, want %v", have, with)
		}
	})
}

// TestFlakyAgainstReference: a test is flaky if it failed and did not fail on one
// clean tree under one command.
func TestFlakyAgainstReference(t *testing.T) {
	b := newBook(t)
	n, before, evidenceBefore := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		from := at(b.n)
		all := drawHistory(rt, b, n)
		found, err := Flaky(t.Context(), b.Site, Filters{Since: from})
		if err != nil {
			rt.Fatal(err)
		}
		got, evidence := found.Tests, 0
		for _, d := range all {
			if d.clean && !d.partial {
				evidence++
			}
		}
		if found.Captures != len(all) || found.Evidence != evidence {
			rt.Fatalf("%d of %d captures count, want %d of %d", found.Evidence, found.Captures, evidence, len(all))
		}
		if l := found.Left; l.Unsure+l.Changed+l.Partly != len(all)-evidence {
			rt.Fatalf("left out %+v of %d captures, of which %d count", l, len(all), evidence)
		}
		before, evidenceBefore = before+len(all), evidenceBefore+evidence
		if every, err := Flaky(t.Context(), b.Site, Filters{}); err != nil || every.Captures != before || every.Evidence != evidenceBefore {
			rt.Fatalf("without filters %d of %d captures count, want %d of %d (%v)", every.Evidence, every.Captures, evidenceBefore, before, err)
		}
		want := map[string]string{}
		for _, name := range []string{"a", "b", "c"} {
			test := name + fmt.Sprint(n)
			failed, runs, trees := 0, 0, 0
			for _, tree := range []string{"t1", "t2"} {
				for _, k := range []int{0, 1} {
					f, r := 0, 0
					for _, d := range all {
						if d.clean && !d.partial && d.tree == tree && d.key == fmt.Sprintf("%06x%06x", n, k) {
							r++
							if slices.Contains(d.failing, test) {
								f++
							}
						}
					}
					if f > 0 && f < r {
						failed, runs, trees = failed+f, runs+r, trees+1
					}
				}
			}
			if trees > 0 {
				_, group := fingerprintOf(test)
				want[group] = fmt.Sprint(failed, runs, trees)
			}
		}
		if len(got) != len(want) {
			rt.Fatalf("got %d flaky tests, want %v", len(got), want)
		}
		for _, f := range got {
			if have := fmt.Sprint(f.Failed, f.Runs, f.Trees); have != want[f.Group] {
				rt.Fatalf("%s: got %s, want %s", f.Finding.ID, have, want[f.Group])
			}
		}
	})
}

// TestBlame: the newest step, with the commits between, and what they cannot
// explain.
func TestBlame(t *testing.T) {
	b := newBook(t)
	var commits []string
	for i := range 4 {
		git(t, b.Repo.TopLevel, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("change %d", i))
		commits = append(commits, git(t, b.Repo.TopLevel, "rev-parse", "HEAD"))
	}
	b.capture("", pytest("a"), in("main", commits[0], "t"))
	passed := b.capture("", pytest(), in("main", commits[1], "t"))
	b.capture("", pytest("a"), in("topic", commits[0], "t"))
	failed := b.capture("", pytest("a"), in("main", commits[3], "t"))
	b.capture("", pytest("a", "b"), in("main", commits[3], "t"))
	fingerprint, _ := fingerprintOf("a")
	got, err := Blame(t.Context(), b.Site, fingerprint, Filters{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Passed.Run != passed.ID || got.Failed.Run != failed.ID || got.Why != "" ||
		!slices.Equal(got.Commits, []string{commits[3] + " change 3", commits[2] + " change 2"}) {
		t.Errorf("got %+v", got)
	}
	fingerprint, _ = fingerprintOf("b")
	if got, err = Blame(t.Context(), b.Site, fingerprint, Filters{}); err != nil || !strings.Contains(got.Why, "same commit without changes") {
		t.Errorf("on one commit: %+v, %v", got, err)
	}
	tree := func(id string, dirty bool) func(*manifest.Record) {
		return func(r *manifest.Record) { r.Git.Tree, r.Git.Dirty = strings.Repeat(id, 40), &dirty }
	}
	alone := func(of func(*manifest.Record), id string, dirty bool) []func(*manifest.Record) {
		return []func(*manifest.Record){key("0000000000fe"), of, tree(id, dirty)}
	}
	b.capture("", pytest(), alone(in("main", commits[0], "t"), "1", false)...)
	failed = b.capture("", pytest("c"), alone(in("main", commits[1], "t"), "2", false)...)
	b.capture("", pytest(), alone(in("main", commits[1], "t"), "3", true)...)
	b.capture("", pytest("c"), alone(in("main", commits[1], "t"), "2", false)...)
	fingerprint, _ = fingerprintOf("c")
	if got, err = Blame(t.Context(), b.Site, fingerprint, Filters{}); err != nil || got.Failed.Run != failed.ID || got.Why != "" {
		t.Errorf("mended by changes that were thrown away: %+v, %v", got, err)
	}
	b.capture("", pytest("new"), key("0000000000ff"), in("main", commits[3], "t"))
	fingerprint, _ = fingerprintOf("new")
	if _, err := Blame(t.Context(), b.Site, fingerprint, Filters{}); !errors.Is(err, manifest.ErrNotFound) {
		t.Errorf("no run before: %v", err)
	}
}

// TestSearch: findings before commands before outputs, whole words first.
func TestSearch(t *testing.T) {
	b := newBook(t)
	b.capture("ready\nthe needle is here\nbye\n", pytest("needles"), func(r *manifest.Record) { r.Argv = []string{"grep", "needle"} })
	b.capture("nothing\n", pytest("needle"))
	b.capture("", nil, func(r *manifest.Record) { r.Type, r.Target, r.Reason = manifest.TypePin, "01", "needle" })
	got, report, err := Search{Text: "needle", Outputs: 10}.Run(t.Context(), b.Site)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range got {
		have = append(have, f.Kind+" "+f.Finding.ID+" "+f.Text[:min(len(f.Text), 20)])
	}
	first, _ := fingerprintOf("needle")
	second, _ := fingerprintOf("needles")
	want := []string{"finding tests/test_a.py::needle " + first, "finding tests/test_a.py::needles " + second, "command  grep needle", "output  2: the needle is her"}
	if !slices.Equal(have, want) || report.Outputs != 2 {
		t.Errorf("got  %q (%+v)\nwant %q", have, report, want)
	}
	if got, _, err := (Search{Text: "Needle"}).Run(t.Context(), b.Site); err != nil || len(got) != 0 {
		t.Errorf("a capital letter counts: %v, %v", got, err)
	}
}

// What says that a value is a secret may stand far before the part of a line that
// is shown, in the line that matches and in those around it.
func TestSearchRedactsBeforeItCuts(t *testing.T) {
	secret := "S3" + strings.Repeat("q7Lz", 55)
	hidden := strings.Repeat("x ", 370) + "password=" + secret // a piece that is shown begins within the secret
	for name, output := range map[string]string{
		"in the line":      hidden + " needle " + strings.Repeat("y ", 400),
		"around the word":  strings.Repeat("x ", 370) + "password=" + secret[:90] + "needle" + secret[90:],
		"in a line beside": "needle\n" + strings.Repeat("x ", 140) + "gh" + "p_q7Lz5gH7jK9mN1pQ3sT5vW7xY9zA1cD3e8f0",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t)
			b.capture(output+"\n", pytest("test_a"))
			got, _, err := Search{Text: "needle", Outputs: 10}.Run(t.Context(), b.Site)
			if err != nil || len(got) != 1 {
				t.Fatalf("%d found, %v", len(got), err)
			}
			if shown := got[0].Text + strings.Join(got[0].Context, "\n"); strings.Contains(shown, "q7Lz") {
				t.Errorf("shows %q", shown)
			}
		})
	}
}

// TestStats counts each run once, by status.
func TestStats(t *testing.T) {
	b := newBook(t)
	for i := range 5 {
		r := pytest()
		if i%2 == 0 {
			r = pytest("a")
		}
		b.capture("x", r, func(rec *manifest.Record) { rec.DurationMS = int64(i) * 100 })
	}
	s, err := StatsOf(t.Context(), b.Site, Filters{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Total.Captures != 5 || s.Total.Good != 2 || s.Total.Failed != 3 || s.Total.Duration != 1000 || s.Total.Longest != 400 || s.Raw != 5 ||
		len(s.Tools) != 1 || s.Tools[0].Name != "pytest" || len(s.Newest) != 5 || len(s.Weeks) != 1 || s.Weeks[0].Captures != 5 || s.Weeks[0].Name != "2026-11-16" {
		t.Errorf("got %+v", s)
	}
	if s, err := StatsOf(t.Context(), b.Site, Filters{Since: at(3)}); err != nil || s.Total.Captures != 2 {
		t.Errorf("the last two: %+v, %v", s, err)
	}
}
