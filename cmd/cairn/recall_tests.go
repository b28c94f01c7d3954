package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/recall"
	"cairn/recall/filter"
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
that ran then and are skipped now. Where that run failed, it may have ended early: the tests
of the newest one that passed count, too. A command that chooses its tests by itself (--lf,
a shard) is not compared. --skipped-since tells of each test that is skipped since which run
it is, and in which it ran last; --flaky lists those that passed and failed on one tree, or
passed on a retry. Both look at the newest runs of the same command. --slowest puts the
slowest first.
` + filtersHelp + `They choose the runs: the one that is told, if no RUN is given, and those that it is compared
with. --file chooses tests, by the file that they are in, and --limit is of tests.

Each test of --format json and jsonl has the command that runs it alone (again).`

type recallTestsOptions struct {
	filters                                            filter.Filters
	format                                             string
	asMap, gone, fresh, skipped, slowest, flaky, since bool
}

func newRecallTests(a *app) *cobra.Command {
	var o recallTestsOptions
	cmd := &cobra.Command{
		Use:   "tests [RUN]",
		Short: "what every test of a run came to",
		Long:  recallTestsLong + exitHelp("printed", "it could not be read, or RUN is ambiguous", "nothing is called RUN, or its output tells of no tests"),
		Example: `  cairn recall tests 01KAJ4
  cairn recall tests --gone --branch main
  cairn recall tests --slowest --limit 10
  cairn recall tests 01KAJ4 --format jsonl | jq -r 'select(.outcome=="skipped").id'`,
		Args: takes(0, 1, "one RUN, or none"),
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := testsForm(o.format, o.asMap)
			if err == nil {
				_, err = o.filters.Read(cmd.Name(), time.Now())
			}
			if err != nil {
				return usageError{cmd, err}
			}
			return runRecallTests(a, cmd, o, form, args)
		},
	}
	cmd.ValidArgsFunction = a.completeRuns
	f := cmd.Flags()
	testsFormFlags(f, &o.format, &o.asMap)
	a.filterFlags(cmd, &o.filters, cmd.Name())
	f.BoolVar(&o.gone, "gone", false, "tests that ran before, and are not in the list now")
	f.BoolVar(&o.fresh, "new", false, "tests that are in the list now only")
	f.BoolVar(&o.skipped, "skipped", false, "tests that ran before, and are skipped now")
	f.BoolVar(&o.slowest, "slowest", false, "the slowest first")
	f.BoolVar(&o.flaky, "flaky", false, "tests that passed and failed on one tree, or passed on a retry")
	f.BoolVar(&o.since, "skipped-since", false, "tests that are skipped, and since which run")
	cmd.MarkFlagsMutuallyExclusive("gone", "new", "skipped", "slowest", "flaky", "skipped-since")
	return cmd
}

func runRecallTests(a *app, cmd *cobra.Command, o recallTestsOptions, form string, args []string) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	rec, err := a.testRun(cmd, site, o.filters, args)
	if err != nil {
		return err
	}
	if err := a.fetchTests(cmd, site, rec); err != nil {
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
	switch {
	case o.gone, o.fresh, o.skipped:
		err = a.changedTests(cmd, site, rec, o, &d)
	case o.flaky, o.since:
		err = pastOfTests(cmd, site, rec, o, &d)
	case o.slowest:
		a.slowestFirst(d.Tests)
	}
	if err != nil {
		return err
	}
	return a.someTests(cmd, site, o, form, d)
}

// someTests prints the tests that --file and --limit select.
func (a *app) someTests(cmd *cobra.Command, site *place.Site, o recallTestsOptions, form string, d outcomes.Document) error {
	if len(o.filters.File) > 0 {
		is, err := recall.TestsFilter(cmd.Context(), site, o.filters)
		if err != nil {
			return err
		}
		d.Tests = slices.DeleteFunc(d.Tests, func(t outcomes.Test) bool { return !is(&t) })
		d.Said.Counts, d.Said.Unnamed = d.Tests.Counts(), nil
	}
	if more := len(d.Tests) - o.filters.Limit; o.filters.Limit > 0 && more > 0 {
		a.warn(fmt.Sprintf("%d more tests: --limit 0", more))
		d.Tests = d.Tests[:o.filters.Limit]
	}
	return a.putTests(form, d)
}

// slowestFirst sorts tests by duration.
func (a *app) slowestFirst(l outcomes.List) {
	slices.SortStableFunc(l, func(x, y outcomes.Test) int { return cmp.Compare(y.DurationMS, x.DurationMS) })
	if len(l) > 0 && l[0].DurationMS == 0 {
		a.warn("neither the output nor a report tells how long the tests took")
	}
}

// testRun is the record of the named run or, without a name, of the newest run of tests that the filters select; then
// a message says which one it is.
func (a *app) testRun(cmd *cobra.Command, site *place.Site, f filter.Filters, args []string) (*manifest.Record, error) {
	if len(args) == 0 {
		rec, err := recall.NewestTests(cmd.Context(), site, f, ranTests)
		if err != nil {
			return nil, err
		}
		if rec == nil {
			return nil, notFound{errors.New("no tests were run, or none that the filters leave")}
		}
		a.warn(fmt.Sprintf("the newest run of tests is %s: %s", render.ShortRun(rec.ID), screens.OneLine(recall.CommandLine(rec), 200)))
		return rec, nil
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

// ranTests says whether a capture's program runs tests. It need not keep a list: if the
// output names no passed test, the findings are the list.
func ranTests(rec *manifest.Record) bool {
	p := parsers.Named(rec.Tool)
	if rec.Outcomes != nil || p != nil && p.Kind == result.Test {
		return rec.Outcomes != nil || rec.Status != result.OK // ok is also the status of --version
	}
	if len(rec.Counts) == 0 { // of make, tox or a shell line, parts may be runs of tests
		return false
	}
	r, err := rec.Result()
	return err == nil && r != nil && slices.ContainsFunc(r.Parts, func(p result.Part) bool { return p.Kind == result.Test && p.Status != result.OK })
}

// changedTests keeps only the tests that differ from the run before.
func (a *app) changedTests(cmd *cobra.Command, site *place.Site, rec *manifest.Record, o recallTestsOptions, d *outcomes.Document) error {
	selects, err := recall.Selecting(cmd.Context(), site, o.filters)
	if err != nil {
		return err
	}
	then, err := recall.TestChange(cmd.Context(), site, rec, selects)
	switch {
	case err != nil:
		return err
	case then == nil:
		return notFound{fmt.Errorf("capture %s cannot be compared: its list is not complete, its command chooses its tests by itself, or no earlier run of it that the filters leave has a complete list", rec.ID)}
	case then.Change == nil:
		return notFound{fmt.Errorf("capture %s does not name all of its tests: by the runner's numbers there are %d fewer than in %s, and %d more were skipped", rec.ID, then.Fewer, then.Run.ID, then.Skipped)}
	}
	for _, m := range then.Change.Moved {
		a.warn(fmt.Sprintf("guessed to be one test: %s is %s now", m.From.ID, m.To.ID))
	}
	a.warn("compared with capture " + then.Run.ID)
	if rec.Status != result.Passed {
		a.warn("it did not pass: what it ran may have ended early")
	}
	switch {
	case o.gone:
		d.Tests = then.Change.Gone
	case o.fresh:
		d.Tests = then.Change.New
	default:
		d.Tests = then.Change.Skipped
	}
	d.Said.Counts, d.Said.Unnamed = d.Tests.Counts(), nil
	return nil
}

// testNamed identifies a test of a run, which may have several tools.
type testNamed struct{ tool, id string }

// pastOfTests keeps only the flaky or skipped tests of a run, and adds their history.
func pastOfTests(cmd *cobra.Command, site *place.Site, rec *manifest.Record, o recallTestsOptions, d *outcomes.Document) error {
	over, err := recall.TestsIn(cmd.Context(), site, cmd.Name(), o.filters, func(then *manifest.Record) bool { return then.Key == rec.Key && then.ID <= rec.ID })
	if err != nil {
		return err
	}
	past := map[testNamed]*outcomes.Past{}
	over.Each(func(t *recall.TestSeries) {
		p := t.Past()
		past[testNamed{t.Tool, t.ID}] = &p
	})
	if o.flaky {
		if err := flakyUnlisted(cmd, site, rec, o.filters, past, d); err != nil {
			return err
		}
	}
	d.Past = func(t outcomes.Test) *outcomes.Past { return past[testNamed{t.Tool, t.ID}] }
	d.Tests = slices.DeleteFunc(d.Tests, func(t outcomes.Test) bool {
		if o.since {
			return t.Outcome.Ran()
		}
		p := past[testNamed{t.Tool, t.ID}]
		return p == nil || !p.Flaky()
	})
	d.Said.Counts, d.Said.Unnamed = d.Tests.Counts(), nil
	return nil
}

// flakyUnlisted adds tests that only the findings show to be flaky, since some runs do not name passed tests.
func flakyUnlisted(cmd *cobra.Command, site *place.Site, rec *manifest.Record, f filter.Filters, past map[testNamed]*outcomes.Past, d *outcomes.Document) error {
	f.Limit, f.File, f.Status = 0, "", ""
	found, err := recall.Flaky(cmd.Context(), site, f)
	if err != nil {
		return asNotFound(err)
	}
	for _, t := range found.Tests {
		name := testNamed{"", nameOf(t.Finding)}
		if t.Command != recall.CommandLine(rec) || past[name] != nil {
			continue
		}
		past[name] = &outcomes.Past{Runs: t.Runs, Failed: t.Failed, Trees: t.Trees}
		if !slices.ContainsFunc(d.Tests, func(t outcomes.Test) bool { return t.ID == name.id }) {
			d.Tests = append(d.Tests, outcomes.Test{ID: name.id, Outcome: outcomes.Passed}) // it is not named, so it passed
		}
	}
	d.Tests.Sort()
	return nil
}

// testsForm is the requested format for a list of tests. Formats of results are mapped
// to those of lists.
func testsForm(format string, asMap bool) (string, error) {
	switch {
	case asMap:
		return "map", nil
	case format == "", format == "compact":
		return "table", nil
	case slices.Contains(outcomes.Formats, format):
		return format, nil
	}
	return "", fmt.Errorf("tests are printed as %s, and not as %q", listed(outcomes.Formats), format)
}

// testsFormFlags declares --format and --map for commands that print lists of tests.
func testsFormFlags(f *pflag.FlagSet, format *string, asMap *bool) {
	f.StringVar(format, "format", "table", "`FORM` of the output: "+strings.Join(outcomes.Formats, ", "))
	f.BoolVar(asMap, "map", false, "one JSON object of ids and words such as PASSED: --format map")
}

// putTests prints a list of tests. If the format cannot say that the list is
// incomplete, stderr says it.
func (a *app) putTests(form string, d outcomes.Document) error {
	if (form == "map" || form == "jsonl") && !d.Said.Complete {
		fmt.Fprintf(a.err, "cairn: %s\n", d.Summary())
	}
	return outcomes.Write(a.out, form, d)
}

// again returns a function that gives the command to run one of a run's tests.
func again(tool string, argv []string, line string) func(outcomes.Test) string {
	by := map[string]func(id string) []string{}
	return func(t outcomes.Test) string {
		name := cmp.Or(t.Tool, tool)
		if by[name] == nil {
			by[name] = parsers.Again(name, argv, line)
		}
		return recall.CommandLine(&manifest.Record{Argv: by[name](t.ID)})
	}
}
