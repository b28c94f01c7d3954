package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

// searchedOutputs is how many outputs, the newest, a search reads; "cairn recall search" has the same default.
const searchedOutputs = 200

func searchAll(u *UI, text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return u.ask("searching", func(ctx context.Context) (func(), error) {
		found, report, err := recall.Search{Text: text, Outputs: searchedOutputs, Filters: recall.Filters{Limit: 500}}.Run(ctx, u.site)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s is in no finding, no command and none of %s", text, result.Count(report.Outputs, "output"))
		}
		return func() { u.open(foundPage(text, found, report)) }, nil
	})
}

func foundPage(text string, found []recall.Found, report recall.SearchReport) *list {
	l := &list{name: fmt.Sprintf("%d with %s, %s searched", len(found)+report.Left, text, result.Count(report.Outputs, "output"))}
	for _, f := range found {
		line := f.Text
		if f.Kind == "finding" {
			line = render.Line(f.Finding)
		}
		l.items = append(l.items, item{
			line: func(s *render.Screen) string {
				return s.Columns(3, []render.Cell{{Text: fmt.Sprintf("%-7s", f.Kind), Ink: render.Faint}, {Text: fmt.Sprintf("%3d×", f.Captures)},
					{Text: fmt.Sprintf("%4s", render.Age(s.Now.Sub(f.Last.Time))), Ink: render.Faint}, {Text: line}})
			},
			more: line,
			open: func(u *UI) tea.Cmd { return openFound(u, f) },
			text: line,
			bad:  f.Kind == "finding",
		})
	}
	return l
}

// openFound opens the place where something was found.
func openFound(u *UI, f recall.Found) tea.Cmd {
	number, _, _ := strings.Cut(f.Text, ":")
	line, err := strconv.ParseInt(number, 10, 64)
	switch {
	case f.Kind == "finding":
		return findingItem("", render.Plain, f.Finding, f.Last.Run, nil).open(u)
	case f.Kind == "output" && err == nil:
		return openOutput(u, f.Last.Run, nil, line)
	}
	return openRun(u, f.Last.Run)
}
