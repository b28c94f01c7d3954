package render

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"cairn/result"
)

// Screen prints for a person at a terminal: in columns, cut or broken at its width, coloured by state, with ages
// instead of times. It is the only rendering that depends on a clock and a width, and is used only for terminals. Every
// text is cleaned here, so the only escape sequences in its output are its own colours and links.
type Screen struct {
	Width int
	Color bool
	Now   time.Time
	// Top is the directory that the paths of findings are relative to. Files that exist become links (OSC 8), which
	// a terminal opens; "" makes no links.
	Top, Host string
}

// Ink is how a text is coloured: an SGR code.
type Ink string

// The inks. Each is used beside a word or a letter with the same meaning, for readers who do not see colours.
const (
	Plain  Ink = ""
	Good   Ink = "32"
	Bad    Ink = "31"
	Unsure Ink = "33"
	Faint  Ink = "2"
	Strong Ink = "1"
)

// InkOf is the colour of a status.
func InkOf(s result.Status) Ink {
	switch s {
	case result.Passed, result.OK:
		return Good
	case result.Failed:
		return Bad
	}
	return Unsure
}

// InkOfRate is the colour of a rate: good of so many.
func InkOfRate(good, of int) Ink {
	switch {
	case good == of:
		return Good
	case 2*good < of:
		return Bad
	}
	return Unsure
}

// Cell is one field of a table.
type Cell struct {
	Text  string
	Ink   Ink
	Inks  []Ink // of each character, instead of Ink: a strip
	Right bool  // aligned to the right
}

// leastCell is the least width to which a wider column is cut.
const leastCell = 8

// Columns prints a table. If it is too wide, the column give is cut first, and then the widest of the others.
func (s Screen) Columns(give int, rows ...[]Cell) string {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i].Text = cleanCell(row[i].Text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(row[i].Text))
		}
	}
	s.narrow(widths, give)
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			text := fit(c.Text, widths[i])
			pad := strings.Repeat(" ", widths[i]-columnsOf(text))
			if c.Right {
				line.WriteString(pad)
			}
			line.WriteString(s.inked(text, c))
			if !c.Right {
				line.WriteString(pad)
			}
			line.WriteString("  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// narrow reduces widths so that the columns fit into the width of the screen.
func (s Screen) narrow(widths []int, give int) {
	over := 2*(len(widths)-1) - max(s.Width, leastWidth)
	for _, w := range widths {
		over += w
	}
	for over > 0 {
		i := give
		if widths[i] <= leastCell {
			i = slices.Index(widths, slices.Max(widths))
		}
		cut := min(over, max(widths[i]-leastCell, 1))
		if widths[i] <= 1 {
			return // more columns than fit on the screen
		}
		widths[i] -= cut
		over -= cut
	}
}

// inked colours the text of a cell.
func (s Screen) inked(text string, c Cell) string {
	if c.Inks == nil || !s.Color {
		return s.Paint(text, c.Ink)
	}
	var b strings.Builder
	runes, from := []rune(text), 0
	for i := range runes {
		if i+1 == len(runes) || inkAt(c.Inks, i+1) != inkAt(c.Inks, i) {
			b.WriteString(s.Paint(string(runes[from:i+1]), inkAt(c.Inks, i)))
			from = i + 1
		}
	}
	return b.String()
}

func inkAt(inks []Ink, i int) Ink {
	if i < len(inks) {
		return inks[i]
	}
	return Plain
}

// Paint colours a text that has been cleaned.
func (s Screen) Paint(text string, ink Ink) string {
	if !s.Color || ink == Plain || strings.TrimSpace(text) == "" {
		return text
	}
	return "\x1b[" + string(ink) + "m" + text + "\x1b[0m"
}

// Text breaks a text into lines of the screen's width, indented; lines after the first are indented by two more.
func (s Screen) Text(indent int, text string, ink Ink) string {
	var b strings.Builder
	margin := strings.Repeat(" ", indent)
	for _, line := range wrap(cleanCell(text), max(s.Width, leastWidth)-indent, 2) {
		b.WriteString(margin + s.Paint(line, ink) + "\n")
		margin = strings.Repeat(" ", indent+2)
	}
	return b.String()
}

// Finding is a finding after a word, with its place as a link to the file.
func (s Screen) Finding(word string, ink Ink, f result.Finding) string {
	text := cleanCell(Line(f))
	indent := columnsOf(word) + 1
	lines := wrap(strings.Repeat("x", indent)+text, max(s.Width, leastWidth), indent)
	lines[0] = lines[0][indent:]
	if place := cleanCell(f.Location); f.At != nil && !f.At.External && place != "" && strings.HasPrefix(lines[0], place) {
		lines[0] = s.link(s.Paint(place, Strong), f.At.Path) + lines[0][len(place):]
	}
	return s.Paint(word, ink) + " " + strings.Join(lines, "\n"+strings.Repeat(" ", indent)) + "\n"
}

// link makes text a link that opens a file in a terminal. A path that leads out of the directory, or to no file, gets
// no link, since a record may name any path.
func (s Screen) link(text, path string) string {
	if s.Top == "" || !s.Color || !filepath.IsLocal(filepath.FromSlash(path)) {
		return text
	}
	file := filepath.Join(s.Top, filepath.FromSlash(path))
	if _, err := os.Stat(file); err != nil {
		return text
	}
	to := url.URL{Scheme: "file", Host: s.Host, Path: "/" + strings.TrimPrefix(filepath.ToSlash(file), "/")} // String escapes all control bytes
	return "\x1b]8;;" + to.String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// bars of a sparkline, from nothing to the most.
const bars = "▁▂▃▄▅▆▇█"

// Spark draws the last numbers as bars, at most most of them.
func Spark(values []float64, most int) string {
	values = values[max(0, len(values)-most):]
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		n := 0
		if top > 0 {
			n = min(int(v/top*8), 7)
		}
		b.WriteRune([]rune(bars)[n])
	}
	return b.String()
}

// withoutWidth are invisible characters that, unlike joiners, no script needs to be read correctly: the soft hyphen,
// the space of no width, invisible marks and operators, and the byte order mark.
const withoutWidth = "\u00ad\u034f\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\ufff9\ufffa\ufffb"

// Shown is text as it may be printed on a terminal. Characters without width are escaped as in JSON, because two values
// of a failed test may differ only in them.
func Shown(text string) string {
	text = result.Clean(text)
	if !strings.ContainsAny(text, withoutWidth) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(withoutWidth, r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func cleanCell(text string) string { return Shown(result.CleanLine(text)) }

// wrap breaks a text at spaces; lines after the first are shorter by indent columns. A word that is longer than a line
// is broken anywhere.
func wrap(text string, columns, indent int) (lines []string) {
	room := columns
	for columnsOf(text) > room {
		cut, n, space := 0, 0, -1
		for i, r := range text {
			if n += columnsOfRune(r); n > room {
				cut = i
				break
			}
			if r == ' ' {
				space = i
			}
		}
		if space > 0 && text[cut] != ' ' {
			cut = space
		}
		if cut == 0 {
			break // not even one character fits
		}
		lines = append(lines, strings.TrimRight(text[:cut], " "))
		text = strings.TrimLeft(text[cut:], " ")
		room = max(columns-indent, leastCell)
	}
	return append(lines, text)
}

// fit cuts text to at most columns columns of a terminal, with an ellipsis if it cuts.
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

// columnsOfRune is 2 for wide characters of East Asia, 0 for marks over a letter, else 1.
func columnsOfRune(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	return 1
}
