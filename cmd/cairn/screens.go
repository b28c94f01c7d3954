package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// The answers on a screen: the same facts as in the plain forms, laid out for a person.

// statsScreen is what "recall stats" shows.
func statsScreen(s *render.Screen, st *recall.Stats, f filter.Filters, recalled int64, tokens *tokenCount) string {
	const day = "2 Jan 2006"
	var b strings.Builder
	t := st.Total
	b.WriteString(s.Text(0, fmt.Sprintf("%s from %s to %s", result.Count(t.Captures, "capture"), st.From.Format(day), st.To.Format(day)), render.Strong))
	b.WriteString(s.Columns(0, []render.Cell{
		{Text: rate(t.Good, t.Captures) + " passed or ok", Ink: render.InkOfRate(t.Good, t.Captures)}, {Text: fmt.Sprintf("%d failed", t.Failed), Ink: inkIf(t.Failed > 0, render.Bad)},
		{Text: result.Count(t.Error, "error"), Ink: inkIf(t.Error > 0, render.Unsure)}, {Text: fmt.Sprintf("%d unknown", t.Unknown), Ink: inkIf(t.Unknown > 0, render.Unsure)},
	}))
	weeks := min(mostWeeks, s.Width-len("failing  "))
	b.WriteString("\n" + s.Columns(1,
		[]render.Cell{{Text: "a week", Ink: render.Faint}, {Text: render.Spark(aWeek(st), weeks), Ink: render.Good}},
		[]render.Cell{{Text: "failing", Ink: render.Faint}, {Text: render.Spark(failingWeeks(st), weeks), Ink: render.Bad}}))
	for _, section := range statsSections(st, f) {
		rows := [][]render.Cell{screens.Heads(1, section.columns()...)}
		for _, c := range section.all[:min(len(section.all), section.top)] {
			var row []render.Cell
			for i, text := range section.row(c) {
				row = append(row, render.Cell{Text: text, Right: i > 0})
			}
			row[0].Text = screens.OneLine(row[0].Text, 400)
			row[2].Ink, row[3].Ink = render.InkOfRate(c.Good, c.Captures), inkIf(c.Good < c.Captures, render.Bad)
			rows = append(rows, row)
		}
		b.WriteString("\n" + s.Columns(0, rows...) + section.more())
	}
	for _, texts := range durationTables(st.Tests) {
		rows := [][]render.Cell{screens.Heads(1, texts[0]...)}
		for _, row := range texts[1:] {
			var cells []render.Cell
			for i, text := range row {
				cells = append(cells, render.Cell{Text: text, Right: i > 0})
			}
			rows = append(rows, cells)
		}
		b.WriteString("\n" + s.Columns(0, rows...))
	}
	b.WriteString(savedText(st, recalled))
	if tokens != nil {
		b.WriteString(render.Shown(tokens.text()))
	}
	return b.String()
}

func inkIf(so bool, ink render.Ink) render.Ink {
	if so {
		return ink
	}
	return render.Faint
}

// flakyScreen is what "recall flaky" shows.
func flakyScreen(s *render.Screen, found recall.Flakiness) string {
	rows := [][]render.Cell{screens.Heads(1, "test", "failed", "rate", "trees", "last")}
	for _, t := range found.Tests {
		rows = append(rows, []render.Cell{
			{Text: nameOf(t.Finding), Ink: render.Strong}, {Text: fmt.Sprintf("%d of %d", t.Failed, t.Runs), Right: true, Ink: render.Bad},
			{Text: rate(t.Failed, t.Runs), Right: true}, {Text: fmt.Sprint(t.Trees), Right: true}, {Text: render.Age(s.Now.Sub(t.Last)), Right: true, Ink: render.Faint},
		})
	}
	lines := strings.SplitAfter(s.Columns(0, rows...), "\n")
	var b strings.Builder
	b.WriteString(lines[0])
	for i, t := range found.Tests {
		b.WriteString(lines[i+1])
		for _, text := range []string{
			t.Finding.Message, "$ " + screens.OneLine(t.Command, 400),
			fmt.Sprintf("failed in %s, not in %s; group %s", render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group),
		} {
			b.WriteString(s.Text(4, text, render.Faint))
		}
	}
	return b.String()
}

// differenceScreen is what "recall diff" shows.
func differenceScreen(s *render.Screen, d *recall.Difference, fresh string) string {
	var b strings.Builder
	narrow := *s
	narrow.Width -= len("before  ")
	b.WriteString(s.Paint("before", render.Faint) + "  " + narrow.Row(screens.Row(d.Before, "")) + "\n")
	b.WriteString(s.Paint("after ", render.Faint) + "  " + narrow.Row(screens.Row(d.After, fresh)) + "\n")
	return b.String() + changesScreen(s, d, screens.Changes(d)) + render.Shown(screens.TestChanges(d.Tests))
}

func changesScreen(s *render.Screen, d *recall.Difference, all []screens.Change) string {
	var b strings.Builder
	b.WriteString(s.Text(0, screens.CountChanges(d), render.Strong))
	for _, list := range all {
		for _, f := range list.Findings {
			b.WriteString(s.Finding(fmt.Sprintf("%-7s", list.Word), screens.InkOfChange(list.Word), f))
		}
	}
	return b.String()
}

// testScreen is what "recall test" shows.
func testScreen(s *render.Screen, id string, past recall.TestPast) string {
	return screens.TestHead(s, id, past) + "\n" + screens.TestRows(s, past.Runs)
}

// runScreen is what "manifest show" shows of a run.
func runScreen(s *render.Screen, rec *manifest.Record, r *result.ToolResult) string {
	var b strings.Builder
	b.WriteString(screens.Facts(s, rec, r))
	if r == nil || len(r.Findings) == 0 {
		return b.String()
	}
	b.WriteByte('\n')
	for _, f := range r.Findings {
		b.WriteString(s.Finding(string(f.Severity), screens.InkOfSeverity(f.Severity), f))
	}
	if n := r.Truncated.FindingsTotal - len(r.Findings); n > 0 {
		b.WriteString(s.Text(0, fmt.Sprintf("[… %d more: cairn recall object %s --result]", n, render.ShortRun(rec.ID)), render.Faint))
	}
	return b.String()
}

// output prints the program's own words, and texts of records, flags and file names in
// them. Records come from other clones, so nothing reaches a terminal unchanged: every
// line is cleaned (see result.Clean), and a character without width is written as an
// escape. Captured bytes do not go through it: they go to the file itself, and only if
// the user asked for them.
type output struct {
	mu   sync.Mutex
	to   io.Writer
	held []byte // a line that is not complete yet
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = append(o.held, p...)
	end := bytes.LastIndexByte(o.held, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := io.WriteString(o.to, render.Shown(string(o.held[:end])))
	o.held = append(o.held[:0], o.held[end:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush prints an incomplete last line.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := io.WriteString(o.to, render.Shown(string(o.held)))
	o.held = nil
	return err
}

// say prints a line of text. Text in an argument stays on that line: a reason with a
// line break must not look like a record.
func (a *app) say(format string, args ...any) error {
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			args[i] = result.CleanLine(v)
		case []string:
			args[i] = result.CleanLines(v)
		}
	}
	_, err := fmt.Fprintf(a.out, format, args...)
	return err
}

// put prints a document in one of the formats. In JSON, characters that cleaning would
// remove become escapes, so that a program reads the record's own text.
func (a *app) put(format render.Format, doc []byte) error {
	if format == render.FormatJSON {
		doc = escapeHidden(doc)
	}
	_, err := a.out.Write(doc)
	return err
}

// escapeHidden replaces characters that result.Clean would change by \u escapes. In
// JSON they can only be in strings.
func escapeHidden(doc []byte) []byte {
	if text := string(doc); result.Clean(text) == text {
		return doc
	}
	out := make([]byte, 0, len(doc)+16)
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		if r == '\n' || result.Clean(string(doc[i:i+size])) == string(doc[i:i+size]) {
			out = append(out, doc[i:i+size]...)
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = append(out, `\u`...)
				out = append(out, strconv.FormatUint(0x10000|uint64(unit), 16)[1:]...)
			}
		}
		i += size
	}
	return out
}

// Lists for a person at a terminal. Piped output and other formats than compact do not
// use this.

// Values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// colored says whether to use colours: NO_COLOR and dumb terminals matter only for auto.
func (a *app) colored(flag string) bool {
	return flag == colorAlways || flag == colorAuto && isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// onTerminal is the help text on the output on a terminal.
const onTerminal = `
On a terminal it is coloured, cut or broken to the width, with ages in place of times and links
to the files that findings name; NO_COLOR and --color are obeyed. Piped, it is plain and always the same.
`

// colorFlag declares --color.
func colorFlag(cmd *cobra.Command, color *string) {
	*color = colorAuto
	oneOf(cmd, color, "color", "`WHEN` to colour: ", colorAuto, colorAlways, colorNever)
}

// screen describes the terminal to print for; nil if stdout is no terminal and colours
// were not asked for: then the output depends on neither clock nor width.
func (a *app) screen(color string, format render.Format) *render.Screen {
	if format != render.FormatCompact || !isTerminal(a.stdout) && color != colorAlways {
		return nil
	}
	s := &render.Screen{Width: 120, Color: a.colored(color), Now: time.Now()}
	if width, _, err := term.GetSize(int(a.outFile.Fd())); err == nil && width > 0 {
		s.Width = width
	}
	return s
}

// linked lets a screen make links to the files of a repository if stdout is a terminal;
// a pager may not support them.
func (a *app) linked(s *render.Screen, site *place.Site) {
	if site.Repo == nil || !isTerminal(a.stdout) {
		return
	}
	s.Top = site.Repo.TopLevel
	s.Host, _ = os.Hostname()
}

// paint prints the text of a screen. It is clean already, so it bypasses a.out, which would remove the colours.
func (a *app) paint(text string) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}

// page sends the output of use through git's pager, if stdout is a terminal. screen is
// for coloured text; all other text goes through a.out, which cleans it. If the pager
// cannot be run, the output is printed without it.
func (a *app) page(cmd *cobra.Command, site *place.Site, use func(screen io.Writer) error) error {
	line := ""
	if isTerminal(a.stdout) {
		line = a.pager(cmd, site)
	}
	if line == "" || line == "cat" {
		return use(a.stdout)
	}
	p := exec.Command("sh", "-c", line)
	p.Stdout, p.Stderr = a.stdout, a.stderr
	p.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		p.Env = append(p.Env, "LESS=FRX")
	}
	in, err := p.StdinPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		return use(a.stdout)
	}
	screen := a.out
	a.out = &output{to: in}
	err = errors.Join(use(in), a.out.Flush())
	a.out = screen
	in.Close()
	p.Wait() // the pager's exit status does not matter
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil // the reader left the pager early
	}
	return err
}

// pager is the user's pager, chosen as git does.
func (a *app) pager(cmd *cobra.Command, site *place.Site) string {
	if p, ok := os.LookupEnv("GIT_PAGER"); ok {
		return p
	}
	if site != nil && site.Home != nil {
		if p, err := site.Home.Config(cmd.Context(), "core.pager"); err == nil && p != "" {
			return p
		}
	}
	if p, ok := os.LookupEnv("PAGER"); ok {
		return p
	}
	return "less"
}
