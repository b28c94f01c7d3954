package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/fleets"
)

// exportForms are the forms of files that engines read.
var exportForms = []string{"parquet", "csv", "jsonl"}

const exportLong = `Write what was run as tables that other engines read: runs, findings, outcomes and stages,
below DIR, in folders by repository and month. A run that is there already is not written again, so the same command adds what is new.
The columns are described in docs/fleet.md.

With --otlp URL the runs go to a collector of OpenTelemetry as spans instead: a trace for each run, with its tests and stages, those of the last
24 hours or since --since. What is sent again has the same ids. OTEL_EXPORTER_OTLP_HEADERS may hold a token.

It exports the record of this repository; --clone and --discover name others.

Exit status:
  0  all is there
  1  a record could not be read, or DIR not written
  2  the command line is not right`

func newExport(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Export}
	cmd := &cobra.Command{
		Use:   "export DIR | --otlp URL",
		Short: "tables of what was run, for DuckDB, Spark and others",
		Long:  exportLong,
		Example: `  cairn export --format parquet ~/tables
  cairn export --format csv --discover ~/src /srv/tables
  duckdb -c "from '~/tables/runs/**/*.parquet' where status = 'failed'"
  cairn export --otlp http://localhost:4318 --since 2h`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.To == "":
				return exactlyOne("DIR")(cmd, args)
			case len(args) > 0:
				return usageError{cmd, errors.New("give DIR, or --otlp and the address of a collector, not both")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(exportForms, r.Format) {
				return usageError{cmd, fmt.Errorf("--format is %s, and not %q", strings.Join(exportForms, ", "), r.Format)}
			}
			if r.To != "" {
				if _, err := r.Filters.Read("", time.Now()); err != nil {
					return usageError{cmd, err}
				}
				r.Do = fleets.Spans
				return a.fleet(cmd, r)
			}
			r.To = args[0]
			return a.fleet(cmd, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.To, "otlp", "", "send spans to the collector at `URL`, such as http://localhost:4318, by OTLP over HTTP")
	f.StringVar(&r.Filters.Since, "since", "24h", "with --otlp, runs from this `TIME` on: 2h, yesterday, 2026-11-20")
	f.StringVar(&r.Format, "format", "parquet", "`FORM` of the files: parquet, csv or jsonl")
	f.StringSliceVar(&r.Clones, "clone", nil, "the repository in `DIRECTORY`; several")
	cloneFlags(cmd, &r)
	cmd.MarkFlagsMutuallyExclusive("otlp", "format")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportForms, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

const fleetLoadLong = `Load the records of repositories into a database, whose tables and views are described in
docs/fleet.md. A run that is there already is not written again, and a repository of which nothing is new is not read, so the same command
may run every minute and in many places at once.

DSN is the address of a PostgreSQL database, such as postgres://cairn@db.example.com/cairn. Its
password is better kept in ~/.pgpass or PGPASSWORD. DIRECTORY is in a repository; without any it is this one. Where --discover names a file, the
branch of the record, and nothing else, is fetched from each address in it, and kept in the user's cache. An address of a remote for objects may stand
behind it: lists of tests come from there.

Exit status:
  0  all is there
  1  a record could not be read, or the database not written
  2  the command line is not right`

func newFleetLoad(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Load}
	cmd := &cobra.Command{
		Use:   "load DSN [DIRECTORY...]",
		Short: "load records into a database",
		Long:  fleetLoadLong,
		Example: `  cairn fleet load postgres://cairn@db.example.com/cairn --discover ~/src
  cairn fleet load "host=/run/postgresql dbname=cairn" app lib
  cairn fleet load postgres://cairn@db.example.com/cairn --discover addresses`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{cmd, errors.New("give the DSN of a database")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r.To, r.Clones = args[0], args[1:]
			return a.fleet(cmd, r)
		},
	}
	cloneFlags(cmd, &r)
	return cmd
}

const fleetMigrateLong = `Bring the tables of a database to a version: the newest, or that of --to, forwards or
back. "fleet load" does the first by itself. Version 0 has no tables: all that was loaded is dropped, and can be loaded again.

Exit status:
  0  the tables are of that version
  1  they are not, and are as they were
  2  the command line is not right`

func newFleetMigrate(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Migrate}
	cmd := &cobra.Command{
		Use:     "migrate DSN",
		Short:   "bring the tables of a database to a version",
		Long:    fleetMigrateLong,
		Example: `  cairn fleet migrate postgres://cairn@db.example.com/cairn`,
		Args:    exactlyOne("DSN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.To = args[0]
			return a.fleet(cmd, r)
		},
	}
	cmd.Flags().IntVar(&r.Version, "to", -1, "the `VERSION`; -1 is the newest")
	return cmd
}

const fleetAskLong = `Ask one of the views of a database, which are documented in docs/fleet.md: flaky,
failing_since, new_today, slowest, regressions, proven, unproven, tokens, newest. The questions of
"cairn recall" are asked there by --fleet DSN.

Exit status:
  0  printed
  1  the database could not be asked
  2  the command line is not right
  3  there is no row`

func newFleetAsk(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Ask}
	cmd := &cobra.Command{
		Use:   "ask DSN VIEW",
		Short: "what a view of a database says",
		Long:  fleetAskLong,
		Example: `  cairn fleet ask postgres://cairn@db.example.com/cairn failing_since --repo github.com/example/app
  cairn fleet ask postgres://cairn@db.example.com/cairn slowest --format csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{cmd, errors.New("give the DSN of a database and a VIEW")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(answerForms, r.Format) {
				return usageError{cmd, fmt.Errorf("--format is %s, and not %q", strings.Join(answerForms, ", "), r.Format)}
			}
			r.To, r.Question = args[0], args[1]
			return a.fleet(cmd, r)
		},
	}
	cmd.Flags().StringVar(&r.Format, "format", "compact", "`FORM` of the answer: compact, json or csv")
	cmd.Flags().StringSliceVar(&r.Repos, "repo", nil, "only `REPOSITORY`; several")
	cmd.Flags().IntVar(&r.Filters.Limit, "limit", 50, "`N` rows at most; 0 is all")
	return cmd
}

// answerForms are the forms of what a database answers.
var answerForms = []string{"compact", "json", "csv"}

// cloneFlags are the flags of commands that read the records of several clones.
func cloneFlags(cmd *cobra.Command, r *fleets.Request) {
	cmd.Flags().StringSliceVar(&r.Discover, "discover", nil, "all repositories in `PLACE`, a directory, and below it, or those whose addresses a file has, a line each; several")
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
