package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// run is the page of one run: facts, findings, stages and tests.
type run struct {
	list
	u      *UI
	width  int
	out    *recall.Output
	result *result.ToolResult
	note   string
	tests  outcomes.List
}

// openRun opens the run with this id.
func openRun(u *UI, id string) tea.Cmd {
	return u.ask("reading the run", func(ctx context.Context) (func(), error) {
		out, err := recall.Find(ctx, u.site, id)
		if err != nil {
			return nil, err
		}
		return readRun(u, out)
	})
}

// readRun reads a run, or a stage of one, for its page.
func readRun(u *UI, out *recall.Output) (func(), error) {
	if out.Record == nil {
		return nil, fmt.Errorf("%s is an object of no run", out.ID)
	}
	r := &run{u: u, out: out}
	var err error
	if r.result, err = out.Record.Result(); err != nil {
		return nil, err
	}
	if whole, note, err := out.Result(); err == nil {
		r.result, r.note = whole, note
	} else if r.result != nil {
		r.note = err.Error()
	}
	if out.Record.Outcomes != nil {
		if r.tests, err = u.site.Tests(out.Record); err != nil {
			r.note = "its list of tests cannot be read: " + err.Error()
		}
	}
	return func() { u.open(r) }, nil
}

func (r *run) title() string {
	return render.ShortRun(r.out.Record.ID) + "  " + screens.OneLine(recall.CommandLine(r.out.Record), 200)
}

func (r *run) keys() string { return "enter open  o output  w since when  ] next failure  d compare" }

func (r *run) draw(u *UI, width, height int) []string {
	if r.width != width {
		r.width = width
		r.fill(u)
	}
	return r.list.draw(u, width, height)
}

func (r *run) fill(u *UI) {
	s, rec := u.screen(), r.out.Record
	anew := len(r.items) == 0
	r.items = fixed(func(s *render.Screen) string { return screens.Facts(s, rec, r.result) })(s)
	if r.note != "" {
		r.items = append(r.items, fixed(func(s *render.Screen) string { return s.Text(0, r.note, render.Unsure) })(s)...)
	}
	if r.result != nil && len(r.result.Findings) > 0 {
		r.head(result.Count(max(r.result.Truncated.FindingsTotal, len(r.result.Findings)), "finding"))
		for _, f := range r.result.Findings {
			r.items = append(r.items, findingItem(string(f.Severity), screens.InkOfSeverity(f.Severity), f, rec.ID, r.out))
		}
	}
	if rec.Stage(1) != nil {
		r.head("stages")
	}
	for n := 1; rec.Stage(n) != nil; n++ {
		r.items = append(r.items, r.stage(n))
	}
	if rec.Raw != nil {
		r.head("output")
		r.items = append(r.items, item{
			line: func(*render.Screen) string { return screens.Bytes(rec.Raw.Size) },
			open: func(u *UI) tea.Cmd { return showOutput(u, r.out, r.findings(), 1) },
		})
	}
	if len(r.tests) > 0 {
		r.head(result.Count(len(r.tests), "test"))
		for _, bad := range []bool{true, false} { // failed tests first
			for _, t := range r.tests {
				if t.Outcome.Bad() == bad {
					r.items = append(r.items, testItem(t))
				}
			}
		}
	}
	if anew {
		r.settle()
	}
}

// head adds a heading, with an empty line before it.
func (r *run) head(text string) {
	r.items = append(r.items, item{line: func(*render.Screen) string { return "" }},
		item{line: func(s *render.Screen) string { return s.Paint(text, render.Faint) }})
}

func (r *run) findings() []result.Finding {
	if r.result == nil {
		return nil
	}
	return r.result.Findings
}

// stage is an item for a command of a shell line; it opens like a run.
func (r *run) stage(n int) item {
	st := r.out.Record.Stage(n)
	text := screens.OneLine(recall.CommandLine(st), 400)
	return item{
		line: func(s *render.Screen) string {
			return s.Columns(2, []render.Cell{{Text: fmt.Sprint(n)}, {Text: string(st.Status), Ink: render.InkOf(st.Status)}, {Text: text}})
		},
		more: text + "\n" + st.Says,
		open: func(u *UI) tea.Cmd {
			return u.ask("reading the stage", func(context.Context) (func(), error) {
				out, err := r.out.Stage(n)
				if err != nil {
					return nil, err
				}
				return readRun(u, out)
			})
		},
		bad:  st.Status != result.Passed && st.Status != result.OK,
		text: text,
	}
}

func (r *run) key(u *UI, key string, height int) (tea.Cmd, bool) {
	id := r.out.Record.ID
	switch key {
	case "o":
		return showOutput(u, r.out, r.findings(), 1), true
	case "d":
		return compare(u, "", id), true
	case "w":
		if r.at < len(r.items) && r.items[r.at].text != "" {
			return r.since(u), true
		}
		return nil, true
	}
	return r.list.key(u, key, height)
}

// since shows since when the finding or test under the cursor is as it is.
func (r *run) since(u *UI) tea.Cmd {
	of := r.items[r.at]
	for _, f := range r.findings() {
		if of.text == render.Line(f) {
			return sinceOf(u, f)
		}
	}
	return of.open(u)
}

// findingItem is a list item for a finding; it opens the finding in the output of its run.
func findingItem(word string, ink render.Ink, f result.Finding, id string, out *recall.Output) item {
	text := render.Line(f)
	more := []string{text}
	for _, part := range [][2]string{{"expected ", f.Expected}, {"actual   ", f.Actual}} {
		if part[1] != "" {
			more = append(more, part[0]+part[1])
		}
	}
	return item{
		line: func(s *render.Screen) string {
			return s.Columns(1, []render.Cell{{Text: word, Ink: ink}, {Text: text}})
		},
		more: strings.Join(more, "\n"),
		open: func(u *UI) tea.Cmd {
			if out != nil {
				return openFinding(u, out, f)
			}
			return u.ask("reading the output", func(ctx context.Context) (func(), error) {
				out, err := recall.Find(ctx, u.site, id)
				if err != nil {
					return nil, err
				}
				return outputAt(ctx, u, out, f)
			})
		},
		bad:  f.Severity == result.SevFailure || f.Severity == result.SevError,
		text: text,
	}
}

// testItem is a list item for a test; it opens the test's outcomes in all runs.
func testItem(t outcomes.Test) item {
	letter, ink := screens.Letter(t.Outcome)
	took := ""
	if t.DurationMS > 0 {
		took = screens.Millis(t.DurationMS)
	}
	return item{
		line: func(s *render.Screen) string {
			return s.Columns(1, []render.Cell{{Text: letter, Ink: ink}, {Text: t.ID}, {Text: took, Ink: render.Faint}})
		},
		more: t.ID + ": " + string(t.Outcome),
		open: func(u *UI) tea.Cmd { return openTest(u, t.ID) },
		bad:  t.Outcome.Bad(),
		text: t.ID,
	}
}
