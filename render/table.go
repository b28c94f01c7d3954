package render

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/width"

	"cairn/result"
)

// Table prints captures for a person at a terminal, a line each, cut to its width:
//
//	01M7XQ40K3ZD   2m  failed   2 failed, 1 passed            src/api   pytest -q tests
//
// It is the one rendering that knows a clock and a width; nothing but a terminal
// gets it.
type Table struct {
	Width int
	Color bool
	Now   time.Time
}

// TableRow is a capture in a table.
type TableRow struct {
	ID      string
	Time    time.Time
	Status  result.Status
	Summary string
	Dir     string
	Command string
	Mark    string // in brackets behind the command, which is cut before it is
	Note    string // in brackets behind all else
}

// Widths of the columns before the command.
const (
	ageWidth     = 4
	statusWidth  = 7
	summaryWidth = 30
	dirWidth     = 16
	leastWidth   = 40 // narrower terminals break lines themselves
	leastCommand = 8  // of a command that a mark follows
)

// SGR codes.
const (
	green  = "32"
	red    = "31"
	yellow = "33"
	faint  = "2"
)

func colorOf(s result.Status) string {
	switch s {
	case result.Passed, result.OK:
		return green
	case result.Failed:
		return red
	}
	return yellow
}

// Row is one line, without its newline.
func (t Table) Row(r TableRow) string {
	left := max(t.Width, leastWidth)
	var b strings.Builder
	column := func(text string, columns int, code string) {
		if left <= 0 {
			return
		}
		columns = min(columns, left)
		text = fit(result.CleanLine(text), columns)
		pad := columns - columnsOf(text)
		if code == faint && columns == ageWidth { // ages stand under each other by their last letter
			b.WriteString(strings.Repeat(" ", pad))
			pad = 0
		}
		b.WriteString(t.paint(text, code))
		left -= columns
		if left >= 2 {
			b.WriteString(strings.Repeat(" ", pad+2))
			left -= 2
		} else {
			left = 0
		}
	}
	column(ShortRun(r.ID), shortRun, "")
	column(Age(t.Now.Sub(r.Time)), ageWidth, faint)
	column(string(r.Status), statusWidth, colorOf(r.Status))
	wide := t.Width >= 100
	if wide {
		column(r.Summary, summaryWidth, "")
		column(r.Dir, dirWidth, faint)
	} else {
		column(r.Summary, summaryWidth*2/3, "")
	}
	if left > 0 {
		b.WriteString(r.command(left))
	}
	return strings.TrimRight(b.String(), " ")
}

// command is what was run with what is noted about it, in so many columns. A mark says
// not to take the verdict for the whole truth, so the command is cut for it.
func (r TableRow) command(columns int) string {
	text, note := result.CleanLine(r.Command), bracketed(r.Note)
	if mark := bracketed(r.Mark); mark != "" && columns >= leastCommand+columnsOf(mark) {
		text = fit(text, columns-columnsOf(mark)) + mark
		if columnsOf(text+note) > columns {
			note = ""
		}
	}
	return fit(text+note, columns)
}

func bracketed(note string) string {
	if note == "" {
		return ""
	}
	return " [" + result.CleanLine(note) + "]"
}

func (t Table) paint(text, code string) string {
	if !t.Color || code == "" || strings.TrimSpace(text) == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Age is a time span in at most four columns: "now", "45s", "12m", "3h", "9d", "6w", "2y".
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 2*365*day:
		return fmt.Sprintf("%dw", d/(7*day))
	}
	return fmt.Sprintf("%dy", d/(365*day))
}

// fit cuts text to so many columns of a terminal, with an ellipsis where it does.
func fit(text string, columns int) string {
	if columnsOf(text) <= columns {
		return text
	}
	n := 0
	for i, r := range text {
		if n+columnsOfRune(r) > columns-1 {
			return text[:i] + "…"
		}
		n += columnsOfRune(r)
	}
	return text
}

func columnsOf(text string) (n int) {
	for _, r := range text {
		n += columnsOfRune(r)
	}
	return n
}

// columnsOfRune: wide characters of East Asia take two.
func columnsOfRune(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
