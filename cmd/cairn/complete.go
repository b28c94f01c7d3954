package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/render"
)

// What the shell completes comes from the newest captures: it has to be there at
// once, and nothing is written for it.

// completed is how many captures are looked at.
const completed = 50

// completeRuns completes run ids, each with its command.
func (a *app) completeRuns(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var all []string
	if len(args) == 0 {
		a.newest(cmd, func(rec *manifest.Record) {
			if id := render.ShortRun(rec.ID); strings.HasPrefix(id, strings.ToUpper(begun)) {
				all = append(all, id+"\t"+oneLine(recall.CommandLine(rec), 60))
			}
		})
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeTools completes the tools of the newest captures.
func (a *app) completeTools(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var all []string
	a.newest(cmd, func(rec *manifest.Record) {
		if r, err := rec.Result(); err == nil && r != nil && !slices.Contains(all, r.Tool) {
			all = append(all, r.Tool)
		}
	})
	slices.Sort(all)
	return all, cobra.ShellCompDirectiveNoFileComp
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
