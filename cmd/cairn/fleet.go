package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/fleets"
)

const exportLong = `Write what was run as tables that other engines read: runs, findings, outcomes and stages,
below DIR, in folders by repository and month. A run that is there already is not written again, so the same command adds what is new.
The columns are described in docs/fleet.md.

With --otlp URL the runs go to a collector of OpenTelemetry as spans instead: a trace for each run, with its tests and stages, those of the last
24 hours or since --since. What is sent again has the same ids. OTEL_EXPORTER_OTLP_HEADERS may hold a token.

It exports the record of this repository; --clone and --discover name others.`

func newExport(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Export, Format: "parquet"}
	cmd := &cobra.Command{
		Use:   "export DIR | --otlp URL",
		Short: "tables of what was run, for DuckDB, Spark and others",
		Long:  exportLong + exitHelp("all is there", "a record could not be read, or DIR not written"),
		Example: `  cairn export --format parquet ~/tables
  cairn export --format csv --discover ~/src /srv/tables
  duckdb -c "from '~/tables/runs/**/*.parquet' where status = 'failed'"
  cairn export --otlp http://localhost:4318 --since 2h`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.To == "":
				return takes(1, 1, "one DIR")(cmd, args)
			case len(args) > 0:
				return usageError{cmd, errors.New("give DIR, or --otlp and the address of a collector, not both")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
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
	oneOf(cmd, &r.Format, "format", "`FORM` of the files: ", "parquet", "csv", "jsonl")
	f.StringSliceVar(&r.Clones, "clone", nil, "the repository in `DIRECTORY`; several")
	cloneFlags(cmd, &r)
	cmd.MarkFlagsMutuallyExclusive("otlp", "format")
	return cmd
}

const fleetLoadLong = `Load the records of repositories into a database, whose tables and views are described in
docs/fleet.md. A run that is there already is not written again, and a repository of which nothing is new is not read, so the same command
may run every minute and in many places at once.

DSN is the address of a PostgreSQL database, such as postgres://cairn@db.example.com/cairn. Its
password is better kept in ~/.pgpass or PGPASSWORD. DIRECTORY is in a repository; without any it is this one. Where --discover names a file, the
branch of the record, and nothing else, is fetched from each address in it, and kept in the user's cache. An address of a remote for objects may stand
behind it: lists of tests come from there.`

func newFleetLoad(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Load}
	cmd := &cobra.Command{
		Use:   "load DSN [DIRECTORY...]",
		Short: "load records into a database",
		Long:  fleetLoadLong + exitHelp("all is there", "a record could not be read, or the database not written"),
		Example: `  cairn fleet load postgres://cairn@db.example.com/cairn --discover ~/src
  cairn fleet load "host=/run/postgresql dbname=cairn" app lib
  cairn fleet load postgres://cairn@db.example.com/cairn --discover addresses`,
		Args: takes(1, many, "the DSN of a database"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.To, r.Clones = args[0], args[1:]
			return a.fleet(cmd, r)
		},
	}
	cloneFlags(cmd, &r)
	return cmd
}

const fleetMigrateLong = `Bring the tables of a database to a version: the newest, or that of --to, forwards or
back. "fleet load" does the first by itself. Version 0 has no tables: all that was loaded is dropped, and can be loaded again.`

func newFleetMigrate(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Migrate}
	cmd := &cobra.Command{
		Use:     "migrate DSN",
		Short:   "bring the tables of a database to a version",
		Long:    fleetMigrateLong + exitHelp("the tables are of that version", "they are not, and are as they were"),
		Example: `  cairn fleet migrate postgres://cairn@db.example.com/cairn`,
		Args:    takes(1, 1, "one DSN"),
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
"cairn recall" are asked there by --fleet DSN.`

func newFleetAsk(a *app) *cobra.Command {
	r := fleets.Request{Do: fleets.Ask, Format: "compact"}
	cmd := &cobra.Command{
		Use:   "ask DSN VIEW",
		Short: "what a view of a database says",
		Long:  fleetAskLong + exitHelp("printed", "the database could not be asked", "there is no row"),
		Example: `  cairn fleet ask postgres://cairn@db.example.com/cairn failing_since --repo github.com/example/app
  cairn fleet ask postgres://cairn@db.example.com/cairn slowest --format csv`,
		Args: takes(2, 2, "the DSN of a database and a VIEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.To, r.Question = args[0], args[1]
			return a.fleet(cmd, r)
		},
	}
	oneOf(cmd, &r.Format, "format", "`FORM` of the answer: ", answerForms...)
	cmd.Flags().StringSliceVar(&r.Repos, "repo", nil, "only `REPOSITORY`; several")
	cmd.Flags().IntVar(&r.Filters.Limit, "limit", 50, "`N` rows at most; 0 is all")
	return cmd
}

// answerForms are the formats of a database's answer.
var answerForms = []string{"compact", "json", "csv"}

// cloneFlags are the flags of commands that read the records of several clones.
func cloneFlags(cmd *cobra.Command, r *fleets.Request) {
	cmd.Flags().StringSliceVar(&r.Discover, "discover", nil, "all repositories in `PLACE`, a directory, and below it, or those whose addresses a file has, a line each; several")
	cmd.Flags().StringVar(&r.As, "as", "", "call the repository `NAME`, not by the address of its origin")
}

// fleet runs cairn-fleet with a request.
func (a *app) fleet(cmd *cobra.Command, r fleets.Request) error {
	r.Dir, r.Terminal = a.dir, isTerminal(a.stderr)
	request, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return a.hand(cmd, fleets.Program, bytes.NewReader(request))
}
