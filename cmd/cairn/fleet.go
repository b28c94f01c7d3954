package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/fleets"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
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

// fleetQuestion says where to ask a question, if not in this repository.
type fleetQuestion struct {
	where string   // the address of a database, or a directory with clones below it
	repos []string // only these repositories
}

// overFleets adds the flags to a group's questions that ask a fleet.
func overFleets(a *app, group *cobra.Command) *cobra.Command {
	q := &fleetQuestion{}
	group.PersistentFlags().StringVar(&q.where, "fleet", "", "ask the database `DSN`, or each repository below that directory")
	group.PersistentFlags().StringSliceVar(&q.repos, "repo", nil, "of the fleet only `REPOSITORY`; several")
	for _, cmd := range group.Commands() {
		here := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			switch info, err := os.Stat(q.where); {
			case q.where == "" && len(q.repos) > 0:
				return usageError{cmd, errors.New("--repo chooses of a fleet: give --fleet, too")}
			case q.where == "":
				return here(cmd, args)
			case err == nil && info.IsDir():
				return q.askClones(a, cmd, args, here)
			case !strings.ContainsAny(q.where, ":="):
				return usageError{cmd, fmt.Errorf("--fleet takes a directory or the address of a database such as postgres://host/db, and %q is neither", q.where)}
			}
			return q.askDatabase(a, cmd, args)
		}
	}
	return group
}

// askClones asks each of the clones by itself. The directory of its clone is the heading of an answer, or in JSON and
// CSV its first field.
func (q *fleetQuestion) askClones(a *app, cmd *cobra.Command, args []string, ask func(*cobra.Command, []string) error) error {
	root, err := filepath.Abs(q.where)
	if err != nil {
		return err
	}
	clones, err := fleets.Discover(root)
	if err != nil {
		return fmt.Errorf("looking for repositories in %s: %w", q.where, err)
	}
	form := answerForm(cmd)
	switch {
	case len(clones) == 0:
		return fmt.Errorf("there is no git repository in %s", q.where)
	case !slices.Contains(append(answerForms, "jsonl"), form):
		return usageError{cmd, fmt.Errorf("a fleet answers as compact, json or csv, and %q does not", cmd.CommandPath())}
	}
	var none error
	missing, answered := slices.Clone(q.repos), false
	for _, dir := range clones {
		name, _ := filepath.Rel(root, dir)
		if name = filepath.ToSlash(name); len(q.repos) > 0 && !slices.Contains(q.repos, name) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(repo string) bool { return repo == name })
		answer, err := a.answerIn(dir, func() error { return ask(cmd, args) })
		var nothing notFound
		switch {
		case errors.As(err, &nothing):
			none = err
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := a.out.Write(named(answer, name, form, !answered)); err != nil {
			return err
		}
		answered = true
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("none of the %d repositories in %s is called %s", len(clones), q.where, strings.Join(missing, " or "))
	case !answered:
		return none
	}
	return nil
}

// answerForm is the requested format, "" if a command has none. "table" counts as "compact".
func answerForm(cmd *cobra.Command) string {
	switch f := cmd.Flags().Lookup("format"); {
	case f == nil:
		return ""
	case f.Value.String() == "table":
		return "compact"
	default:
		return f.Value.String()
	}
}

// answerIn is the output of a command in another repository, which gets no branch,
// record or object by it. CAIRN_DIR is ignored, since it belongs to no clone.
func (a *app) answerIn(dir string, run func() error) ([]byte, error) {
	var answer bytes.Buffer
	was := *a
	defer func() { *a = was }()
	a.dir, a.env.Dir, a.stdout, a.out, a.visiting = dir, "", &answer, &output{to: &answer}, true
	if err := run(); err != nil {
		return nil, err
	}
	return answer.Bytes(), a.out.Flush()
}

// named adds the name of the clone to its answer.
func named(answer []byte, name, format string, first bool) []byte {
	var b bytes.Buffer
	switch format {
	case "compact":
		if !first {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:\n", result.CleanLine(name))
		b.Write(answer)
	case "csv":
		for i, line := range bytes.SplitAfter(answer, []byte("\n")) {
			cell := name
			switch {
			case i == 0 && !first, len(line) == 0:
				continue
			case i == 0:
				cell = "repository"
			}
			b.WriteString(strings.TrimSuffix(render.CSV([]string{cell}), "\n") + ",")
			b.Write(line)
		}
	default:
		text, _ := json.Marshal(name)
		for line := range bytes.Lines(answer) {
			if line[0] == '{' {
				fmt.Fprintf(&b, `{"repository":%s,`, text)
				line = line[1:]
			}
			b.Write(line)
		}
	}
	return b.Bytes()
}

// askDatabase lets cairn-fleet answer the question.
func (q *fleetQuestion) askDatabase(a *app, cmd *cobra.Command, args []string) error {
	r := fleets.Request{Do: fleets.Ask, To: q.where, Question: cmd.Name(), Args: args, Repos: q.repos, Format: "compact"}
	known := []string{"fleet", "repo", "format", "color"}
	for _, of := range filter.All() {
		known = append(known, of.Name)
		if f := cmd.Flags().Lookup(of.Name); f != nil && (f.Changed || of.Name == "limit") && f.Value.String() != "" { // --limit 0 is "" and means all
			if err := r.Filters.Set(of, f.Value.String()); err != nil {
				return usageError{cmd, err}
			}
		}
	}
	var other string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(known, f.Name) {
			other = f.Name
		}
	})
	if other != "" {
		return usageError{cmd, fmt.Errorf("--%s cannot be asked of a database", other)}
	}
	r.Format = cmp.Or(answerForm(cmd), r.Format)
	if !slices.Contains(answerForms, r.Format) {
		return usageError{cmd, fmt.Errorf("a database answers as %s, and not as %q", strings.Join(answerForms, ", "), r.Format)}
	}
	return a.fleet(cmd, r)
}
