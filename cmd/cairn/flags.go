package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// formatFlag is --format, the same everywhere.
func formatFlag(f *pflag.FlagSet, format *string) {
	f.StringVar(format, "format", "compact", "`FORM` of the output: compact, yaml or json")
}

// captureForms are the forms of the answer to a capture.
const captureForms = "`FORM` of the output: compact, yaml, json or vim (errors, as editors take them)"

// artifactFlag is --artifact of commands that take output that exists.
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

// recallSite opens the site for a question: what was cut short is finished and
// what is pending is folded first, unless the repository is another's.
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

// indexing shows on a terminal how far the index is, where that takes more than a moment.
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
