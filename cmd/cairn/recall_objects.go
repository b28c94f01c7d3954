package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallObjectsLong = `List captures, newest first.

In compact form a capture is one line: run id, time (UTC), command, verdict,
object id. On a terminal it is a table, cut to its width, through the pager that git
would take; NO_COLOR and --color are obeyed. With --ids, the findings of each capture
follow with their fingerprints, for "cairn recall finding". In JSON a capture is its
record, one a line.

Captures that are being made now, in whatever worktree or terminal, stand above the
others as "running"; in JSON and YAML only with --status running, since their records
have no result yet. Watch one with "cairn recall object ID --follow".
` + aboutCaptures

type recallObjectsOptions struct {
	question
	color string
	ids   bool
}

func newRecallObjects(a *app) *cobra.Command {
	var o recallObjectsOptions
	cmd := &cobra.Command{
		Use:   "objects",
		Short: "list captures",
		Long:  recallObjectsLong + exitHelp("captures were listed", "the manifest could not be read, or --fingerprint is ambiguous", "nothing matched"),
		Example: `  cairn recall objects --status failed --tool pytest
  cairn recall objects --since yesterday --grep 'connection refused'
  cairn recall objects --branch 'feature/*' --tool pytest,ruff --sort slowest
  cairn recall objects --commit v1.2..HEAD --format csv
  cairn recall objects --file tests/test_auth.py --format json | jq .id`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRecallObjects(a, cmd, o) },
	}
	f := cmd.Flags()
	a.questionFlags(cmd, &o.question, 20)
	colorFlag(cmd, &o.color)
	f.BoolVar(&o.ids, "ids", false, "findings with their fingerprints, too")
	return cmd
}

func runRecallObjects(a *app, cmd *cobra.Command, o recallObjectsOptions) error {
	if err := o.read(cmd); err != nil {
		return err
	}
	list := &lister{a: a, cmd: cmd, format: o.format, ids: o.ids, table: a.screen(o.color, o.format)}
	q := recall.Query{Filters: o.filters}
	q.Status, list.live = o.filters.Status.Without(statusRunning)
	list.done = q.Status != "" || o.filters.Status == ""
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	list.site = site
	return a.page(cmd, site, func(screen io.Writer) error {
		list.screen = screen
		return list.all(q)
	})
}

// lister prints captures in the requested format.
type lister struct {
	a      *app
	cmd    *cobra.Command
	site   *place.Site
	format render.Format
	table  *render.Screen // nil for plain lines
	screen io.Writer      // where its coloured text goes
	ids    bool
	live   bool // running captures are listed
	done   bool // finished captures are listed
}

func (l *lister) all(q recall.Query) error {
	running, err := l.running(q)
	if err != nil {
		return err
	}
	n, more, unsearched := 0, false, 0
	q.Unsearched = &unsearched
	limit := q.Limit
	if limit > 0 && l.format == render.FormatCompact {
		q.Limit++ // to see whether there are more
	}
	for hit, err := range l.ended(q) {
		if err != nil {
			return err
		}
		if more = n == limit && limit > 0; more {
			break
		}
		if err := l.print(hit, n == 0); err != nil {
			return err
		}
		n++
	}
	if unsearched > 0 {
		l.a.warn(fmt.Sprintf("captures that could not be searched, because their output is not in this clone or could not be read: %d", unsearched))
	}
	if n+running == 0 {
		return notFound{fmt.Errorf("no capture matches (of %s)%s", l.site.Dir, cmp.Or(suggestTool(string(q.Tool))+suggestKind(string(q.Kind)), l.a.suggestValues(l.cmd, &q.Filters)))}
	}
	if more {
		return l.a.say("[… newest %d; more with --limit]\n", n)
	}
	return nil
}

// suggestTool suggests a tool for a name that no tool has.
func suggestTool(name string) string {
	if strings.ContainsAny(name, "*?[,") {
		return ""
	}
	var known []string
	for _, p := range parsers.All() {
		if p.Tool == name || p.Family == name {
			return ""
		}
		known = append(known, p.Tool)
	}
	return suggest(name, known)
}

// suggestKind suggests a kind for one that no tool here has. It may be a kind of a
// later cairn, or of a project's own parser, so it is no error.
func suggestKind(name string) string {
	known := []string{string(result.Generic)}
	for _, p := range parsers.All() {
		known = append(known, string(p.Kind))
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if name == "" || strings.ContainsAny(name, "*?[,") || slices.Contains(known, name) {
		return ""
	}
	return cmp.Or(suggest(name, known), fmt.Sprintf("; no tool here is of kind %q, but of %s", name, strings.Join(known, ", ")))
}

// ended are the finished captures, if the user asked for them.
func (l *lister) ended(q recall.Query) iter.Seq2[*recall.Hit, error] {
	if !l.done {
		return func(func(*recall.Hit, error) bool) {}
	}
	return recall.Objects(l.cmd.Context(), l.site, q)
}

func (l *lister) print(hit *recall.Hit, first bool) error {
	if l.format == formatCSV {
		rows := [][]string{captureColumns, captureRow(hit)}
		if !first {
			rows = rows[1:]
		}
		return l.a.printRows(rows...)
	}
	if l.format != render.FormatCompact {
		return l.a.printWhole(l.format, l.site, hit.Record, hit.Result)
	}
	fresh := ""
	if first {
		fresh = recall.Freshness(l.cmd.Context(), l.site, hit.Record, hit.Result)
	}
	ids := ""
	if l.ids {
		ids = idLines(hit.Result)
	}
	if l.table == nil {
		return l.a.put(l.format, []byte(hitLines(hit, fresh)+ids))
	}
	text := l.table.Row(screens.Row(hit, fresh)) + "\n"
	for _, line := range hit.Lines {
		text += "    " + result.CleanLine(line) + "\n"
	}
	_, err := io.WriteString(l.screen, text+ids)
	return err
}

// idLines are findings with the fingerprints that "recall finding" takes.
func idLines(r *result.ToolResult) string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "    %s %s\n", f.Fingerprint, render.Line(f))
	}
	if n := r.Truncated.FindingsTotal - len(r.Findings); n > 0 {
		fmt.Fprintf(&b, "    [… %d more]\n", n)
	}
	return result.Clean(b.String())
}

// printRecord prints a record's own line, as JSON or as YAML.
func (a *app) printRecord(format render.Format, rec *manifest.Record) error {
	line, err := rec.Encode()
	if err != nil {
		return err
	}
	return a.printLine(format, line)
}

// printWhole prints a record with the whole result, if the bytes are in this clone. The
// output of a run that went well is not parsed again, since its record is complete.
func (a *app) printWhole(format render.Format, site *place.Site, rec *manifest.Record, r *result.ToolResult) error {
	if r != nil && (len(r.Findings) > 0 || r.Status != result.Passed && r.Status != result.OK) {
		r, _ = recall.Whole(site, rec, r)
	}
	line, err := rec.EncodeWhole(r)
	if err != nil {
		return err
	}
	return a.printLine(format, line)
}

func (a *app) printLine(format render.Format, line []byte) error {
	if format == render.FormatYAML {
		doc, err := render.YAML(line)
		if err != nil {
			return err
		}
		return a.put(format, append([]byte("---\n"), doc...))
	}
	return a.put(format, append(line, '\n'))
}

// hitLines is a capture as lines of a list.
func hitLines(hit *recall.Hit, fresh string) string {
	rec := hit.Record
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %s: %s", result.CleanLine(rec.ID), rec.Time.Format("2006-01-02 15:04:05"), screens.OneLine(recall.CommandLine(rec), 60), screens.Verdict(hit))
	if rec.Raw != nil {
		fmt.Fprintf(&b, " %s", result.CleanLine(render.Short(rec.Raw.OID)))
	}
	for _, extra := range []string{fresh, hit.Unsure} {
		if extra != "" {
			fmt.Fprintf(&b, " [%s]", result.CleanLine(extra))
		}
	}
	b.WriteByte('\n')
	for _, l := range hit.Lines {
		fmt.Fprintf(&b, "    %s\n", result.CleanLine(l))
	}
	return b.String()
}
