package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// firstRuns is how many runs are read at first, and four times as many whenever the end of the list comes into view.
const firstRuns = 200

// runs is the page with the list of runs.
type runs struct {
	list
	words   string // the filters as typed
	filters filter.Filters
	hits    []*recall.Hit
	limit   int
	all     bool // there are no further runs
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

// filter applies filters while they are typed. Text that is not valid yet changes nothing, and its error is shown.
func (r *runs) filter(u *UI, text string) tea.Cmd {
	f, err := filtersOf(text)
	if err != nil {
		u.note = strings.TrimPrefix(err.Error(), "--")
		return nil
	}
	u.note = ""
	return r.read(u, f, strings.TrimSpace(text), firstRuns, true)
}

// keysHelp is the help text shown by the key "?".
const keysHelp = `KEYS
↑ ↓ k j    line by line; PgUp PgDn g G
enter →    open: a run, a finding in its output, a test
esc ←      back; gives up what is being read
] [        next and previous failure
/ n N      search here; next, previous
s          search all runs: findings, commands, outputs
f          filter the runs, as you type
m d        mark a run; compare it with the one under the cursor. Without a mark: with the run before
w          since when: of a test, or of a finding
o          the output of a run
r          read the runs again
?          these keys
q          quit

FILTERS, as those of cairn recall
status:failed tool:pytest file:src/ since:2h branch:main rule:E501 command:"go test*" grep:timeout sort:slowest …
Words without a name are looked for in the command.

OUTPUT
< >        to the sides
W          wrap lines, or cut them
e          show escape sequences, in place of their colours`

// helpIndent is the column in which the meanings of keys begin.
const helpIndent = 11

// help is the page with the help text.
type help struct{ top int }

func (h *help) title() string { return "keys" }
func (h *help) keys() string  { return "esc back" }

func (h *help) draw(_ *UI, width, height int) (lines []string) {
	for line := range strings.Lines(keysHelp) {
		line = plain0(line)
		key, meaning := "", line
		if r := []rune(line); len(r) > helpIndent && r[helpIndent-1] == ' ' && r[helpIndent-2] == ' ' {
			key, meaning = string(r[:helpIndent]), string(r[helpIndent:])
		}
		for wrapped := range strings.SplitSeq(ansi.Wrap(meaning, max(width-ansi.StringWidth(key), 1), ""), "\n") {
			lines = append(lines, fitted(key+wrapped, width))
			key = strings.Repeat(" ", ansi.StringWidth(key))
		}
	}
	h.top = max(min(h.top, len(lines)-height), 0)
	lines = lines[h.top:]
	return lines[:min(len(lines), height)]
}

func (h *help) key(u *UI, key string, height int) (tea.Cmd, bool) {
	switch key {
	case "down", "j":
		h.top++
	case "up", "k":
		h.top--
	case "pgdown", "space":
		h.top += height
	case "pgup":
		h.top -= height
	case "?":
		u.back()
	default:
		return nil, false
	}
	return nil, true
}

func (h *help) search(u *UI, _ string, _ bool) tea.Cmd {
	u.note = "nothing is searched here"
	return nil
}
