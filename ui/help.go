package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

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
