package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// firstRuns is how many runs are read at first; four times as many whenever their end comes into sight.
const firstRuns = 200

// runs is the list of runs.
type runs struct {
	list
	words   string // the filters, as they were typed
	filters filter.Filters
	hits    []*recall.Hit
	limit   int
	all     bool // there are no more
	mark    string
}

func (r *runs) title() string {
	n := fmt.Sprint(len(r.hits))
	if !r.all {
		n += "+"
	}
	title := n + " runs"
	if r.words != "" {
		title += "  " + r.words
	}
	return title
}

func (r *runs) keys() string { return "enter open  f filter  / search  ] next failure  d compare" }

// load reads the newest runs.
func (r *runs) load(u *UI) tea.Cmd {
	return r.read(u, r.filters, r.words, max(r.limit, firstRuns), true)
}

func (r *runs) read(u *UI, f filter.Filters, words string, limit int, anew bool) tea.Cmd {
	most := f.Limit
	f.Limit = limit
	if most > 0 {
		f.Limit = min(limit, most)
	}
	return u.ask("reading the record", func(ctx context.Context) (func(), error) {
		var hits []*recall.Hit
		for hit, err := range recall.Objects(ctx, u.site, recall.Query{Filters: f}) {
			if err != nil {
				return nil, err
			}
			hits = append(hits, hit)
		}
		return func() {
			f.Limit = most
			r.hits, r.filters, r.words, r.limit = hits, f, words, limit
			r.all = len(hits) < limit
			r.fill()
			if anew {
				r.at, r.top = 0, 0
			}
		}, nil
	})
}

func (r *runs) fill() {
	r.items, r.marked = nil, map[int]bool{}
	for i, hit := range r.hits {
		bad := hit.Result != nil && hit.Result.Status != result.Passed && hit.Result.Status != result.OK
		r.items = append(r.items, item{
			line: func(s *render.Screen) string { return s.Row(screens.Row(hit, "")) },
			more: strings.Join(append([]string{"$ " + screens.OneLine(recall.CommandLine(hit.Record), 400)}, hit.Lines...), "\n"),
			open: func(u *UI) tea.Cmd { return openRun(u, hit.Record.ID) },
			bad:  bad,
			text: hit.Record.ID + " " + screens.Verdict(hit) + " " + recall.CommandLine(hit.Record) + " " + screens.Where(hit.Record),
		})
		r.marked[i] = hit.Record.ID == r.mark
	}
}

func (r *runs) draw(u *UI, width, height int) []string {
	if len(r.items) == 0 && r.all {
		text := "No run is on record here yet: cairn capture run -- CMD makes one."
		if r.words != "" {
			text = "No run is so: f changes the filter."
		}
		return []string{"", fitted("  "+text, width)}
	}
	return r.list.draw(u, width, height)
}

func (r *runs) key(u *UI, key string, height int) (tea.Cmd, bool) {
	switch key {
	case "f":
		before, words := r.filters, r.words
		u.prompt = &prompt{label: "filter", text: r.words,
			changed: func(text string) tea.Cmd { return r.filter(u, text) },
			done:    func(text string) tea.Cmd { return r.filter(u, text) },
			left:    func() tea.Cmd { return r.read(u, before, words, firstRuns, true) },
		}
		if r.words != "" {
			u.prompt.text += " "
		}
		return nil, true
	case "r":
		return r.read(u, r.filters, r.words, max(r.limit, firstRuns), false), true
	}
	if len(r.hits) > 0 {
		id := r.hits[r.at].Record.ID
		switch key {
		case "m", "space":
			if r.mark == id {
				id = ""
			}
			r.mark = id
			for i, hit := range r.hits {
				r.marked[i] = hit.Record.ID == r.mark
			}
			return nil, true
		case "d":
			return compare(u, r.mark, id), true
		case "o":
			return openOutput(u, id, nil, 1), true
		}
	}
	cmd, known := r.list.key(u, key, height)
	if known && cmd == nil && !r.all && u.busy == "" && r.at > len(r.items)-height {
		cmd = r.read(u, r.filters, r.words, r.limit*4, false)
	}
	return cmd, known
}

// filter shows what is selected by what was typed. What cannot be read yet changes nothing, and is said.
func (r *runs) filter(u *UI, text string) tea.Cmd {
	f, err := filtersOf(text)
	if err != nil {
		u.note = strings.TrimPrefix(err.Error(), "--")
		return nil
	}
	u.note = ""
	return r.read(u, f, strings.TrimSpace(text), firstRuns, true)
}

// run is one run: facts, findings, stages and tests.
type run struct {
	list
	u      *UI
	width  int
	out    *recall.Output
	result *result.ToolResult
	note   string
	tests  outcomes.List
}

// openRun shows the run of an id.
func openRun(u *UI, id string) tea.Cmd {
	return u.ask("reading the run", func(ctx context.Context) (func(), error) {
		out, err := recall.Find(ctx, u.site, id)
		if err != nil {
			return nil, err
		}
		return readRun(u, out)
	})
}

// readRun reads what is shown of a run, or of a stage of one.
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
		for _, bad := range []bool{true, false} { // those that failed come first
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

// head is a heading with an empty line before it.
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

// stage is a command of a shell line, which is opened as a run is.
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

// since asks since when what is under the cursor is so.
func (r *run) since(u *UI) tea.Cmd {
	of := r.items[r.at]
	for _, f := range r.findings() {
		if of.text == render.Line(f) {
			return sinceOf(u, f)
		}
	}
	return of.open(u)
}

// findingItem is a finding in a list, which is opened in the output of its run.
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

// testItem is a test in a list, which is opened with what it came to in all runs.
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

// sinceOf shows since when a finding is there: of a test by its outcomes, of others by the runs that show it.
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

// findingPage is what is known of a finding.
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

// openTest shows what a test came to in all runs.
func openTest(u *UI, id string) tea.Cmd {
	return u.ask("looking through the runs", func(ctx context.Context) (func(), error) { return testPage(ctx, u, id) })
}

// mostOfTest is how many runs of a test are shown.
const mostOfTest = 1000

func testPage(ctx context.Context, u *UI, id string) (func(), error) {
	of, away, err := recall.TestHistory(ctx, u.site, id, recall.Filters{Limit: mostOfTest})
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("no list of tests that can be read here has %s; %d are in another clone", id, away)
	}
	return func() { u.open(&test{id: id, runs: of, away: away}) }, nil
}

// test is the history of a test.
type test struct {
	list
	id    string
	runs  []recall.TestRun
	away  int
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
	since, ink := sinceText(s, t.runs)
	t.items = fixed(func(s *render.Screen) string { return screens.TestHead(s, t.id, t.runs) })(s)
	t.items = slices.Insert(t.items, 1, fixed(func(s *render.Screen) string { return s.Text(0, since, ink) })(s)...)
	if t.away > 0 {
		t.items = append(t.items, fixed(func(s *render.Screen) string {
			return s.Text(0, fmt.Sprintf("The lists of %s cannot be read in this clone.", result.Count(t.away, "more run")), render.Unsure)
		})(s)...)
	}
	t.items = append(t.items, item{line: func(*render.Screen) string { return "" }})
	plain := *s
	plain.Color = false
	uncolored := strings.Split(screens.TestRows(&plain, t.runs), "\n")
	for i, line := range strings.Split(plain0(screens.TestRows(s, t.runs)), "\n") {
		it := item{line: func(s *render.Screen) string {
			if s.Color {
				return line
			}
			return uncolored[i]
		}}
		if i > 0 {
			r := t.runs[i-1]
			it.open = func(u *UI) tea.Cmd { return openOutcome(u, r.Run.ID, t.id) }
			it.bad, it.text = r.Test.Outcome.Bad(), r.Run.ID+" "+string(r.Test.Outcome)
		}
		t.items = append(t.items, it)
	}
	if anew {
		t.settle()
	}
}

// sinceText says since when a test fails, or passes. Runs in which it was skipped or not reached tell neither.
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

// openOutcome shows what a run printed of a test: the output at its finding, or else the run.
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

// compare shows what changed from a run to another; from the run before it, where none is named.
func compare(u *UI, from, to string) tea.Cmd {
	return u.ask("comparing", func(ctx context.Context) (func(), error) {
		before, after := from, to
		if from > to { // ids are in the order of time
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

// searchedOutputs is in how many outputs, the newest, a search looks, as "cairn recall search" does by itself.
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

// openFound shows where something was found.
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
