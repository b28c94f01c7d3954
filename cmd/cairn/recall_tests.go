package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallTestsLong = `Tell what every test of a run came to, not only what failed. RUN is a run id or the
beginning of one, by default the newest run of tests, which is named on stderr. The last line says how many there are, and whether that is all: a list
that does not name every test, or that contradicts the runner's own counts or the exit
status, is not complete, and says why. What a runner prints as a number stays one: "41
passed (unnamed)".

--gone, --new and --skipped compare with the newest earlier run of the same command, where both
lists are complete: tests that ran then and are not there now, that are there now only, and
that ran then and are skipped now. A command that chooses its tests by itself (--lf, -x, a
shard) is not compared. --slowest puts the slowest first.

Each test of --format json and jsonl has the command that runs it alone (again).

Exit status:
  0  printed
  1  it could not be read, or RUN is ambiguous
  2  the command line is not right
  3  nothing is called RUN, or its output tells of no tests`

type recallTestsOptions struct {
	format                               string
	asMap, gone, fresh, skipped, slowest bool
}

func newRecallTests(a *app) *cobra.Command {
	var o recallTestsOptions
	cmd := &cobra.Command{
		Use:   "tests [RUN]",
		Short: "what every test of a run came to",
		Long:  recallTestsLong,
		Example: `  cairn recall tests 01KAJ4
  cairn recall tests --gone
  cairn recall tests 01KAJ4 --format jsonl | jq -r 'select(.outcome=="skipped").id'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{cmd, errors.New("give one RUN, or none")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := testsForm(o.format, o.asMap)
			if err != nil {
				return usageError{cmd, err}
			}
			return runRecallTests(a, cmd, o, form, args)
		},
	}
	cmd.ValidArgsFunction = a.completeRuns
	f := cmd.Flags()
	testsFormFlags(f, &o.format, &o.asMap)
	f.BoolVar(&o.gone, "gone", false, "tests that ran before, and are not in the list now")
	f.BoolVar(&o.fresh, "new", false, "tests that are in the list now only")
	f.BoolVar(&o.skipped, "skipped", false, "tests that ran before, and are skipped now")
	f.BoolVar(&o.slowest, "slowest", false, "the slowest first")
	cmd.MarkFlagsMutuallyExclusive("gone", "new", "skipped", "slowest")
	return cmd
}

func runRecallTests(a *app, cmd *cobra.Command, o recallTestsOptions, form string, args []string) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	rec, err := a.testRun(cmd, site, args)
	if err != nil {
		return err
	}
	list, said, err := capture.Tests(site, rec)
	if err != nil {
		return err
	}
	if said == nil {
		return notFound{fmt.Errorf("the output of capture %s tells of no tests", rec.ID)}
	}
	d := outcomes.Document{Tool: rec.Tool, Tests: list, Said: *said, Again: again(rec.Tool, rec.Argv, rec.Shell)}
	if o.gone || o.fresh || o.skipped {
		return a.changedTests(cmd, site, rec, o, form, d)
	}
	if o.slowest {
		slices.SortStableFunc(d.Tests, func(x, y outcomes.Test) int { return cmp.Compare(y.DurationMS, x.DurationMS) })
	}
	return a.putTests(form, d)
}

// testRun is the record of a run, of the newest one of tests where none is named. It is said which one that is.
func (a *app) testRun(cmd *cobra.Command, site *place.Site, args []string) (*manifest.Record, error) {
	if len(args) == 0 {
		for rec, err := range site.Manifest.Records(cmd.Context(), manifest.Query{Newest: true, Known: true}) {
			if err != nil {
				return nil, err
			}
			if rec.Type == manifest.TypeCapture && ranTests(rec) {
				a.warn(fmt.Sprintf("the newest run of tests is %s: %s", render.ShortRun(rec.ID), screens.OneLine(recall.CommandLine(rec), 200)))
				return rec, nil
			}
		}
		return nil, notFound{errors.New("no tests were run")}
	}
	out, err := recall.Find(cmd.Context(), site, args[0])
	if err != nil {
		return nil, asNotFound(err)
	}
	if out.Record == nil {
		return nil, notFound{fmt.Errorf("%s is an object, and no run", args[0])}
	}
	return out.Record, nil
}

// ranTests says whether a capture is of a program that runs tests. Not each of them keeps a list: where the output names
// no test that passed, the findings are the list.
func ranTests(rec *manifest.Record) bool {
	p := parsers.Named(rec.Tool)
	return rec.Outcomes != nil || p != nil && p.Kind == result.Test
}

// changedTests prints how the tests of a run differ from those of the run before.
func (a *app) changedTests(cmd *cobra.Command, site *place.Site, rec *manifest.Record, o recallTestsOptions, form string, d outcomes.Document) error {
	then, c, err := recall.TestChange(cmd.Context(), site, rec)
	if err != nil {
		return err
	}
	if c == nil {
		return notFound{fmt.Errorf("capture %s cannot be compared: its list is not complete, its command chooses its tests by itself, or no earlier run of it has a complete list", rec.ID)}
	}
	for _, m := range c.Moved {
		a.warn(fmt.Sprintf("seems to have moved: %s is %s now", m.From.ID, m.To.ID))
	}
	a.warn("compared with capture " + then.ID)
	switch {
	case o.gone:
		d.Tests = c.Gone
	case o.fresh:
		d.Tests = c.New
	default:
		d.Tests = c.Skipped
	}
	d.Said.Counts, d.Said.Unnamed = d.Tests.Counts(), nil
	return a.putTests(form, d)
}

const recallTestLong = `Tell what one test came to in the runs that kept a list of their tests, the newest first:
run, time, outcome, duration and tree. ID is the test's id as recall tests prints it.
` + onTerminal + `
Exit status:
  0  printed
  1  the manifest could not be read
  2  the command line is not right
  3  no run names a test of that id`

func newRecallTest(a *app) *cobra.Command {
	var limit int
	var color string
	cmd := &cobra.Command{
		Use:     "test ID",
		Short:   "what one test came to, run by run",
		Long:    recallTestLong,
		Example: "  cairn recall test 'tests/test_a.py::test_login[a b]'",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give the ID of one test")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallTest(a, cmd, limit, color, args[0]) },
	}
	cmd.Flags().IntVar(&limit, "limit", 100, "at most `N` runs")
	colorFlag(cmd, &color)
	return cmd
}

func runRecallTest(a *app, cmd *cobra.Command, limit int, color, id string) error {
	screen, err := a.screen(cmd, color, render.FormatCompact)
	if err != nil {
		return err
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	runs, away, err := recall.TestHistory(cmd.Context(), site, id, limit)
	if err != nil {
		return err
	}
	if away > 0 {
		a.warn(fmt.Sprintf("the lists of %s are not in this clone, or were collected: the test may have run there, too", result.Count(away, "further run")))
	}
	if len(runs) == 0 {
		return notFound{fmt.Errorf("no run names a test %s", result.CleanLine(id))}
	}
	if screen != nil {
		return a.paint(testScreen(screen, id, runs))
	}
	for _, r := range runs {
		fmt.Fprintf(a.out, "%s  %s  %-7s %7d ms  tree %s\n", render.ShortRun(r.Run.ID), r.Run.Time.UTC().Format("2006-01-02 15:04:05"), r.Test.Outcome, r.Test.DurationMS, manifest.ShortTree(cmp.Or(screens.TreeOf(r), "-")))
	}
	_, err = fmt.Fprintln(a.out, screens.TestCounts(runs))
	return err
}
