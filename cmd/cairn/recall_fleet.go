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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/fleets"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

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
