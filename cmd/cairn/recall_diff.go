package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/internal/streams"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallDiffLong = `Compare two captures of one command: which findings are new, which are fixed,
which still fail. A and B are run ids or their beginnings, branches, or whatever git
resolves to a commit: of branches and commits the newest captures of one command are
compared. Without A and B the last two captures of the newest command that has
findings, or is a test, lint, type check or build, are compared; with A alone A and
the newest capture of its command.

A finding that is not there any more is called fixed only if the later capture
accounts for all of its output; otherwise it is called missing.

Of tests, where both runs name all of theirs: those that ran in A and are gone in B, are
skipped in B only, are expected to fail in B only, passed in B only, were added; and those of
which it is guessed that they were renamed, moved or given other parameters. Where a runner
names only failures, its numbers are compared.
` + onTerminal + `` + aboutFindings

func newRecallDiff(a *app) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "diff [A [B]]",
		Short: "new, fixed, still failing",
		Long:  recallDiffLong + exitHelp("compared, whatever the difference", "the captures cannot be compared, or A or B is ambiguous", "there are not two captures"),
		Example: `  cairn recall diff
  cairn recall diff 01KAJ4 01KAJ9
  cairn recall diff main feature/cart --tool pytest`,
		Args: takes(0, 2, "two captures at most"),
		RunE: a.asking(&q, func(cmd *cobra.Command, screen *render.Screen, site *place.Site, args []string) error {
			args = append(args, "", "")
			d, err := recall.Diff(cmd.Context(), site, args[0], args[1], q.filters)
			if err != nil {
				return asNotFound(err)
			}
			if q.format == formatCSV {
				return a.printRows(differenceRows(d)...)
			}
			fresh := recall.Freshness(cmd.Context(), site, d.After.Record, d.After.Result)
			if screen != nil {
				a.linked(screen, site)
				return a.paint(differenceScreen(screen, d, fresh))
			}
			return a.print(q.format, differenceOf(d), differenceText(d, fresh))
		}),
	}
	a.questionFlags(cmd, &q, 0)
	colorFlag(cmd, &q.color)
	cmd.ValidArgsFunction = a.completeTwoRuns
	return cmd
}

func differenceRows(d *recall.Difference) [][]string {
	rows := [][]string{slices.Concat([]string{"change", "before", "after"}, findingColumns)}
	for _, list := range screens.TestsOf(d.Tests) {
		for _, t := range list.Tests {
			rows = append(rows, slices.Concat([]string{list.Word, d.Before.Record.ID, d.After.Record.ID}, findingRow(result.Finding{ID: t.ID, Location: t.At})))
		}
	}
	for _, list := range screens.Changes(d) {
		for _, f := range list.Findings {
			rows = append(rows, slices.Concat([]string{list.Word, d.Before.Record.ID, d.After.Record.ID}, findingRow(f)))
		}
	}
	return rows
}

// difference is recall.Difference as printed.
type difference struct {
	Before  string           `json:"before"`
	After   string           `json:"after"`
	New     []result.Finding `json:"new"`
	Fixed   []result.Finding `json:"fixed"`
	Still   []result.Finding `json:"still"`
	Missing []result.Finding `json:"missing,omitempty"`
	Why     string           `json:"why_missing,omitempty"`
	Tests   *testsDiffer     `json:"tests,omitempty"`
}

// testsDiffer is recall.TestsThen as printed.
type testsDiffer struct {
	Gone    []outcomes.Test `json:"gone"`
	Skipped []outcomes.Test `json:"newly_skipped"`
	XFailed []outcomes.Test `json:"newly_expected_to_fail"`
	Passed  []outcomes.Test `json:"newly_passed"`
	Added   []outcomes.Test `json:"added"`
	Moved   []testMoved     `json:"guessed_renamed"`
	// For runners that do not name all tests.
	Fewer       int `json:"fewer,omitempty"`
	MoreSkipped int `json:"more_skipped,omitempty"`
}

type testMoved struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func testsDifferOf(t *recall.TestsThen) *testsDiffer {
	if t == nil {
		return nil
	}
	list := func(l outcomes.List) []outcomes.Test { return append([]outcomes.Test{}, l...) }
	c := t.Change
	c = cmp.Or(c, &outcomes.Change{})
	out := &testsDiffer{
		Gone: list(c.Gone), Skipped: list(c.Skipped), XFailed: list(c.XFailed), Passed: list(c.Passed), Added: list(c.New),
		Moved: []testMoved{}, Fewer: t.Fewer, MoreSkipped: t.Skipped,
	}
	for _, m := range c.Moved {
		out.Moved = append(out.Moved, testMoved{m.From.ID, m.To.ID})
	}
	return out
}

func differenceOf(d *recall.Difference) difference {
	list := func(f []result.Finding) []result.Finding { return append([]result.Finding{}, f...) }
	out := difference{
		Before: d.Before.Record.ID, After: d.After.Record.ID,
		New: list(d.New), Fixed: list(d.Fixed), Still: list(d.Still), Missing: d.Missing,
		Tests: testsDifferOf(d.Tests),
	}
	if len(d.Missing) > 0 {
		out.Why = d.Why
	}
	return out
}

func differenceText(d *recall.Difference, fresh string) string {
	var b strings.Builder
	b.WriteString("before " + hitLines(d.Before, ""))
	b.WriteString("after  " + hitLines(d.After, fresh))
	b.WriteString(screens.CountChanges(d) + "\n" + screens.TestChanges(d.Tests) + changesText(screens.Changes(d)))
	return b.String()
}

func changesText(all []screens.Change) string {
	var b strings.Builder
	for _, list := range all {
		for _, f := range list.Findings {
			fmt.Fprintf(&b, "%-7s %s\n", list.Word, render.Line(f))
		}
	}
	return b.String()
}

// print prints text as the compact form, and v as JSON or YAML.
func (a *app) print(format render.Format, v any, text string) error {
	out := []byte(text)
	if format != render.FormatCompact {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if format == render.FormatYAML {
			line, err = render.YAML(line)
		} else {
			line = append(line, '\n')
		}
		if err != nil {
			return err
		}
		out = line
	}
	return a.put(format, out)
}

const recallObjectLong = `Print what a capture printed, byte for byte, with the digest checked before the
first byte. ID is a run id, an object id, or the beginning of either.

By default both streams come back in the order in which they were read; --stdout
and --stderr give one of them. Files that the run wrote and that were kept, such
as junit.xml, are named on stderr, each with the object that holds it. Bytes that are
not in this clone are fetched from a remote, if there is one that has them. With --follow
a capture that is still running is shown as it goes on, until it ends.`

type recallObjectOptions struct {
	stdout, stderr, result, record, replay, noDelay, follow bool
	format                                                  render.Format
	lines, grep, around, open                               string
	stage                                                   int
	to                                                      *counter // stdout
}

func newRecallObject(a *app) *cobra.Command {
	o := recallObjectOptions{to: &counter{}}
	cmd := &cobra.Command{
		Use:   "object ID",
		Short: "what a capture printed, byte for byte",
		Long:  recallObjectLong + exitHelp("printed", "it could not be read, its bytes do not match their digest, or ID is ambiguous", "nothing is called ID, or --grep found nothing"),
		Example: `  cairn recall object 01KAJ4 | sha256sum
  cairn recall object sha256:9f86d081884c --lines 120:160
  cairn recall object 01KAJ4 --result --format json
  cairn recall object 01KAJ4 --stage 1 --grep FAILED
  cairn recall object 01KAJ4 --follow`,
		Args: takes(1, 1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallObject(a, cmd, o, args[0]) },
	}
	cmd.ValidArgsFunction = a.completeRuns
	f := cmd.Flags()
	f.BoolVar(&o.stdout, "stdout", false, "only what it printed on stdout")
	f.BoolVar(&o.stderr, "stderr", false, "only what it printed on stderr")
	f.IntVar(&o.stage, "stage", 0, "the stage `N` of a shell line, counted from 1: what that command printed, before another read it")
	f.StringVar(&o.lines, "lines", "", "only lines `A:B`, counted from 1, both included")
	f.StringVar(&o.grep, "grep", "", "only lines that match the regular expression `RE`, with their numbers")
	f.StringVar(&o.around, "around", "", "only the lines around the finding of this `FINGERPRINT`")
	f.StringVar(&o.open, "open", "", "open the place of the finding of this `FINGERPRINT` in $VISUAL or $EDITOR")
	f.BoolVar(&o.result, "result", false, "the whole typed result, with --format")
	f.BoolVar(&o.record, "record", false, "the record, with --format json or yaml")
	f.BoolVar(&o.replay, "replay", false, "both streams again, each to its own, at the pace they were read")
	f.BoolVar(&o.noDelay, "no-delay", false, "with --replay: without pauses")
	f.BoolVarP(&o.follow, "follow", "f", false, "go on with a capture that is still running, until it ends")
	formatFlag(cmd, &o.format)
	cmd.RegisterFlagCompletionFunc("around", a.completeFindings)
	cmd.RegisterFlagCompletionFunc("open", a.completeFindings)
	cmd.MarkFlagsMutuallyExclusive("stdout", "stderr", "lines", "grep", "around", "open", "result", "record", "replay", "follow")
	return cmd
}

func runRecallObject(a *app, cmd *cobra.Command, o recallObjectOptions, id string) error {
	pick, err := o.printer(a, o.format)
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	if running, err := capture.FindRunning(site, id); err != nil {
		return err
	} else if running != nil {
		return a.follow(cmd, running, o)
	}
	out, err := recall.Find(cmd.Context(), site, id)
	if err != nil {
		return asNotFound(err)
	}
	if cmd.Flags().Changed("stage") {
		if out, err = out.Stage(o.stage); err != nil {
			return notFound{err}
		}
	}
	if !o.record && !o.result {
		if err := a.fetchOutput(cmd, site, out); err != nil {
			return err
		}
	}
	switch {
	case o.around != "":
		return a.around(out, o.around)
	case o.open != "":
		return a.openPlace(site, out, o.open)
	}
	if !o.record && !o.result {
		a.tellArtifacts(out)
	}
	o.to.to = a.stdout
	err = pick(out)
	a.noteRecalled(site, o.to.n)
	return err
}

// maxArtifactLines is how many files are named beside the output.
const maxArtifactLines = 20

// tellArtifacts lists the files that were kept with a capture: on stderr, since stdout
// has the output.
func (a *app) tellArtifacts(out *recall.Output) {
	if out.Record == nil || !out.ByRun {
		return
	}
	for i, f := range out.Record.Artifacts {
		if i == maxArtifactLines {
			a.warn(fmt.Sprintf("it also wrote %s more: cairn recall object %s --record", result.Count(len(out.Record.Artifacts)-i, "file"), out.Record.ID))
			return
		}
		a.warn(fmt.Sprintf("it also wrote %s (%s, %d bytes): cairn recall object %s", result.CleanLine(f.Path), result.CleanLine(f.Role), f.Size, render.Short(f.OID)))
	}
}

// printer returns the function that prints what the flags ask for.
func (o recallObjectOptions) printer(a *app, format render.Format) (func(*recall.Output) error, error) {
	switch {
	case o.record:
		return func(out *recall.Output) error { return a.printRecordOf(out, format) }, nil
	case o.result:
		return func(out *recall.Output) error { return a.printResultOf(out, format) }, nil
	case o.stdout:
		return func(out *recall.Output) error { return out.Stream(o.to, streams.Stdout) }, nil
	case o.stderr:
		return func(out *recall.Output) error { return out.Stream(o.to, streams.Stderr) }, nil
	case o.replay:
		sleep := time.Sleep
		if o.noDelay {
			sleep = nil
		}
		return func(out *recall.Output) error { return out.Replay(a.stdout, a.stderr, sleep) }, nil
	case o.lines != "":
		want, err := recall.ParseRange(o.lines)
		return func(out *recall.Output) error {
			return read(out, func(r io.Reader) error { return recall.Lines(o.to, r, want) })
		}, err
	case o.grep != "":
		re, err := regexp.Compile(o.grep)
		return func(out *recall.Output) error {
			return read(out, func(r io.Reader) error { return a.grep(r, re) })
		}, err
	}
	return func(out *recall.Output) error {
		return read(out, func(r io.Reader) error {
			_, err := io.Copy(o.to, r)
			return err
		})
	}, nil
}

func read(out *recall.Output, use func(io.Reader) error) error {
	obj, err := out.Open()
	if err != nil {
		return err
	}
	defer obj.Close()
	return use(obj)
}

func (a *app) grep(r io.Reader, re *regexp.Regexp) error {
	n, err := recall.Grep(a.out, r, re.Match)
	if err == nil && n == 0 {
		return notFound{fmt.Errorf("no line matches %s", re)}
	}
	return err
}

func (a *app) printRecordOf(out *recall.Output, format render.Format) error {
	if out.Record == nil {
		return notFound{fmt.Errorf("%s is an object of no capture, so there is no record", out.ID)}
	}
	if format == render.FormatCompact {
		format = render.FormatJSON
	}
	r, _, err := out.Result()
	if err != nil {
		r = nil // the user asked for the record only
	}
	line, err := out.Record.EncodeWhole(r)
	if err != nil {
		return err
	}
	return a.printLine(format, line)
}

func (a *app) printResultOf(out *recall.Output, format render.Format) error {
	r, note, err := out.Result()
	if err != nil {
		return err
	}
	if note != "" {
		a.warn(note)
	}
	text, err := render.Result(format, r, nil)
	if err != nil {
		return err
	}
	if dir := out.Elsewhere(); dir != "" && format == render.FormatCompact {
		text = []byte(render.CompactElsewhere(r, nil, dir))
	}
	return a.put(format, text)
}
