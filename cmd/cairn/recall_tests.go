package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/outcomes"
	"cairn/recall"
)

const recallTestsLong = `Tell what every test of a run came to, not only what failed. RUN is a run id or the
beginning of one. The last line says how many there are, and whether that is all: a list
that does not name every test, or that contradicts the runner's own counts or the exit
status, is not complete, and says why. What a runner prints as a number stays one: "41
passed (unnamed)".

Each test of --format json and jsonl has the command that runs it alone (again).

Exit status:
  0  printed
  1  it could not be read, or RUN is ambiguous
  2  the command line is not right
  3  nothing is called RUN, or its output tells of no tests`

func newRecallTests(a *app) *cobra.Command {
	var format string
	var asMap bool
	cmd := &cobra.Command{
		Use:   "tests RUN",
		Short: "what every test of a run came to",
		Long:  recallTestsLong,
		Example: `  cairn recall tests 01KAJ4
  cairn recall tests 01KAJ4 --format jsonl | jq -r 'select(.outcome=="skipped").id'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give one RUN")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := testsForm(format, asMap)
			if err != nil {
				return usageError{cmd, err}
			}
			return runRecallTests(a, cmd, form, args[0])
		},
	}
	cmd.ValidArgsFunction = a.completeRuns
	f := cmd.Flags()
	testsFormFlags(f, &format, &asMap)
	return cmd
}

func runRecallTests(a *app, cmd *cobra.Command, form, id string) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	out, err := recall.Find(cmd.Context(), site, id)
	if err != nil {
		return asNotFound(err)
	}
	if out.Record == nil {
		return notFound{fmt.Errorf("%s is an object, and no run", id)}
	}
	list, said, err := capture.Tests(site, out.Record)
	if err != nil {
		return err
	}
	if said == nil {
		return notFound{fmt.Errorf("the output of capture %s tells of no tests", out.Record.ID)}
	}
	rec := out.Record
	return a.putTests(form, outcomes.Document{Tool: rec.Tool, Tests: list, Said: *said, Again: again(rec.Tool, rec.Argv, rec.Shell)})
}
