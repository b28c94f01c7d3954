package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
)

// Shell completion uses the newest captures: it has to be fast and writes nothing.

// completed is how many captures completion reads.
const completed = 50

// completeRuns completes run ids, each with its command.
func (a *app) completeRuns(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var all []string
	if len(args) == 0 {
		a.newest(cmd, func(rec *manifest.Record) {
			if id := render.ShortRun(rec.ID); strings.HasPrefix(id, strings.ToUpper(begun)) {
				all = append(all, id+"\t"+screens.OneLine(recall.CommandLine(rec), 60))
			}
		})
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func (a *app) newest(cmd *cobra.Command, visit func(*manifest.Record)) {
	site, err := place.Open(cmd.Context(), a.dir, a.env, func(manifest.Warning) {})
	if err != nil {
		return
	}
	defer site.Close()
	for rec, err := range site.Manifest.Records(cmd.Context(), manifest.Query{Newest: true, Limit: completed}) {
		if err != nil {
			return
		}
		if rec.Type == manifest.TypeCapture {
			visit(rec)
		}
	}
}

// completeFindings completes fingerprints of the run on the command line, or of the
// newest captures, each with its message.
func (a *app) completeFindings(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var all []string
	seen := map[string]bool{}
	a.newest(cmd, func(rec *manifest.Record) {
		r, err := rec.Result()
		if err != nil || r == nil || len(args) > 0 && !strings.HasPrefix(rec.ID, strings.ToUpper(args[0])) {
			return
		}
		for _, f := range r.Findings {
			if !seen[f.Fingerprint] && strings.HasPrefix(f.Fingerprint, strings.ToLower(begun)) {
				seen[f.Fingerprint] = true
				all = append(all, f.Fingerprint+"\t"+screens.OneLine(render.Line(f), 60))
			}
		}
	})
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeFinding completes a fingerprint that is the only argument.
func (a *app) completeFinding(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeFindings(cmd, nil, begun)
}

// completeTwoRuns completes the two runs of a comparison.
func (a *app) completeTwoRuns(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeRuns(cmd, nil, begun)
}

// suggest suggests the known word that is most like word; "" if none is like it.
func suggest(word string, known []string) string {
	words := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, k := range known {
		words.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	like := words.SuggestionsFor(word)
	if len(like) == 0 || word == "" {
		return ""
	}
	return "; did you mean " + strings.Join(like[:min(len(like), 3)], " or ") + "?"
}

// invalidValue says which values a flag takes, without pflag's own text.
func invalidValue(err *pflag.InvalidValueError) error {
	if meant := new(filter.Error); errors.As(err, &meant) {
		return meant
	}
	if err.GetFlag().Value.Type() == "string" { // one of several words
		return fmt.Errorf("--%s: %w", err.GetFlag().Name, err.Unwrap())
	}
	takes := map[string]string{
		"int": "a whole number", "int64": "a whole number", "bool": "true or false", "duration": "a span of time such as 90s or 5m",
	}[err.GetFlag().Value.Type()]
	if takes == "" {
		return err
	}
	return fmt.Errorf("--%s takes %s, and %q is none", err.GetFlag().Name, takes, err.GetValue())
}

// suggestFlag suggests a flag for one that the command does not have.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalidValue(invalid)
	}
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w%s", err, suggest("--"+unknown.GetSpecifiedName(), known))
}
