// Package ui is a full-screen browser of runs: a list of runs, the findings and tests of a run, and the exact bytes of
// its output.
//
// What it promises: it asks through package recall, so its answers are those of "cairn recall". Output of tools reaches
// the terminal as text: of its escape sequences only colours are kept, unless the user asks to see the sequences
// themselves. Only the visible part of an output is read, however large the output is. The package only reads.
//
// What may go in: pages, how they are drawn, and their keys. Drawing that other programs share is in package
// recall/screens.
package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"cairn/internal/place"
	"cairn/recall/filter"
	"cairn/render"
)

// page is the part of the screen between the title and the last line.
type page interface {
	title() string
	// draw returns at most height lines of at most width columns.
	draw(u *UI, width, height int) []string
	// key handles a key, and says whether the page knows it.
	key(u *UI, key string, height int) (tea.Cmd, bool)
	// search searches for a text from the current position on, backwards if forward is false.
	search(u *UI, text string, forward bool) tea.Cmd
	// keys are the keys named on the last line.
	keys() string
}

// UI is the state of the program, a bubbletea model.
type UI struct {
	ctx    context.Context
	site   *place.Site
	color  bool
	width  int
	height int
	pages  []page // the last one is shown
	prompt *prompt
	note   string     // a message on the last line, until the next key
	busy   string     // the question that is running
	stop   func()     // cancels that question
	reads  sync.Mutex // one question at a time
	next   tea.Cmd    // a command that an answer has requested
	sought string     // the text that the key n searches for
}

// New returns a browser of a store's record, which begins with the list of runs that filters select.
func New(ctx context.Context, site *place.Site, filters filter.Filters, color bool) *UI {
	u := &UI{ctx: ctx, site: site, color: color, stop: func() {}}
	u.pages = []page{&runs{words: wordsOf(filters), filters: filters}}
	return u
}

// answer is the result of a question.
type answer struct {
	ctx  context.Context
	then func()
	err  error
}

// ask runs a question in the background, and then calls the function that it returns. A running question is cancelled.
func (u *UI) ask(what string, question func(ctx context.Context) (then func(), err error)) tea.Cmd {
	u.stop()
	ctx, cancel := context.WithCancel(u.ctx)
	u.stop, u.busy = cancel, what
	return func() tea.Msg {
		u.reads.Lock()
		defer u.reads.Unlock()
		if ctx.Err() != nil {
			return answer{ctx: ctx}
		}
		then, err := question(ctx)
		return answer{ctx, then, err}
	}
}

// Init reads the first page.
func (u *UI) Init() tea.Cmd { return u.pages[0].(*runs).load(u) }

// Update handles a key, a new size or an answer.
func (u *UI) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		u.width, u.height = msg.Width, msg.Height
	case answer:
		if msg.ctx.Err() != nil {
			return u, nil // the question was cancelled
		}
		u.busy = ""
		if msg.err != nil {
			u.note = msg.err.Error()
		} else if msg.then != nil {
			msg.then()
		}
		next := u.next
		u.next = nil
		return u, next
	case settled:
		return u, msg.due(u)
	case tea.PasteMsg:
		if u.prompt != nil {
			return u, u.prompt.typed(u, strings.Join(strings.Fields(msg.Content), " "))
		}
	case tea.KeyPressMsg:
		u.note = ""
		if u.prompt != nil {
			return u, u.prompt.key(u, msg)
		}
		return u, u.key(msg.String())
	}
	return u, nil
}

// key handles a key: first by the page, then as on every page.
func (u *UI) key(key string) tea.Cmd {
	shown := u.shown()
	if cmd, known := shown.key(u, key, u.room()); known {
		return cmd
	}
	switch key {
	case "q", "ctrl+c":
		u.stop()
		return tea.Quit
	case "?":
		u.open(&help{})
	case "esc", "left", "h", "backspace":
		u.back()
	case "/":
		u.prompt = &prompt{label: "search here", text: "", done: func(text string) tea.Cmd {
			u.sought = text
			return u.seek(true)
		}}
	case "n", "N":
		return u.seek(key == "n")
	case "s":
		u.prompt = &prompt{label: "search all runs", done: func(text string) tea.Cmd { return searchAll(u, text) }}
	}
	return nil
}

// seek repeats the last search.
func (u *UI) seek(forward bool) tea.Cmd {
	if u.sought == "" {
		u.note = "nothing was searched for yet: / does"
		return nil
	}
	return u.shown().search(u, u.sought, forward)
}

func (u *UI) shown() page { return u.pages[len(u.pages)-1] }

// open shows a page on top of the others.
func (u *UI) open(p page) { u.pages = append(u.pages, p) }

// back cancels a running question, or else closes the page.
func (u *UI) back() {
	switch {
	case u.busy != "":
		u.stop()
		u.busy, u.note = "", "given up"
	case len(u.pages) > 1:
		if c, ok := u.shown().(interface{ close() }); ok {
			c.close()
		}
		u.pages = u.pages[:len(u.pages)-1]
	default:
		u.note = "q quits"
	}
}

// room is how many lines a page has.
func (u *UI) room() int { return max(u.height-2, 1) }

// screen returns a Screen for this terminal, as wide as there is room beside the cursor.
func (u *UI) screen() *render.Screen {
	return &render.Screen{Width: u.width - gutter, Color: u.color, Now: time.Now()}
}

// paint colours a text that has been cleaned.
func (u *UI) paint(text string, ink render.Ink) string { return u.screen().Paint(text, ink) }

// View draws the screen.
func (u *UI) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.WindowTitle = "cairn"
	if u.width == 0 {
		return v
	}
	title := "cairn  " + u.shown().title()
	lines := []string{u.paint(fitted(render.Shown(title), u.width), render.Strong)}
	lines = append(lines, u.shown().draw(u, u.width, u.room())...)
	lines = lines[:min(len(lines), u.height-1)]
	for len(lines) < u.height-1 {
		lines = append(lines, "")
	}
	v.SetContent(strings.Join(append(lines, u.last()), "\n"))
	return v
}

// last is the last line: the prompt, a message, the running question, or the keys.
func (u *UI) last() string {
	switch {
	case u.prompt != nil:
		return u.prompt.line(u)
	case u.note != "":
		return u.paint(fitted(oneLine(u.note), u.width), render.Unsure)
	case u.busy != "":
		return u.paint(fitted(oneLine(u.busy)+" …  esc gives up", u.width), render.Faint)
	}
	return u.paint(fitted("? help  q quit  "+u.shown().keys(), u.width), render.Faint)
}

func oneLine(text string) string { return strings.Join(strings.Fields(render.Shown(text)), " ") }

// fitted cuts a line to a width.
func fitted(line string, width int) string { return ansi.Truncate(line, max(width, 0), "…") }

// prompt is a line of input.
type prompt struct {
	label, text string
	done        func(text string) tea.Cmd
	changed     func(text string) tea.Cmd // called while the text is typed, or nil
	left        func() tea.Cmd            // called when the prompt is cancelled, or nil
	version     int
}

// settled is sent when no key was typed for a moment.
type settled struct {
	of      *prompt
	version int
}

// typing is how long the user must pause before changed is called.
const typing = 120 * time.Millisecond

func (s settled) due(u *UI) tea.Cmd {
	if u.prompt != s.of || s.of.version != s.version {
		return nil
	}
	return s.of.changed(s.of.text)
}

func (p *prompt) key(u *UI, msg tea.KeyPressMsg) tea.Cmd {
	switch key := msg.String(); key {
	case "enter":
		u.prompt = nil
		return p.done(p.text)
	case "esc", "ctrl+c":
		u.prompt = nil
		if p.left != nil {
			return p.left()
		}
		return nil
	case "backspace":
		r := []rune(p.text)
		p.text = string(r[:max(len(r)-1, 0)])
	case "ctrl+u":
		p.text = ""
	case "ctrl+w":
		p.text = p.text[:strings.LastIndexByte(strings.TrimRight(p.text, " "), ' ')+1]
	default:
		if msg.Text == "" {
			return nil
		}
		p.text += msg.Text
	}
	return p.typed(u, "")
}

// typed adds to the text, and schedules a call of changed.
func (p *prompt) typed(_ *UI, more string) tea.Cmd {
	p.text += more
	p.version++
	if p.changed == nil {
		return nil
	}
	due := settled{p, p.version}
	return tea.Tick(typing, func(time.Time) tea.Msg { return due })
}

// line shows the end of the text if all of it is too wide, and an error in it.
func (p *prompt) line(u *UI) string {
	head := p.label + ": "
	text := render.Shown(p.text) + "█"
	if room := u.width - len(head); ansi.StringWidth(text) > room {
		text = ansi.TruncateLeft(text, ansi.StringWidth(text)-max(room, 1), "")
	}
	line := u.paint(head, render.Faint) + text
	if left := u.width - ansi.StringWidth(line) - 2; u.note != "" && left > 8 {
		line += "  " + u.paint(fitted(oneLine(u.note), left), render.Unsure)
	}
	return fitted(line, u.width)
}

// wordsOf writes filters as the user would type them.
func wordsOf(f filter.Filters) string {
	var words []string
	for _, of := range filter.All() {
		if v := f.Value(of); v != "" && of.Name != "limit" {
			if strings.ContainsAny(v, " \"") {
				v = `"` + strings.ReplaceAll(v, `"`, "") + `"`
			}
			words = append(words, of.Name+":"+v)
		}
	}
	return strings.Join(words, " ")
}

// filtersOf reads filters as typed: name:value, name=value or as flags, which must all match. Words that name no filter
// are searched in the command, in this order.
func filtersOf(text string) (f filter.Filters, err error) {
	words, open := split(text)
	if open {
		return f, errors.New(`a " is not closed`)
	}
	var command []string
	for i := 0; i < len(words); i++ {
		word := strings.TrimPrefix(words[i], "--")
		flag := word != words[i]
		at := strings.IndexAny(word, ":=")
		name, value := word, ""
		if at >= 0 {
			name, value = word[:at], word[at+1:]
		}
		n := slices.IndexFunc(filter.All(), func(of filter.Filter) bool { return of.Name == name })
		switch {
		case n < 0 && flag:
			return f, fmt.Errorf("there is no filter --%s", name)
		case n < 0 || at < 0 && !flag:
			command = append(command, word)
			continue
		}
		of := filter.All()[n]
		switch {
		case at >= 0:
		case of.Bare != "":
			value = of.Bare
		case i+1 < len(words):
			i++
			value = words[i]
		}
		if value == "" {
			return f, fmt.Errorf("%s takes %s", of.Name, of.Takes)
		}
		if err := f.Set(of, value); err != nil {
			return f, err
		}
	}
	if len(command) > 0 {
		of := filter.All()[slices.IndexFunc(filter.All(), func(of filter.Filter) bool { return of.Name == "command" })]
		if err := f.Set(of, "*"+strings.Join(command, "*")+"*"); err != nil {
			return f, err
		}
	}
	_, err = f.Read("objects", time.Now())
	return f, err
}

// split splits a text into words; "…" keeps spaces in a word. open says that the last quote is not closed.
func split(text string) (words []string, open bool) {
	var word strings.Builder
	begun := false
	for _, r := range text {
		switch {
		case r == '"':
			open, begun = !open, true
		case r == ' ' && !open:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, open
}
