package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// mostOfTest bounds the runs shown for a test.
const mostOfTest = 1000

// sinceOf shows since when a finding exists: for a test by its outcomes, for others by the runs that have it.
func sinceOf(u *UI, f result.Finding) tea.Cmd {
	return u.ask("looking through the runs", func(ctx context.Context) (func(), error) {
		if f.ID != "" {
			if then, err := testPage(ctx, u, f.ID); err == nil {
				return then, nil
			}
		}
		h, err := recall.Finding(ctx, u.site, f.Fingerprint, recall.Filters{})
		if err != nil {
			return nil, err
		}
		return func() { u.open(findingPage(h)) }, nil
	})
}

// findingPage is the page about a finding.
func findingPage(h *recall.History) *list {
	l := &list{name: "since when  " + render.Line(h.Latest)}
	sight := func(word string, at *recall.Sighting) {
		if at == nil {
			return
		}
		l.items = append(l.items, item{
			line: func(s *render.Screen) string {
				return s.Columns(2, []render.Cell{{Text: fmt.Sprintf("%-10s", word), Ink: render.Faint}, {Text: render.ShortRun(at.Run)},
					{Text: screens.Ago(s, at.Time), Ink: render.Faint}, {Text: string(at.Status), Ink: render.InkOf(at.Status)},
					{Text: at.Branch + " " + at.Commit[:min(8, len(at.Commit))]}})
			},
			open: func(u *UI) tea.Cmd { return openRun(u, at.Run) },
			text: word,
		})
	}
	text := func(line string, ink render.Ink) {
		l.items = append(l.items, item{line: func(s *render.Screen) string { return plain0(s.Columns(0, []render.Cell{{Text: line, Ink: ink}})) }})
	}
	text(render.Line(h.Latest), render.Strong)
	text(fmt.Sprintf("in %s, on %s", result.Count(h.Captures, "run"), strings.Join(h.Branches, ", ")), render.Plain)
	text("", render.Plain)
	sight("first seen", &h.First)
	sight("last seen", &h.Last)
	if h.Gone {
		sight("gone since", h.Since)
	} else {
		sight("not in", h.Since)
	}
	for _, c := range h.Commands {
		text("$ "+screens.OneLine(c, 400), render.Faint)
	}
	l.settle()
	return l
}

// openTest opens the outcomes of a test in all runs.
func openTest(u *UI, id string) tea.Cmd {
	return u.ask("looking through the runs", func(ctx context.Context) (func(), error) { return testPage(ctx, u, id) })
}

func testPage(ctx context.Context, u *UI, id string) (func(), error) {
	past, err := recall.TestHistory(ctx, u.site, id, recall.Filters{Limit: mostOfTest})
	if err != nil {
		return nil, err
	}
	if len(past.Runs) == 0 {
		return nil, fmt.Errorf("no list of tests that can be read here has %s; %d are in another clone", id, past.Away)
	}
	return func() { u.open(&test{id: id, past: past}) }, nil
}

// test is the page with the history of a test.
type test struct {
	list
	id    string
	past  recall.TestPast
	width int
}

func (t *test) title() string { return "since when  " + t.id }

func (t *test) draw(u *UI, width, height int) []string {
	if t.width != width {
		t.width = width
		t.fill(u)
	}
	return t.list.draw(u, width, height)
}

func (t *test) fill(u *UI) {
	s := u.screen()
	anew := len(t.items) == 0
	since, ink := sinceText(s, t.past.Runs)
	t.items = fixed(func(s *render.Screen) string { return screens.TestHead(s, t.id, t.past) })(s)
	t.items = slices.Insert(t.items, 1, fixed(func(s *render.Screen) string { return s.Text(0, since, ink) })(s)...)
	if t.past.Away > 0 {
		t.items = append(t.items, fixed(func(s *render.Screen) string {
			return s.Text(0, fmt.Sprintf("The lists of %s cannot be read in this clone.", result.Count(t.past.Away, "more run")), render.Unsure)
		})(s)...)
	}
	t.items = append(t.items, item{line: func(*render.Screen) string { return "" }})
	plain := *s
	plain.Color = false
	uncolored := strings.Split(screens.TestRows(&plain, t.past.Runs), "\n")
	for i, line := range strings.Split(plain0(screens.TestRows(s, t.past.Runs)), "\n") {
		it := item{line: func(s *render.Screen) string {
			if s.Color {
				return line
			}
			return uncolored[i]
		}}
		if i > 0 {
			r := t.past.Runs[i-1]
			it.open = func(u *UI) tea.Cmd { return openOutcome(u, r.Run.ID, t.id) }
			it.bad, it.text = r.Test.Outcome.Bad(), r.Run.ID+" "+string(r.Test.Outcome)
		}
		t.items = append(t.items, it)
	}
	if anew {
		t.settle()
	}
}

// sinceText says since when a test fails, or passes. Runs in which it was skipped or did not run are ignored.
func sinceText(s *render.Screen, runs []recall.TestRun) (string, render.Ink) {
	var told []recall.TestRun
	for _, r := range runs {
		switch r.Test.Outcome {
		case outcomes.Skipped, outcomes.NotRun:
		default:
			told = append(told, r)
		}
	}
	if len(told) == 0 {
		return "it never ran to an end", render.Unsure
	}
	bad := told[0].Test.Outcome.Bad()
	n := slices.IndexFunc(told, func(r recall.TestRun) bool { return r.Test.Outcome.Bad() != bad })
	words, ink, last := "passes", render.Good, "failed"
	if bad {
		words, ink, last = "fails", render.Bad, "passed"
	}
	if n < 0 {
		return fmt.Sprintf("%s in each of these runs", words), ink
	}
	return fmt.Sprintf("%s since %s; %s last in %s", words, runText(s, told[n-1].Run), last, runText(s, told[n].Run)), ink
}

func runText(s *render.Screen, rec *manifest.Record) string {
	text := render.ShortRun(rec.ID) + ", " + screens.Ago(s, rec.Time)
	if rec.Git != nil && rec.Git.Commit != "" {
		text += ", at " + rec.Git.Commit[:min(len(rec.Git.Commit), 8)]
	}
	return text
}

// openOutcome shows a test's text in a run's output: the output at the test's finding, or else the run.
func openOutcome(u *UI, id, test string) tea.Cmd {
	return u.ask("reading the run", func(ctx context.Context) (func(), error) {
		out, err := recall.Find(ctx, u.site, id)
		if err != nil {
			return nil, err
		}
		if r, _, err := out.Result(); err == nil && r != nil {
			for _, f := range r.Findings {
				if f.ID == test {
					return outputAt(ctx, u, out, f)
				}
			}
		}
		return readRun(u, out)
	})
}

// compare shows what changed between two runs; if from is "", since the run before to.
func compare(u *UI, from, to string) tea.Cmd {
	return u.ask("comparing", func(ctx context.Context) (func(), error) {
		before, after := from, to
		if from > to { // ids are ordered by time
			before, after = to, from
		}
		if from == "" || from == to {
			out, err := recall.Find(ctx, u.site, to)
			if err != nil {
				return nil, err
			}
			r, err := out.Record.Result()
			if err != nil {
				return nil, err
			}
			c, err := recall.Compare(ctx, u.site, out.Record, r, recall.AgainstLast, nil)
			if err != nil {
				return nil, err
			}
			if c.Base == nil {
				return nil, errors.New("no earlier run of this command is certain to compare with: mark one with m")
			}
			before, after = c.Base.ID, to
		}
		d, err := recall.Diff(ctx, u.site, before, after, recall.Filters{})
		if err != nil {
			return nil, err
		}
		return func() { u.open(differencePage(d)) }, nil
	})
}

func differencePage(d *recall.Difference) *list {
	l := &list{name: "from " + render.ShortRun(d.Before.Record.ID) + " to " + render.ShortRun(d.After.Record.ID)}
	for _, side := range []struct {
		word string
		hit  *recall.Hit
	}{{"before", d.Before}, {"after ", d.After}} {
		l.items = append(l.items, item{
			line: func(s *render.Screen) string {
				narrow := *s
				narrow.Width -= len("before  ")
				return s.Paint(side.word, render.Faint) + "  " + narrow.Row(screens.Row(side.hit, ""))
			},
			open: func(u *UI) tea.Cmd { return openRun(u, side.hit.Record.ID) },
			text: side.word,
		})
	}
	l.items = append(l.items, item{line: func(s *render.Screen) string {
		return plain0(s.Columns(0, []render.Cell{{Text: screens.CountChanges(d), Ink: render.Strong}}))
	}})
	for _, list := range screens.Changes(d) {
		for _, f := range list.Findings {
			in := d.After.Record.ID
			if list.Word == "fixed" || list.Word == "missing" {
				in = d.Before.Record.ID
			}
			it := findingItem(fmt.Sprintf("%-7s", list.Word), screens.InkOfChange(list.Word), f, in, nil)
			it.bad = list.Word == "new"
			l.items = append(l.items, it)
		}
	}
	l.hints = "enter open  ] next new  esc back"
	return l
}
