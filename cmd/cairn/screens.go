package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

// What the answers look like on a screen: the facts of the plain forms, and no others, but
// for a person to look at.

// heads is the first line of a table; numbers stand at the right of their columns.
func heads(left int, words ...string) (row []render.Cell) {
	for i, word := range words {
		row = append(row, render.Cell{Text: word, Ink: render.Faint, Right: i >= left})
	}
	return row
}

// statsScreen is what "recall stats" shows.
func statsScreen(s *render.Screen, st *recall.Stats, f filter.Filters, recalled int64, tokens *tokenCount) string {
	const day = "2 Jan 2006"
	var b strings.Builder
	t := st.Total
	b.WriteString(s.Text(0, fmt.Sprintf("%s from %s to %s", result.Count(t.Captures, "capture"), st.From.Format(day), st.To.Format(day)), render.Strong))
	b.WriteString(s.Columns(0, []render.Cell{
		{Text: rate(t.Good, t.Captures) + " passed or ok", Ink: render.InkOfRate(t.Good, t.Captures)}, {Text: fmt.Sprintf("%d failed", t.Failed), Ink: inkIf(t.Failed > 0, render.Bad)},
		{Text: result.Count(t.Error, "error"), Ink: inkIf(t.Error > 0, render.Unsure)}, {Text: fmt.Sprintf("%d unknown", t.Unknown), Ink: inkIf(t.Unknown > 0, render.Unsure)},
	}))
	weeks := min(mostWeeks, s.Width-len("failing  "))
	b.WriteString("\n" + s.Columns(1,
		[]render.Cell{{Text: "a week", Ink: render.Faint}, {Text: render.Spark(aWeek(st), weeks), Ink: render.Good}},
		[]render.Cell{{Text: "failing", Ink: render.Faint}, {Text: render.Spark(failingWeeks(st), weeks), Ink: render.Bad}}))
	for _, section := range statsSections(st, f) {
		rows := [][]render.Cell{heads(1, section.columns()...)}
		for _, c := range section.all[:min(len(section.all), section.top)] {
			var row []render.Cell
			for i, text := range section.row(c) {
				row = append(row, render.Cell{Text: text, Right: i > 0})
			}
			row[0].Text = oneLine(row[0].Text, 400)
			row[2].Ink, row[3].Ink = render.InkOfRate(c.Good, c.Captures), inkIf(c.Good < c.Captures, render.Bad)
			rows = append(rows, row)
		}
		b.WriteString("\n" + s.Columns(0, rows...) + section.more())
	}
	b.WriteString(savedText(st, recalled))
	if tokens != nil {
		b.WriteString(render.Shown(tokens.text()))
	}
	return b.String()
}

func inkIf(so bool, ink render.Ink) render.Ink {
	if so {
		return ink
	}
	return render.Faint
}

// flakyScreen is what "recall flaky" shows.
func flakyScreen(s *render.Screen, found recall.Flakiness) string {
	rows := [][]render.Cell{heads(1, "test", "failed", "rate", "trees", "last")}
	for _, t := range found.Tests {
		rows = append(rows, []render.Cell{
			{Text: nameOf(t.Finding), Ink: render.Strong}, {Text: fmt.Sprintf("%d of %d", t.Failed, t.Runs), Right: true, Ink: render.Bad},
			{Text: rate(t.Failed, t.Runs), Right: true}, {Text: fmt.Sprint(t.Trees), Right: true}, {Text: render.Age(s.Now.Sub(t.Last)), Right: true, Ink: render.Faint},
		})
	}
	lines := strings.SplitAfter(s.Columns(0, rows...), "\n")
	var b strings.Builder
	b.WriteString(lines[0])
	for i, t := range found.Tests {
		b.WriteString(lines[i+1])
		for _, text := range []string{
			t.Finding.Message, "$ " + oneLine(t.Command, 400),
			fmt.Sprintf("failed in %s, not in %s; group %s", render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group),
		} {
			b.WriteString(s.Text(4, text, render.Faint))
		}
	}
	return b.String()
}

// inksOfChange are the colours of changes that have one.
var inksOfChange = map[string]render.Ink{"new": render.Bad, "fixed": render.Good, "missing": render.Unsure}

// differenceScreen is what "recall diff" shows.
func differenceScreen(s *render.Screen, d *recall.Difference, fresh string) string {
	var b strings.Builder
	narrow := *s
	narrow.Width -= len("before  ")
	b.WriteString(s.Paint("before", render.Faint) + "  " + narrow.Row(screenRow(d.Before, "")) + "\n")
	b.WriteString(s.Paint("after ", render.Faint) + "  " + narrow.Row(screenRow(d.After, fresh)) + "\n")
	return b.String() + changesScreen(s, d, changes(d))
}

func changesScreen(s *render.Screen, d *recall.Difference, all []change) string {
	var b strings.Builder
	b.WriteString(s.Text(0, differenceCounts(d), render.Strong))
	for _, list := range all {
		for _, f := range list.findings {
			b.WriteString(s.Finding(fmt.Sprintf("%-7s", list.word), inksOfChange[list.word], f))
		}
	}
	return b.String()
}

// letterOf is an outcome in a strip, as pytest writes it, so that it can be read without colours.
func letterOf(o outcomes.Outcome) (string, render.Ink) {
	switch o {
	case outcomes.Passed:
		return ".", render.Good
	case outcomes.Failed:
		return "F", render.Bad
	case outcomes.Error:
		return "E", render.Bad
	case outcomes.Skipped:
		return "s", render.Faint
	case outcomes.XFailed:
		return "x", render.Faint
	case outcomes.XPassed:
		return "X", render.Unsure
	case outcomes.Flaky:
		return "~", render.Unsure
	}
	return "?", render.Unsure
}

// testScreen is what "recall test" shows.
func testScreen(s *render.Screen, id string, runs []recall.TestRun) string {
	var strip strings.Builder
	var inks []render.Ink
	var took []float64
	most := max(s.Width-len("durations  "), 10)
	for i := min(len(runs), most) - 1; i >= 0; i-- { // the oldest first
		letter, ink := letterOf(runs[i].Test.Outcome)
		strip.WriteString(letter)
		inks = append(inks, ink)
		took = append(took, float64(runs[i].Test.DurationMS))
	}
	rows := [][]render.Cell{heads(5, "run", "when", "outcome", "commit", "tree", "took")}
	for _, r := range runs {
		_, ink := letterOf(r.Test.Outcome)
		commit, took := "", ""
		if r.Test.DurationMS > 0 {
			took = millis(r.Test.DurationMS)
		}
		if r.Run.Git != nil {
			commit = r.Run.Git.Commit[:min(len(r.Run.Git.Commit), 8)]
		}
		rows = append(rows, []render.Cell{
			{Text: render.ShortRun(r.Run.ID)}, {Text: render.Age(s.Now.Sub(r.Run.Time)), Right: true, Ink: render.Faint}, {Text: string(r.Test.Outcome), Ink: ink},
			{Text: commit, Ink: render.Faint}, {Text: manifest.ShortTree(cmp.Or(treeOf(r), "-")), Ink: render.Faint}, {Text: took, Right: true},
		})
	}
	strips := [][]render.Cell{{{Text: "outcomes", Ink: render.Faint}, {Text: strip.String(), Inks: inks}}}
	if slices.Max(took) > 0 {
		strips = append(strips, []render.Cell{{Text: "durations", Ink: render.Faint}, {Text: render.Spark(took, most)}})
	}
	return s.Text(0, id, render.Strong) + s.Text(0, testRunsText(runs), render.Plain) + "\n" + s.Columns(1, strips...) + "\n" + s.Columns(4, rows...)
}

// runScreen is what "manifest show" shows of a run.
func runScreen(s *render.Screen, rec *manifest.Record, r *result.ToolResult) string {
	var b strings.Builder
	ink := render.Unsure
	if r != nil {
		ink = render.InkOf(r.Status)
	}
	b.WriteString(s.Text(0, verdict(&recall.Hit{Record: rec, Result: r}), ink))
	b.WriteString(s.Text(0, "$ "+oneLine(recall.CommandLine(rec), 4000), render.Strong) + "\n")
	rows := [][]render.Cell{
		{{Text: "run"}, {Text: rec.ID}},
		{{Text: "when"}, {Text: fmt.Sprintf("%s ago, %s UTC; it took %s", render.Age(s.Now.Sub(rec.Time)), rec.Time.UTC().Format(time.DateTime), millis(rec.DurationMS))}},
		{{Text: "where"}, {Text: cmp.Or(whereText(rec), "-")}},
	}
	if g := rec.Git; g != nil && g.Worktree != "" {
		rows = append(rows, []render.Cell{{Text: "tree"}, {Text: g.Worktree}})
	}
	if rec.Raw != nil {
		rows = append(rows, []render.Cell{{Text: "output"}, {Text: bytesOf(rec.Raw.Size) + ", " + rec.Raw.OID}})
	}
	for _, artifact := range rec.Artifacts {
		rows = append(rows, []render.Cell{{Text: "file"}, {Text: artifact.Path + ", " + bytesOf(artifact.Size)}})
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		st := rec.Stage(n)
		rows = append(rows, []render.Cell{{Text: fmt.Sprintf("stage %d", n)}, {Text: cmp.Or(st.Says, oneLine(recall.CommandLine(st), 400)), Ink: render.InkOf(st.Status)}})
	}
	for _, row := range rows {
		row[0].Ink = render.Faint
	}
	b.WriteString(s.Columns(1, rows...))
	if r == nil || len(r.Findings) == 0 {
		return b.String()
	}
	b.WriteByte('\n')
	for _, f := range r.Findings {
		b.WriteString(s.Finding(string(f.Severity), inkOfSeverity(f.Severity), f))
	}
	if n := r.Truncated.FindingsTotal - len(r.Findings); n > 0 {
		b.WriteString(s.Text(0, fmt.Sprintf("[… %d more: cairn recall object %s --result]", n, render.ShortRun(rec.ID)), render.Faint))
	}
	return b.String()
}

func inkOfSeverity(sev result.Severity) render.Ink {
	switch sev {
	case result.SevFailure, result.SevError:
		return render.Bad
	case result.SevWarning:
		return render.Unsure
	}
	return render.Faint
}
