package render

import (
	"fmt"
	"strings"
	"time"

	"cairn/result"
)

// Row is a capture as one line of a list, in columns whose widths do not depend on other rows:
//
//	01M7XQ40K3ZD    2m  failed    1.2s  2 failed, 1 passed            src/api   pytest -q tests
type Row struct {
	ID      string
	Time    time.Time
	Status  result.Status
	Took    string
	Summary string
	Dir     string
	Command string
	Mark    string // in brackets after the command; the command is cut first
	Note    string // in brackets after everything else
}

// Widths of the columns before the command.
const (
	ageWidth     = 4
	statusWidth  = 7
	summaryWidth = 30
	dirWidth     = 16
	tookWidth    = 6
	leastWidth   = 40 // narrower terminals break lines themselves
	leastCommand = 8  // of a command with a mark
)

// Row is one line, without its newline.
func (s Screen) Row(r Row) string {
	left := max(s.Width, leastWidth)
	var b strings.Builder
	column := func(text string, columns int, ink Ink) {
		if left <= 0 {
			return
		}
		columns = min(columns, left)
		text = fit(cleanCell(text), columns)
		pad := columns - columnsOf(text)
		if columns == ageWidth || columns == tookWidth { // spans are aligned to the right
			b.WriteString(strings.Repeat(" ", pad))
			pad = 0
		}
		b.WriteString(s.Paint(text, ink))
		left -= columns
		if left >= 2 {
			b.WriteString(strings.Repeat(" ", pad+2))
			left -= 2
		} else {
			left = 0
		}
	}
	column(ShortRun(r.ID), shortRun, Plain)
	column(Age(s.Now.Sub(r.Time)), ageWidth, Faint)
	column(string(r.Status), statusWidth, InkOf(r.Status))
	wide := s.Width >= 100
	if wide {
		if s.Width >= 120 {
			column(r.Took, tookWidth, Faint)
		}
		column(r.Summary, summaryWidth, Plain)
		column(r.Dir, dirWidth, Faint)
	} else {
		column(r.Summary, summaryWidth*2/3, Plain)
	}
	if left > 0 {
		b.WriteString(r.command(left))
	}
	return strings.TrimRight(b.String(), " ")
}

// command is the command with its mark and note, in at most columns columns. A mark says that the verdict is
// doubtful, so the command is cut to make room for it.
func (r Row) command(columns int) string {
	text, note := cleanCell(r.Command), bracketed(r.Note)
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
	return " [" + cleanCell(note) + "]"
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
