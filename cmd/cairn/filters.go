package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

// filtersHelp is the part on filters of every question's help.
const filtersHelp = `
A filter takes one value or several with commas (--tool pytest,ruff), and patterns in
which * is any text, ? any character and [a-c] one of some (--branch 'feature/*').
--file takes a directory, too. Times are spans (2h, 3d), the words that git log takes
(yesterday, "last week", "2 days ago"), days and moments; all in UTC.
`

// aboutCaptures and aboutFindings say what the filters on findings choose.
const (
	aboutCaptures = filtersHelp + `--fingerprint, --rule and --file choose the captures that have such a finding.`
	aboutFindings = filtersHelp + `--fingerprint, --rule and --file choose findings; all others choose captures.`
)

// question is the flags of all commands that query the record.
type question struct {
	filters filter.Filters
	format  render.Format
	color   string // "" where the answer has no colours
}

// formatCSV is a format of lists only.
const formatCSV render.Format = "csv"

// questionFlags declares --format and the filters of a question; limit is its default
// number of answers.
func (a *app) questionFlags(cmd *cobra.Command, q *question, limit int) {
	q.format = render.FormatCompact
	oneOfForms(cmd, &q.format, render.FormatCompact, render.FormatYAML, render.FormatJSON, formatCSV)
	q.filters.Limit = limit
	a.filterFlags(cmd, &q.filters, cmd.Name())
}

// filterFlags declares the filters of a question.
func (a *app) filterFlags(cmd *cobra.Command, filters *filter.Filters, asks string) {
	f := cmd.Flags()
	for _, of := range filter.All() {
		about := of.About
		if of.Name == "sort" {
			about += ": " + strings.Join(filter.Words(of, asks), ", ")
		}
		flag := f.VarPF(&filterFlag{filters, of}, of.Name, "", about)
		flag.NoOptDefVal = of.Bare
		flag.Hidden = filter.Useless(asks, of.Name) != "" // it exists only to say why it is useless
		cmd.RegisterFlagCompletionFunc(of.Name, a.completeFilter(of, asks))
	}
}

// withValues joins a flag that may stand without a value and the value after it:
// "--dirty no" becomes "--dirty=no".
func withValues(args []string) []string {
	if len(args) < 2 || args[0] != "recall" {
		return args
	}
	all, alone := slices.Clone(args), slices.Contains([]string{"objects", "flaky", "stats"}, args[1]) // they take only flags
	for _, of := range filter.All() {
		i := slices.Index(all, "--"+of.Name)
		if of.Bare == "" || i < 0 || i+1 == len(all) || strings.HasPrefix(all[i+1], "-") {
			continue
		}
		if alone || slices.Contains(filter.Words(of, args[1]), strings.Split(all[i+1], ",")[0]) {
			all = slices.Replace(all, i, i+2, all[i]+"="+all[i+1])
		}
	}
	return all
}

// filterFlag is the pflag.Value of a filter.
type filterFlag struct {
	filters *filter.Filters
	of      filter.Filter
}

func (f *filterFlag) String() string {
	if f.filters == nil {
		return ""
	}
	return f.filters.Value(f.of)
}

func (f *filterFlag) Set(value string) error {
	if value == "" { // as of a variable that is not set, where all would be answered
		return &filter.Error{Name: f.of.Name, Takes: "takes " + f.of.Takes + ", and was given nothing; without the flag all count"}
	}
	return f.filters.Set(f.of, value)
}
func (f *filterFlag) Type() string { return f.of.Takes }

// read checks the filters before anything is opened.
func (q *question) read(cmd *cobra.Command) error {
	if _, err := q.filters.Read(cmd.Name(), time.Now()); err != nil {
		return usageError{cmd, err}
	}
	return nil
}

// onSite is the RunE of a command that asks the record.
func (a *app) onSite(run func(cmd *cobra.Command, site *place.Site, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		site, err := a.recallSite(cmd)
		if err != nil {
			return err
		}
		defer site.Close()
		return run(cmd, site, args)
	}
}

// asking is onSite for a question with filters. The screen is nil if the plain form is printed.
func (a *app) asking(q *question, run func(cmd *cobra.Command, screen *render.Screen, site *place.Site, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := q.read(cmd); err != nil {
			return err
		}
		return a.onSite(func(cmd *cobra.Command, site *place.Site, args []string) error {
			return run(cmd, a.screen(cmp.Or(q.color, colorNever), q.format), site, args)
		})(cmd, args)
	}
}

// completeFilter completes the last value of a list with the words that a filter takes,
// or with values of the newest captures.
func (a *app) completeFilter(of filter.Filter, asks string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if of.Name == "fingerprint" {
			return a.completeFindings(cmd, args, begun)
		}
		known := filter.Words(of, asks)
		if known == nil {
			known = a.values(cmd, of.Name)
		}
		before := ""
		if i := strings.LastIndexByte(begun, ','); i >= 0 && of.Name != "command" {
			before, begun = begun[:i+1], begun[i+1:]
		}
		var all []string
		for _, v := range known {
			if strings.HasPrefix(v, begun) {
				all = append(all, before+v)
			}
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if of.Name == "file" {
			directive = cobra.ShellCompDirectiveDefault
		}
		return all, directive
	}
}

// values are those by which a filter would select some of the newest captures, sorted.
func (a *app) values(cmd *cobra.Command, name string) (known []string) {
	a.newest(cmd, func(rec *manifest.Record) { known = append(known, valuesOf(rec, name)...) })
	slices.Sort(known)
	return slices.DeleteFunc(slices.Compact(known), func(v string) bool { return v == "" })
}

// suggestValues suggests for a value of a filter that none of the newest captures has one that they have.
func (a *app) suggestValues(cmd *cobra.Command, f *filter.Filters) string {
	for _, of := range filter.All() {
		value := f.Value(of)
		if value == "" || strings.ContainsAny(value, "*?[,") || !slices.Contains([]string{"agent", "branch", "rule", "session"}, of.Name) {
			continue
		}
		known := a.values(cmd, of.Name)
		if meant := suggest(value, known); meant != "" && !slices.Contains(known, value) {
			return meant
		}
	}
	return ""
}

// valuesOf are the values by which a filter would select a capture.
func valuesOf(rec *manifest.Record, name string) (values []string) {
	git, by := manifest.Git{}, manifest.By{}
	if rec.Git != nil {
		git = *rec.Git
	}
	if rec.By != nil {
		by = *rec.By
	}
	switch name {
	case "branch":
		return []string{git.Branch}
	case "commit":
		return []string{git.Commit[:min(len(git.Commit), 12)]}
	case "agent":
		return []string{by.Agent}
	case "session":
		return []string{by.Session}
	case "command":
		return []string{recall.CommandLine(rec)}
	}
	r, err := rec.Result()
	if err != nil || r == nil {
		return nil
	}
	switch name {
	case "tool":
		return []string{r.Tool}
	case "kind":
		return []string{string(r.Kind)}
	}
	for _, f := range r.Findings {
		switch {
		case name == "rule":
			values = append(values, f.Rule)
		case name == "file" && f.At != nil:
			values = append(values, f.At.Path)
		}
	}
	return values
}

// printRows prints the answers of a question as CSV.
func (a *app) printRows(rows ...[]string) error { return a.put(formatCSV, []byte(render.CSV(rows...))) }

var captureColumns = []string{"id", "time", "status", "tool", "kind", "summary", "command", "dir", "branch", "commit", "dirty", "agent", "session", "exit", "duration_ms", "bytes", "object", "findings"}

// captureRow is a capture as a row of CSV.
func captureRow(hit *recall.Hit) []string {
	rec, r := hit.Record, hit.Result
	git, by, raw := manifest.Git{}, manifest.By{}, manifest.Raw{}
	dirty, exit := "", ""
	if rec.Git != nil {
		if git, dirty = *rec.Git, "unknown"; git.Dirty != nil {
			dirty = map[bool]string{true: "yes", false: "no"}[*git.Dirty]
		}
	}
	if rec.By != nil {
		by = *rec.By
	}
	if rec.Raw != nil {
		raw = *rec.Raw
	}
	if rec.Exit != nil {
		exit = strconv.Itoa(*rec.Exit)
	}
	r = cmp.Or(r, &result.ToolResult{})
	return []string{
		rec.ID, rec.Time.Format(manifest.TimeLayout), string(r.Status), r.Tool, string(r.Kind), r.Summary, recall.CommandLine(rec), rec.Dir, git.Branch, git.Commit, dirty,
		by.Agent, by.Session, exit, strconv.FormatInt(rec.DurationMS, 10), strconv.FormatInt(raw.Size, 10), raw.OID, strconv.Itoa(max(r.Truncated.FindingsTotal, len(r.Findings))),
	}
}

// sightingColumns and findingColumns are column names of CSV.
var (
	sightingColumns = []string{"run", "time", "branch", "commit", "agent", "status"}
	findingColumns  = []string{"fingerprint", "severity", "location", "rule", "test", "message"}
)

func sightingRow(s recall.Sighting) []string {
	return []string{s.Run, s.Time.Format(manifest.TimeLayout), s.Branch, s.Commit, s.Agent, string(s.Status)}
}

func findingRow(f result.Finding) []string {
	return []string{f.Fingerprint, string(f.Severity), f.Location, f.Rule, f.ID, f.Message}
}
