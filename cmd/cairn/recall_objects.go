package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/recall"
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

Exit status:
  0  captures were listed
  1  the manifest could not be read, or --fingerprint is ambiguous
  2  the command line is not right
  3  nothing matched`

type recallObjectsOptions struct {
	recall.Query
	format, since, until, color string
	ids                         bool
}

func newRecallObjects(a *app) *cobra.Command {
	var o recallObjectsOptions
	cmd := &cobra.Command{
		Use:   "objects",
		Short: "list captures",
		Long:  recallObjectsLong,
		Example: `  cairn recall objects --status failed --tool pytest
  cairn recall objects --since 2h --grep 'connection refused'
  cairn recall objects --file tests/test_auth.py --format json | jq .id`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRecallObjects(a, cmd, o) },
	}
	f := cmd.Flags()
	formatFlag(f, &o.format)
	f.StringVar(&o.Status, "status", "", "`STATUS`: passed, ok, failed, error, unknown, running; several with commas")
	f.StringVar(&o.Tool, "tool", "", "`TOOL` or family of tools, such as pytest or go")
	f.StringVar(&o.Kind, "kind", "", "`KIND` of tool: test, lint, typecheck, build, generic, ...")
	f.StringVar(&o.Fingerprint, "fingerprint", "", "captures with the finding of this `FINGERPRINT`")
	f.StringVar(&o.Rule, "rule", "", "captures with a finding of this `RULE`")
	f.StringVar(&o.Branch, "branch", "", "captures made on this `BRANCH`")
	f.StringVar(&o.Commit, "commit", "", "captures made at this `COMMIT` or its beginning")
	f.StringVar(&o.File, "file", "", "captures with a finding in this `PATH`")
	f.StringVar(&o.since, "since", "", "from this `TIME` on: 2h, 3d, 2026-11-20 or 2026-11-20T15:04:05Z")
	f.StringVar(&o.until, "until", "", "before this `TIME`")
	f.StringVar(&o.Grep, "grep", "", "captures whose output or findings contain this `TEXT`")
	cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(statuses, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("fingerprint", a.completeFindings)
	cmd.RegisterFlagCompletionFunc("tool", a.completeTools)
	f.StringVar(&o.color, "color", colorAuto, "`WHEN` to colour: auto, always or never")
	f.BoolVar(&o.ids, "ids", false, "findings with their fingerprints, too")
	f.IntVar(&o.Limit, "limit", 20, "at most `N` captures; 0 is all")
	return cmd
}

func runRecallObjects(a *app, cmd *cobra.Command, o recallObjectsOptions) error {
	format, err := render.ParseFormat(o.format)
	if err == nil {
		o.Since, err = parseTime(o.since, time.Now())
	}
	if err == nil {
		o.Until, err = parseTime(o.until, time.Now())
	}
	if err == nil && o.until != "" && !o.Since.Before(o.Until) {
		err = fmt.Errorf("--since %s --until %s: nothing is from the one on and before the other", o.since, o.until)
	}
	list := &lister{a: a, cmd: cmd, format: format, ids: o.ids}
	asked := o.Status
	o.Status, list.live = withoutRunning(o.Status)
	list.done = o.Status != "" || asked == ""
	if err == nil {
		err = checkQuery(o.Query)
	}
	if err == nil && format == render.FormatCompact {
		list.table, err = a.table(o.color)
	}
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	list.site = site
	return a.page(cmd, site, func(screen io.Writer) error {
		list.screen = screen
		return list.all(o.Query)
	})
}

// lister prints captures in the form that was asked for.
type lister struct {
	a      *app
	cmd    *cobra.Command
	site   *place.Site
	format render.Format
	table  *render.Table // nil for plain lines
	screen io.Writer     // where its colours may go
	ids    bool
	live   bool // captures that are running were asked for
	done   bool // and the others too
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
		q.Limit++ // whether there is another
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
		return notFound{fmt.Errorf("no capture matches (of %s)%s", l.site.Dir, suggestTool(q.Tool)+suggestKind(q.Kind))}
	}
	if more {
		return l.a.say("[… newest %d; more with --limit]\n", n)
	}
	return nil
}

// statuses are what --status takes.
var statuses = []string{"passed", "ok", "failed", "error", "unknown", statusRunning}

// suggestTool is what was meant by a tool that none is called like.
func suggestTool(name string) string {
	var known []string
	for _, p := range parsers.All() {
		if p.Tool == name || p.Family == name {
			return ""
		}
		known = append(known, p.Tool)
	}
	return suggest(name, known)
}

// suggestKind is what was meant by a kind that no tool here has. It may be one of a
// later cairn, or of a project's own parser, and is no error.
func suggestKind(name string) string {
	known := []string{string(result.Generic)}
	for _, p := range parsers.All() {
		known = append(known, string(p.Kind))
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if name == "" || slices.Contains(known, name) {
		return ""
	}
	return cmp.Or(suggest(name, known), fmt.Sprintf("; no tool here is of kind %q, but of %s", name, strings.Join(known, ", ")))
}

// ended are the captures that have an end, where such were asked for.
func (l *lister) ended(q recall.Query) iter.Seq2[*recall.Hit, error] {
	if !l.done {
		return func(func(*recall.Hit, error) bool) {}
	}
	return recall.Objects(l.cmd.Context(), l.site, q)
}

func checkQuery(q recall.Query) error {
	for _, s := range strings.Split(q.Status, ",") {
		switch result.Status(s) {
		case "", result.Passed, result.OK, result.Failed, result.Error, result.Unknown:
		default:
			return fmt.Errorf("--status %s: statuses are passed, ok, failed, error, unknown and running%s", s, suggest(s, statuses))
		}
	}
	if q.Fingerprint != "" && !isHex(q.Fingerprint, minFingerprint, maxFingerprint) {
		return fmt.Errorf("--fingerprint %s: give %d to %d hex digits", q.Fingerprint, minFingerprint, maxFingerprint)
	}
	if q.Commit != "" && !isHex(q.Commit, 4, 64) {
		return fmt.Errorf("--commit %s: give a commit's hash, or the first 4 or more digits of it", q.Commit)
	}
	if q.Limit < 0 {
		return fmt.Errorf("--limit %d is below zero", q.Limit)
	}
	return nil
}

// A fingerprint, and the shortest beginning of one that is looked up.
const minFingerprint, maxFingerprint = 6, 12

func isHex(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// parseTime reads a duration before now, a day (UTC) or a moment.
func parseTime(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := time.ParseDuration(days + "h"); err == nil && n >= 0 {
			return now.Add(-24 * n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 { // below zero it would be to come
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time: write 2h, 3d, 2026-11-20 or 2026-11-20T15:04:05Z", s)
}

func (l *lister) print(hit *recall.Hit, first bool) error {
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
	text := l.table.Row(tableRow(hit, fresh)) + "\n"
	for _, line := range hit.Lines {
		text += "    " + result.CleanLine(line) + "\n"
	}
	_, err := io.WriteString(l.screen, text+ids)
	return err
}

// idLines are findings with what "recall finding" takes.
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

// printWhole prints a record with the whole result, where the bytes are here. The
// output of a run that went well is not read again: its record says all.
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

// hitLines is a capture in a list.
func hitLines(hit *recall.Hit, fresh string) string {
	rec := hit.Record
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %s: %s", result.CleanLine(rec.ID), rec.Time.Format("2006-01-02 15:04:05"), oneLine(recall.CommandLine(rec), 60), verdict(hit))
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

func verdict(hit *recall.Hit) string {
	if hit.Result == nil {
		return "no result"
	}
	return result.CleanLine(render.Verdict(hit.Result))
}

func oneLine(s string, n int) string {
	s = cmp.Or(strings.Join(strings.Fields(s), " "), "(no command)")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
