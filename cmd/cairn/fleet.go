package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/fleets"
)

// exportForms are the forms of files that engines read.
var exportForms = []string{"parquet", "csv", "jsonl"}

const exportLong = `Write what was run as tables that other engines read: runs, findings, outcomes and stages,
below DIR, in folders by repository and month. A run that is there already is not written again, so the same command adds what is new.
The columns are described in docs/fleet.md.

It exports the record of this repository; --clone and --discover name others.

Exit status:
  0  all is there
  1  a record could not be read, or DIR not written
  2  the command line is not right`

func newExport(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Export}
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "tables of what was run, for DuckDB, Spark and others",
		Long:  exportLong,
		Example: `  cairn export --format parquet ~/tables
  cairn export --format csv --discover ~/src /srv/tables
  duckdb -c "from '~/tables/runs/**/*.parquet' where status = 'failed'"`,
		Args: exactlyOne("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(exportForms, r.Format) {
				return usageError{cmd, fmt.Errorf("--format is %s, and not %q", strings.Join(exportForms, ", "), r.Format)}
			}
			r.To = args[0]
			return a.fleet(cmd, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Format, "format", "parquet", "`FORM` of the files: parquet, csv or jsonl")
	f.StringSliceVar(&r.Clones, "clone", nil, "the repository in `DIRECTORY`; several")
	cloneFlags(cmd, &r)
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportForms, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// cloneFlags are the flags of commands that read the records of several clones.
func cloneFlags(cmd *cobra.Command, r *fleets.Request) {
	cmd.Flags().StringSliceVar(&r.Discover, "discover", nil, "all repositories in `DIRECTORY` and below it; several")
	cmd.Flags().StringVar(&r.As, "as", "", "call the repository `NAME`, not by the address of its origin")
}

// fleet has cairn-fleet do what is asked for.
func (a *app) fleet(cmd *cobra.Command, r fleets.Request) error {
	r.Dir, r.Terminal = a.dir, isTerminal(a.stderr)
	request, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return a.hand(cmd, fleets.Program, bytes.NewReader(request))
}
