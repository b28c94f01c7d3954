// Package report describes the results of runs for readers who are not at a terminal: pull requests, CI jobs,
// dashboards, editors, a page in a browser.
//
// # What it promises
//
//   - There is one model, Report, of which every format is made. It comes from records and stored results; output is
//     parsed again only to restore a finding's details.
//   - A run that failed is never written as one that passed, and if findings are left out, their number is given.
//     If a host shows only so many, the new and the most severe ones are kept.
//   - Text of tools is only text in every format: no terminal control, markup, command to a host or formula.
//   - The same model gives the same bytes.
//
// # What a finding is called
//
// New and known are relative to the earlier run of the command that package recall compares with; flaky is a test that
// both failed and passed on one tree; fixed is a finding that the run proves to be gone, and gone one that it merely
// does not show. If there is no certain earlier run, a finding has no state.
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

// State is a finding's state compared with earlier runs.
type State string

// The states of a finding; "" if it was not compared.
const (
	New   State = "new"
	Known State = "known"
	Flaky State = "flaky"
	Fixed State = "fixed"
	Gone  State = "gone"
)

// Report has the results of some runs.
type Report struct {
	Runs    []*Run // the newest first
	Proof   *Proof // nil if not asked for, or if there are no checks
	Rel     string // the reader's directory below the root, to which paths are relative: "src/api"
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
	Unread                   bool // the output was not fully parsed, so there may be more findings

	Older       bool   // the report has a newer run of this command
	Base, Where string // the run that it was compared with, and where that run was made
	Findings    []Finding
	Away        []Finding // fixed and gone
	Why         string    // why gone findings are not called fixed
	Hidden      int       // findings that the record only counts
	Unnamed     int       // findings of the base that are no longer shown and that no record describes
	Was         int64     // median duration of such runs in milliseconds, if this one took much longer; else 0
	Cases       []Case    // each test that ran, if recorded
}

// Finding is a finding with its state.
type Finding struct {
	result.Finding
	State State
	Run   *Run
}

// Case is the outcome of one test.
type Case struct {
	ID       string
	Outcome  string // passed, failed, error, skipped, xfailed, xpassed, flaky, not_run
	Duration int64  // milliseconds; below 0: not known
}

// Failed says whether the status is neither passed nor ok.
func (r *Run) Failed() bool { return r.Status != result.Passed && r.Status != result.OK }

// Untold says whether the run failed although none of its findings is a failure: it has none, or only warnings.
func (r *Run) Untold() bool { return r.Failed() && !slices.ContainsFunc(r.Findings, Finding.fails) }

// Latest are the newest runs of each command, oldest first.
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

// Away are the findings of earlier runs with this state, which the latest do not show.
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

// level is a severity in the words of several formats.
type level struct {
	rank                        int
	word, sarif, rdjson, gitlab string
}

// levelOf is the level of a severity; an unknown one is a failure's.
func levelOf(s result.Severity) level {
	switch s {
	case result.SevWarning:
		return level{1, "warning", "warning", "WARNING", "minor"}
	case result.SevInfo:
		return level{2, "notice", "note", "INFO", "info"}
	}
	return level{0, "error", "error", "ERROR", "major"}
}

// counts counts findings by state; findings that the record only counts have the state "".
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

// name is the subject of a finding: the test, or the rule, or the message.
func (f Finding) name() string { return cmp.Or(f.ID, f.Name, f.Rule, f.Message) }

// at is the finding's place; nil if it has none, as in an audit of dependencies.
func (f Finding) at() *result.Location {
	if f.At == nil || f.At.Path == "" {
		return nil
	}
	return f.At
}

// fails says whether the finding is a failure, not only a warning.
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
