package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
)

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
