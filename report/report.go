// Package report says what came of some runs, for those who look elsewhere than at a terminal: pull requests, jobs of
// CI, dashboards, editors, a page in a browser.
//
// # What it promises
//
//   - There is one model, Report, and every format is made of it; it comes from records and stored results, and no
//     output is parsed for it but to give a finding its details back.
//   - A run that failed is never written as one that passed, and no finding is left out without a count of what is not
//     shown. Where a host shows so many only, the new ones and the most severe are taken first.
//   - What a tool printed is text in every format: it steers no terminal, is no markup, no command to a host and no formula.
//   - The same model gives the same bytes.
//
// # What a finding is called
//
// New and known are against the earlier run of the command that package recall compares with; flaky is a test that
// failed and passed on one tree, whichever of the two it is; fixed is what the run proves to be gone, and gone what it
// merely does not show any more. Where no earlier run is certain to compare with, a finding is called nothing.
//
// # What goes in
//
// The model, and one small file for each format, which names its specification. It runs nothing and serves nothing.
package report

import (
	"cmp"
	"slices"
	"time"

	"cairn/result"
)

// State is what a finding is against the record.
type State string

// The states of a finding. One that is not compared has none.
const (
	New   State = "new"
	Known State = "known"
	Flaky State = "flaky"
	Fixed State = "fixed"
	Gone  State = "gone"
)

// Report is what some runs came to.
type Report struct {
	Runs    []*Run // the newest first
	Proof   *Proof // nil where it was not asked for, or there are no checks
	Rel     string // where the reader stands below the root, from which paths count: "src/api"
	Version string // of cairn
}

// Run is one run of a command. Its texts are clean: see result.Clean.
type Run struct {
	ID, Command, Dir, Tool   string
	Kind                     result.Kind
	Status                   result.Status
	Verdict                  string // in one line
	Summary                  string // the counts in words
	Exit                     *int
	Time                     time.Time
	Duration                 int64 // milliseconds
	Commit, Branch, Worktree string
	By                       string
	OID                      string // of its output
	Counts                   map[string]int
	Unread                   bool // its output was not fully understood, so there may be more than the findings

	Older       bool   // a newer run of its command is in the report
	Base, Where string // the run that it was compared with, and where that was made
	Findings    []Finding
	Away        []Finding // fixed and gone
	Why         string    // those that are gone are not called fixed
	Hidden      int       // findings that the record only counts
	Unnamed     int       // findings of the base that are not shown any more and that no record describes
	Was         int64     // what runs like this took, in milliseconds, if this one took much longer
	Cases       []Case    // each test that ran, where that was recorded
}

// Finding is a finding with its state.
type Finding struct {
	result.Finding
	State State
	Run   *Run
}

// Case is what one test came to.
type Case struct {
	ID       string
	Outcome  string // passed, failed, error, skipped, xfailed, xpassed, flaky, not_run
	Duration int64  // milliseconds; below 0: not known
}

// Failed says that the run did not do what it was to do.
func (r *Run) Failed() bool { return r.Status != result.Passed && r.Status != result.OK }

// Untold says that the run failed, and that its findings do not say so: it has none, or such as a warning only.
func (r *Run) Untold() bool { return r.Failed() && !slices.ContainsFunc(r.Findings, Finding.fails) }

// Latest are the newest runs of each command, oldest first, as they were made.
func (r *Report) Latest() []*Run {
	var latest []*Run
	for _, run := range slices.Backward(r.Runs) {
		if !run.Older {
			latest = append(latest, run)
		}
	}
	return latest
}

// Findings are those of the latest runs: new ones first, and of these the most severe.
func (r *Report) Findings() []Finding {
	var all []Finding
	for _, run := range r.Latest() {
		all = append(all, run.Findings...)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(stateRank(a.State)-stateRank(b.State), levelOf(a.Severity).rank-levelOf(b.Severity).rank)
	})
	return all
}

// Away are the findings of earlier runs that the latest do not show.
func (r *Report) Away(state State) (away []Finding) {
	for _, run := range r.Latest() {
		for _, f := range run.Away {
			if f.State == state {
				away = append(away, f)
			}
		}
	}
	return away
}

func stateRank(s State) int { return slices.Index([]State{New, "", Known, Flaky}, s) }

// level is a severity in the words of hosts.
type level struct {
	rank                        int
	word, sarif, rdjson, gitlab string
}

// levelOf: a severity that is not known is that of a failure.
func levelOf(s result.Severity) level {
	switch s {
	case result.SevWarning:
		return level{1, "warning", "warning", "WARNING", "minor"}
	case result.SevInfo:
		return level{2, "notice", "note", "INFO", "info"}
	}
	return level{0, "error", "error", "ERROR", "major"}
}

// counts counts findings by state; those that records only count are among the others.
func (r *Report) counts() map[State]int {
	n := map[State]int{}
	for _, run := range r.Latest() {
		for _, list := range [][]Finding{run.Findings, run.Away} {
			for _, f := range list {
				n[f.State] += max(f.Times, 1)
			}
		}
		n[""] += run.Hidden
	}
	return n
}

// name is what a finding is about: the test, or the rule, or what it says.
func (f Finding) name() string { return cmp.Or(f.ID, f.Name, f.Rule, f.Message) }

// at is its place; nil if it has none, as an audit of dependencies.
func (f Finding) at() *result.Location {
	if f.At == nil || f.At.Path == "" {
		return nil
	}
	return f.At
}

// fails says that it is a failure, and more than a warning.
func (f Finding) fails() bool { return levelOf(f.Severity).rank == 0 }

// isTest says whether it is about a test.
func (f Finding) isTest() bool { return f.Kind == result.TestFailure }

// trace is the text of a finding beyond its message.
func (f Finding) trace() string {
	text := ""
	add := func(title, value string) {
		if value != "" {
			text += title + value + "\n"
		}
	}
	add("expected: ", f.Expected)
	add("actual:   ", f.Actual)
	add("", f.Diff)
	add("", f.Detail)
	for _, r := range f.Related {
		place := ""
		if r.At != nil {
			place = r.At.String() + ": "
		}
		add("", place+r.Message)
	}
	if f.Detail == "" {
		for _, frame := range f.Frames {
			add("  at ", frame.String()+" "+frame.Function)
		}
	}
	return text
}
