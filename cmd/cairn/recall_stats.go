package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallStatsLong = `Count what was run: captures and how they ended, by tool, by command and by week;
the slowest commands and those that fail most; the bytes that were printed against
those of the compact form. Of the tests in the newest lists: the ten slowest, with the
distribution of how long they took, and those that take at least twice as long, and 200 ms
longer, in the newest run of their command as in the median of its last runs on other
trees. With --tokens, tokens (cl100k_base) are counted on the
newest outputs that are in this clone. What was read again with "cairn recall
object" is subtracted; where nothing was saved, the number is negative.
` + onTerminal + `` + aboutCaptures

type recallStatsOptions struct {
	question
	tokens bool
}

func newRecallStats(a *app) *cobra.Command {
	var o recallStatsOptions
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "what was run, how it ended, what it saved",
		Long:  recallStatsLong + exitHelp("counted", "the manifest could not be read", "nothing was captured"),
		Example: `  cairn recall stats --since 30d
  cairn recall stats --tokens
  cairn recall stats --format json | jq '.commands[:5]'`,
		Args: noArgs,
		RunE: a.asking(&o.question, func(cmd *cobra.Command, screen *render.Screen, site *place.Site, _ []string) error {
			s, err := recall.StatsOf(cmd.Context(), site, o.filters)
			if err != nil {
				return err
			}
			if s.Total.Captures == 0 {
				return notFound{fmt.Errorf("no capture matches (of %s)", site.Dir)}
			}
			if o.format == formatCSV {
				return a.printRows(statsRows(s)...)
			}
			recalled := recall.Recalled(site, s.From)
			var tokens *tokenCount
			if o.tokens {
				if tokens, err = countTokens(site, s.Newest); err != nil {
					return err
				}
			}
			if screen != nil {
				return a.paint(statsScreen(screen, s, o.filters, recalled, tokens))
			}
			return a.print(o.format, statsOf(s, recalled, tokens), statsText(s, o.filters, recalled, tokens))
		}),
	}
	f := cmd.Flags()
	a.questionFlags(cmd, &o.question, 10)
	colorFlag(cmd, &o.color)
	f.BoolVar(&o.tokens, "tokens", false, "count tokens, too, on a sample")
	return cmd
}

// stats is recall.Stats as printed.
type stats struct {
	From     string            `json:"from"`
	To       string            `json:"to"`
	Total    counted           `json:"total"`
	Tools    []counted         `json:"tools"`
	Commands []counted         `json:"commands"`
	Weeks    []counted         `json:"weeks"`
	Recalled int64             `json:"recalled_bytes"`
	Saved    int64             `json:"saved_bytes"`
	Tokens   *tokenCount       `json:"tokens,omitempty"`
	Tests    *recall.Durations `json:"tests,omitempty"`
}

// durationTables are the slowest tests and those that became slower, as rows of text; the first row of each is its
// heading.
func durationTables(d recall.Durations) (tables [][][]string) {
	spread := func(t recall.Took) []string {
		return []string{strconv.Itoa(t.Runs), screens.Millis(t.Shortest), screens.Millis(t.Median), screens.Millis(t.P90), screens.Millis(t.Longest)}
	}
	if len(d.Slowest) > 0 {
		rows := [][]string{{"slowest tests", "runs", "min", "median", "90 %", "max"}}
		for _, t := range d.Slowest {
			rows = append(rows, append([]string{t.ID}, spread(t.Took)...))
		}
		tables = append(tables, rows)
	}
	if len(d.Slower) > 0 {
		rows := [][]string{{"became slower", "now", "before, runs", "min", "median", "90 %", "max"}}
		for _, t := range d.Slower[:min(len(d.Slower), 20)] {
			rows = append(rows, append([]string{t.ID, screens.Millis(t.Now)}, spread(t.Before)...))
		}
		tables = append(tables, rows)
	}
	return tables
}

type counted struct {
	Name     string `json:"name,omitempty"`
	Captures int    `json:"captures"`
	Good     int    `json:"good"`
	Failed   int    `json:"failed"`
	Error    int    `json:"error"`
	Unknown  int    `json:"unknown"`
	MeanMS   int64  `json:"mean_ms"`
	MaxMS    int64  `json:"max_ms"`
	Raw      int64  `json:"raw_bytes"`
	Shown    int64  `json:"shown_bytes"`
}

func statsRows(s *recall.Stats) [][]string {
	rows := [][]string{{"of", "name", "captures", "good", "failed", "error", "unknown", "mean_ms", "max_ms", "raw_bytes", "shown_bytes"}}
	add := func(of string, all ...recall.Counted) {
		for _, c := range all {
			row := []string{of, c.Name}
			for _, n := range []int64{int64(c.Captures), int64(c.Good), int64(c.Failed), int64(c.Error), int64(c.Unknown), c.Mean(), c.Longest, c.Raw, c.Shown} {
				row = append(row, strconv.FormatInt(n, 10))
			}
			rows = append(rows, row)
		}
	}
	add("total", s.Total)
	add("tool", s.Tools...)
	add("command", s.Commands...)
	add("week", s.Weeks...)
	return rows
}

func statsOf(s *recall.Stats, recalled int64, tokens *tokenCount) stats {
	one := func(c recall.Counted) counted {
		return counted{c.Name, c.Captures, c.Good, c.Failed, c.Error, c.Unknown, c.Mean(), c.Longest, c.Raw, c.Shown}
	}
	list := func(all []recall.Counted) (out []counted) {
		for _, c := range all {
			out = append(out, one(c))
		}
		return out
	}
	var tests *recall.Durations
	if s.Tests.Runs+s.Tests.Away > 0 {
		tests = &s.Tests
	}
	return stats{
		s.From.Format(manifest.TimeLayout), s.To.Format(manifest.TimeLayout), one(s.Total), list(s.Tools), list(s.Commands), list(s.Weeks),
		recalled, s.Raw - s.Shown - recalled, tokens, tests,
	}
}

func statsText(s *recall.Stats, f filter.Filters, recalled int64, tokens *tokenCount) string {
	var b strings.Builder
	t := s.Total
	fmt.Fprintf(&b, "%s from %s to %s: %s passed or ok, %d failed, %s, %d unknown\n", result.Count(t.Captures, "capture"),
		s.From.Format("2006-01-02"), s.To.Format("2006-01-02"), rate(t.Good, t.Captures), t.Failed, result.Count(t.Error, "error"), t.Unknown)
	fmt.Fprintf(&b, "a week   %s\nfailing  %s\n\n", render.Spark(aWeek(s), mostWeeks), render.Spark(failingWeeks(s), mostWeeks))
	for i, section := range statsSections(s, f) {
		if i > 0 {
			b.WriteByte('\n')
		}
		section.table(&b)
	}
	for _, rows := range durationTables(s.Tests) {
		b.WriteByte('\n')
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			row[0] = screens.OneLine(row[0], 100)
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		w.Flush()
	}
	b.WriteString(savedText(s, recalled))
	if tokens != nil {
		b.WriteString(tokens.text())
	}
	return result.Clean(b.String())
}

func savedText(s *recall.Stats, recalled int64) string {
	return fmt.Sprintf("\nbytes printed %s, shown %s, read again %s: %s saved\n", screens.Bytes(s.Raw), screens.Bytes(s.Shown), screens.Bytes(recalled), screens.Bytes(s.Raw-s.Shown-recalled))
}

// statsSection is one table of the statistics.
type statsSection struct {
	word string
	all  []recall.Counted
	top  int // how many of them are shown
}

func statsSections(s *recall.Stats, f filter.Filters) []statsSection {
	top := f.Limit
	top = cmp.Or(top, max(len(s.Tools), len(s.Commands)))
	sections := []statsSection{{"tool", s.Tools, top}}
	by := func(word string, all []recall.Counted, order func(a, b recall.Counted) int) {
		slices.SortStableFunc(all, order)
		sections = append(sections, statsSection{word, all, top})
	}
	if f.Sort != "" {
		sections = append(sections, statsSection{"commands", s.Commands, top}) // in the order that the user chose
	}
	good := func(c recall.Counted) bool { return c.Good == c.Captures }
	if failing := slices.DeleteFunc(slices.Clone(s.Commands), good); len(failing) > 0 {
		by("most failing", failing, func(x, y recall.Counted) int { return cmp.Compare(y.Captures-y.Good, x.Captures-x.Good) })
	}
	by("slowest", slices.Clone(s.Commands), func(x, y recall.Counted) int { return cmp.Compare(y.Mean(), x.Mean()) })
	return sections
}

func (t statsSection) columns() []string {
	return []string{t.word, "captures", "good", "failed", "mean", "max", "printed", "shown"}
}

func (t statsSection) row(c recall.Counted) []string {
	return []string{c.Name, strconv.Itoa(c.Captures), rate(c.Good, c.Captures), strconv.Itoa(c.Captures - c.Good), screens.Millis(c.Mean()), screens.Millis(c.Longest), screens.Bytes(c.Raw), screens.Bytes(c.Shown)}
}

func (t statsSection) table(b *strings.Builder) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.columns(), "\t"))
	for _, c := range t.all[:min(len(t.all), t.top)] {
		row := t.row(c)
		row[0] = screens.OneLine(row[0], 44)
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	b.WriteString(t.more())
}

func (t statsSection) more() string {
	if n := len(t.all) - t.top; n > 0 {
		return fmt.Sprintf("[… %d more: --limit %d]\n", n, len(t.all))
	}
	return ""
}

func rate(n, of int) string { return fmt.Sprintf("%d.%d %%", 1000*n/of/10, 1000*n/of%10) }

// mostWeeks is how many weeks a line of bars shows.
const mostWeeks = 60

func aWeek(s *recall.Stats) (captures []float64) {
	for _, c := range s.Weeks {
		captures = append(captures, float64(c.Captures))
	}
	return captures
}

func failingWeeks(s *recall.Stats) (shares []float64) {
	for _, c := range s.Weeks {
		shares = append(shares, float64(c.Captures-c.Good)/float64(max(c.Captures, 1)))
	}
	return shares
}
