package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/manifest"
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
