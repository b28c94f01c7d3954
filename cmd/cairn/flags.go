package main

import (
	"context"
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
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// wordFlag is the value of a flag that takes one of several words.
type wordFlag[T ~string] struct {
	to    *T
	words []T
}

func (w wordFlag[T]) String() string {
	if w.to == nil {
		return ""
	}
	return string(*w.to)
}

func (w wordFlag[T]) Type() string { return "string" }

func (w wordFlag[T]) Set(word string) error {
	if *w.to = T(word); !slices.Contains(w.words, *w.to) {
		return fmt.Errorf("%q is not %s", word, listed(w.words))
	}
	return nil
}

// listed is a list in a sentence: "a, b or c".
func listed[T ~string](words []T) (text string) {
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " or "
		default:
			text += ", "
		}
		text += string(word)
	}
	return text
}

// oneOf declares a flag that takes one of several words. The value of to is its default; the help lists the words
// after about.
func oneOf[T ~string](cmd *cobra.Command, to *T, name, about string, words ...T) *pflag.Flag {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = string(word)
	}
	cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp))
	return cmd.Flags().VarPF(wordFlag[T]{to, words}, name, "", about+listed(words))
}

// formatFlag declares --format with the usual forms.
func formatFlag(cmd *cobra.Command, format *render.Format) {
	*format = render.FormatCompact
	oneOfForms(cmd, format, render.FormatCompact, render.FormatYAML, render.FormatJSON)
}

// captureForms are the formats for the answer to a capture.
var captureForms = []render.Format{render.FormatCompact, render.FormatYAML, render.FormatJSON, render.FormatVim}

// oneOfForms is formatFlag for a command that has other formats, or another default.
func oneOfForms(cmd *cobra.Command, format *render.Format, forms ...render.Format) *pflag.Flag {
	flag := oneOf(cmd, format, "format", "`FORM` of the output: ", forms...)
	flag.Value = formFlag{flag.Value}
	return flag
}

// formFlag also takes the old name of yaml.
type formFlag struct{ pflag.Value }

func (f formFlag) Set(word string) error {
	if word == "structured" {
		word = string(render.FormatYAML)
	}
	return f.Value.Set(word)
}

// artifactFlag declares --artifact for commands that take existing output.
func artifactFlag(f *pflag.FlagSet, paths *[]string) {
	f.StringArrayVar(paths, "artifact", nil, "`PATH` of a file that the run wrote, such as junit.xml; may be given again")
}

// site opens the store and the manifest of the working directory.
func (a *app) site(ctx context.Context) (*place.Site, error) {
	site, err := place.Open(ctx, a.dir, a.env, func(w manifest.Warning) { a.warn(w.String()) })
	if err == nil {
		site.Parse = func(rec *manifest.Record) (*result.ToolResult, error) { return capture.Parse(site, rec) }
	}
	return site, err
}

// recallSite opens the site for a question. It first finishes captures that were cut
// short and folds pending records, unless the repository is another's.
func (a *app) recallSite(cmd *cobra.Command) (*place.Site, error) {
	site, err := place.OpenToRead(cmd.Context(), a.dir, a.env, func(w manifest.Warning) { a.warn(w.String()) })
	if err != nil {
		return nil, err
	}
	site.Parse = func(rec *manifest.Record) (*result.ToolResult, error) { return capture.Parse(site, rec) }
	if isTerminal(a.stderr) {
		site.Progress = a.indexing(time.Now())
	}
	if site.Note != "" {
		a.warn(site.Note)
	}
	if a.visiting && site.Manifest.Lost() {
		a.warn("shards of " + a.dir + " are gone, so records may be missing; ask in that clone, which gives them back")
	}
	if a.visiting || site.ReadOnly {
		return site, nil
	}
	notes := capture.SweepAndTell(cmd.Context(), site, a.env)
	for _, note := range append(notes, capture.CatchUp(cmd.Context(), site, true, nil)...) {
		a.warn(note)
	}
	return site, nil
}

// indexing shows the progress of the index on a terminal, if it takes more than a moment.
func (a *app) indexing(begun time.Time) func(done, all int) {
	shown := -1
	return func(done, all int) {
		percent := 100 * done / all
		if shown < 0 && (time.Since(begun) < 300*time.Millisecond || done == all) || percent == shown {
			return
		}
		if shown = percent; done < all {
			fmt.Fprintf(a.stderr, "\rindexing the record, once: %d %% ", percent)
		} else {
			fmt.Fprint(a.stderr, "\r\x1b[K")
		}
	}
}

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
