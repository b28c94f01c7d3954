package main

import (
	"fmt"
	"strings"

	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// The answers on a screen: the same facts as in the plain forms, laid out for a person.

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
		rows := [][]render.Cell{screens.Heads(1, section.columns()...)}
		for _, c := range section.all[:min(len(section.all), section.top)] {
			var row []render.Cell
			for i, text := range section.row(c) {
				row = append(row, render.Cell{Text: text, Right: i > 0})
			}
			row[0].Text = screens.OneLine(row[0].Text, 400)
			row[2].Ink, row[3].Ink = render.InkOfRate(c.Good, c.Captures), inkIf(c.Good < c.Captures, render.Bad)
			rows = append(rows, row)
		}
		b.WriteString("\n" + s.Columns(0, rows...) + section.more())
	}
	for _, texts := range durationTables(st.Tests) {
		rows := [][]render.Cell{screens.Heads(1, texts[0]...)}
		for _, row := range texts[1:] {
			var cells []render.Cell
			for i, text := range row {
				cells = append(cells, render.Cell{Text: text, Right: i > 0})
			}
			rows = append(rows, cells)
		}
		b.WriteString("\n" + s.Columns(0, rows...))
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
	rows := [][]render.Cell{screens.Heads(1, "test", "failed", "rate", "trees", "last")}
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
			t.Finding.Message, "$ " + screens.OneLine(t.Command, 400),
			fmt.Sprintf("failed in %s, not in %s; group %s", render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group),
		} {
			b.WriteString(s.Text(4, text, render.Faint))
		}
	}
	return b.String()
}

// differenceScreen is what "recall diff" shows.
func differenceScreen(s *render.Screen, d *recall.Difference, fresh string) string {
	var b strings.Builder
	narrow := *s
	narrow.Width -= len("before  ")
	b.WriteString(s.Paint("before", render.Faint) + "  " + narrow.Row(screens.Row(d.Before, "")) + "\n")
	b.WriteString(s.Paint("after ", render.Faint) + "  " + narrow.Row(screens.Row(d.After, fresh)) + "\n")
	return b.String() + changesScreen(s, d, screens.Changes(d)) + render.Shown(screens.TestChanges(d.Tests))
}

func changesScreen(s *render.Screen, d *recall.Difference, all []screens.Change) string {
	var b strings.Builder
	b.WriteString(s.Text(0, screens.CountChanges(d), render.Strong))
	for _, list := range all {
		for _, f := range list.Findings {
			b.WriteString(s.Finding(fmt.Sprintf("%-7s", list.Word), screens.InkOfChange(list.Word), f))
		}
	}
	return b.String()
}

// testScreen is what "recall test" shows.
func testScreen(s *render.Screen, id string, past recall.TestPast) string {
	return screens.TestHead(s, id, past) + "\n" + screens.TestRows(s, past.Runs)
}

// runScreen is what "manifest show" shows of a run.
func runScreen(s *render.Screen, rec *manifest.Record, r *result.ToolResult) string {
	var b strings.Builder
	b.WriteString(screens.Facts(s, rec, r))
	if r == nil || len(r.Findings) == 0 {
		return b.String()
	}
	b.WriteByte('\n')
	for _, f := range r.Findings {
		b.WriteString(s.Finding(string(f.Severity), screens.InkOfSeverity(f.Severity), f))
	}
	if n := r.Truncated.FindingsTotal - len(r.Findings); n > 0 {
		b.WriteString(s.Text(0, fmt.Sprintf("[… %d more: cairn recall object %s --result]", n, render.ShortRun(rec.ID)), render.Faint))
	}
	return b.String()
}
