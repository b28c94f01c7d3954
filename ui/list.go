package ui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"cairn/render"
)

// gutter is the width of the marks before each line: the cursor, and marked items.
const gutter = 2

// item is a line of a list. It is drawn only when visible, so that a list may have a hundred thousand.
type item struct {
	line func(s *render.Screen) string // the item as one line
	more string                        // text that is shown in full below the list while the cursor is on the item
	open func(u *UI) tea.Cmd           // nil: the cursor skips the item
	bad  bool                          // the item shows a failure
	text string                        // the text that searches look in
}

// list is a list of items with a cursor.
type list struct {
	name   string
	items  []item
	at     int // index of the item under the cursor
	top    int // index of the first item shown
	marked map[int]bool
	hints  string
	more   func(u *UI, key string, i item) (tea.Cmd, bool) // handles further keys of this list
}

func (l *list) title() string { return l.name }
func (l *list) keys() string {
	return cmp.Or(l.hints, "enter open  esc back  / search")
}

// settle moves the cursor to the first item that can be opened.
func (l *list) settle() {
	for i := range l.items {
		if l.items[i].open != nil {
			l.at = i
			return
		}
	}
}

// detail are the lines with the full text of the item under the cursor.
func (l *list) detail(u *UI, width, height int) []string {
	if l.at >= len(l.items) || l.items[l.at].more == "" || height < 9 {
		return nil
	}
	wrapped := ansi.Wrap(render.Shown(l.items[l.at].more), width, "")
	lines := strings.Split(wrapped, "\n")
	if most := max(height/3, 3); len(lines) > most {
		lines = append(lines[:most-1], u.paint("…", render.Faint))
	}
	return append([]string{u.paint(strings.Repeat("─", width), render.Faint)}, lines...)
}

func (l *list) draw(u *UI, width, height int) []string {
	detail := l.detail(u, width, height)
	room := max(height-len(detail), 1)
	l.scroll(room)
	var lines []string
	s := u.screen()
	for i := l.top; i < len(l.items) && len(lines) < room; i++ {
		mark := "  "
		if l.marked[i] {
			mark = "* "
		}
		if i != l.at || l.items[i].open == nil {
			lines = append(lines, fitted(mark+plain0(l.items[i].line(s)), width))
			continue
		}
		plain := *s
		plain.Color = false
		line := fitted(">"+mark[:1]+plain0(l.items[i].line(&plain)), width)
		line += strings.Repeat(" ", max(width-ansi.StringWidth(line), 0))
		lines = append(lines, "\x1b[7m"+line+"\x1b[0m")
	}
	if len(detail) > 0 {
		for len(lines) < room {
			lines = append(lines, "")
		}
	}
	return append(lines, detail...)
}

// plain0 is a line without its newline.
func plain0(line string) string { return strings.TrimSuffix(line, "\n") }

// scroll keeps the cursor visible. With the first item that can be opened, the lines before it are shown, too.
func (l *list) scroll(room int) {
	l.at = max(min(l.at, len(l.items)-1), 0)
	if l.at < l.top {
		l.top = l.at
	}
	if l.at >= l.top+room {
		l.top = l.at - room + 1
	}
	first := 0
	for first < len(l.items) && l.items[first].open == nil {
		first++
	}
	if l.at == first && first < room {
		l.top = 0
	}
	l.top = max(min(l.top, len(l.items)-room), 0)
}

// move moves the cursor by n items that can be opened.
func (l *list) move(n int) {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for i := l.at + step; i >= 0 && i < len(l.items) && n > 0; i += step {
		if l.items[i].open != nil {
			l.at = i
			n--
		}
	}
}

// next moves the cursor to the next wanted item, continuing at the other end.
func (l *list) next(step int, wanted func(item) bool) bool {
	for n := 1; n <= len(l.items); n++ {
		i := (l.at + n*step + len(l.items)*2) % len(l.items)
		if l.items[i].open != nil && wanted(l.items[i]) {
			l.at = i
			return true
		}
	}
	return false
}

func (l *list) key(u *UI, key string, height int) (tea.Cmd, bool) {
	if len(l.items) > 0 && l.more != nil {
		if cmd, known := l.more(u, key, l.items[l.at]); known {
			return cmd, true
		}
	}
	switch key {
	case "up", "k":
		l.move(-1)
	case "down", "j":
		l.move(1)
	case "pgup", "ctrl+b", "ctrl+u":
		l.move(-max(height-2, 1))
	case "pgdown", "ctrl+f", "ctrl+d":
		l.move(max(height-2, 1))
	case "home", "g":
		l.settle()
	case "end", "G":
		l.move(len(l.items))
	case "]", "tab", "[", "shift+tab":
		step := 1
		if key == "[" || key == "shift+tab" {
			step = -1
		}
		if !l.next(step, func(i item) bool { return i.bad }) {
			u.note = "nothing failed here"
		}
	case "enter", "right", "l":
		if l.at < len(l.items) && l.items[l.at].open != nil {
			return l.items[l.at].open(u), true
		}
	default:
		return nil, false
	}
	return nil, true
}

func (l *list) search(u *UI, text string, forward bool) tea.Cmd {
	step := 1
	if !forward {
		step = -1
	}
	if !l.next(step, func(i item) bool { return contains(i.text, text) }) {
		u.note = text + " is not in what is listed here"
	}
	return nil
}

// contains ignores case, unless the text has a capital letter.
func contains(in, text string) bool {
	if text == strings.ToLower(text) {
		in = strings.ToLower(in)
	}
	return strings.Contains(in, text)
}

// fixed makes items of lines that cannot be opened. They are drawn again for each width.
func fixed(draw func(s *render.Screen) string) func(s *render.Screen) []item {
	return func(s *render.Screen) (items []item) {
		for line := range strings.Lines(draw(s)) {
			line = plain0(line)
			items = append(items, item{line: func(*render.Screen) string { return line }})
		}
		return items
	}
}
