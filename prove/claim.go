package prove

import (
	"time"

	"cairn/result"
)

// State is what is so of a check, in one word; see the package.
type State string

// The states, the worst first.
const (
	Missing  State = "missing"
	Stale    State = "stale"
	Failed   State = "failed"
	Weakened State = "weakened"
	Unread   State = "unread"
	Proven   State = "proven"
)

// Why a check is not proven, or less than it seems: the values of Reason.Why.
const (
	WhyNotRun      = "not_run"         // no run of it on this tree
	WhyChanged     = "changed"         // these files changed since it passed
	WhyCommit      = "not_the_commit"  // it ran on an equal tree, but not on the commit, and the check asks for that
	WhyFailed      = "failed"          // the run did not pass
	WhyNarrower    = "narrower"        // another command of the tool ran: a selection, other options
	WhySwallowed   = "exit_swallowed"  // the line throws the exit status away
	WhyLine        = "line_prepares"   // the line sets variables, defines commands or reads scripts before it
	WhyProgram     = "another_program" // another file of the program's name was run
	WhyRetried     = "retried"         // on the same tree it failed, too
	WhyEarly       = "ended_early"     // it was cut short, or ran no test
	WhyReport      = "old_report"      // a report that the command names is not of this run
	WhyGone        = "tests_gone"      // tests ran at the base that are not there any more
	WhySkipped     = "tests_skipped"   // tests ran at the base that are skipped now
	WhyConfig      = "config_changed"  // what decides the check was changed against the base
	WhyChecks      = "checks_changed"  // its declaration was changed or removed against the base
	WhySnapshots   = "snapshots"       // expected outputs were written anew against the base
	WhyEnvironment = "environment"     // other programs or defaults than the run at the base had
	WhyClock       = "clock"           // the record is from the future
	WhyNotKept     = "not_kept"        // its output was never kept here
	WhyExitOnly    = "exit_only"       // what it printed could not be read
)

// Reason is one of the reasons for a state.
type Reason struct {
	Why   string   `json:"why"`
	Text  string   `json:"text"`
	Files []string `json:"files,omitempty"` // at most mostFiles
	Tests []string `json:"tests,omitempty"` // at most mostFiles
	More  int      `json:"more,omitempty"`  // files or tests that are not listed
	Run   string   `json:"run,omitempty"`   // another run than the claim's that shows it
}

// mostFiles bounds Reason.Files.
const mostFiles = 20

// about gives a reason its files.
func (r Reason) about(files []string) Reason {
	r.More = max(len(files)-mostFiles, 0)
	r.Files = files[:len(files)-r.More]
	return r
}

// Claim is a check and what is so of it.
type Claim struct {
	Check
	State   State          `json:"state"`
	Reasons []Reason       `json:"reasons,omitempty"`
	Run     string         `json:"run,omitempty"` // the newest that counts
	Stage   int            `json:"stage,omitempty"`
	Time    *time.Time     `json:"time,omitempty"`
	RawOID  string         `json:"raw_oid,omitempty"`
	Status  result.Status  `json:"status,omitempty"`
	Exit    *int           `json:"exit,omitempty"`
	Counts  map[string]int `json:"counts,omitempty"`
	Ran     string         `json:"ran,omitempty"` // the command line of Run, where it is not the check's
}

// Answer is what Ask gives.
type Answer struct {
	Tree   string  `json:"tree"`
	Commit string  `json:"commit,omitempty"`
	Base   string  `json:"base,omitempty"` // the commit that weakened compares with
	Here   bool    `json:"working_tree"`
	Proven bool    `json:"proven"` // all of them, and there is one
	Checks []Claim `json:"checks"`
}

// Count is how many checks are in a state.
func (a *Answer) Count(s State) (n int) {
	for _, c := range a.Checks {
		if c.State == s {
			n++
		}
	}
	return n
}

// WouldHelp says whether running the command of a check could prove it: where it ran on this
// tree and failed, or passed and is weakened by what is in the tree, running it once more is
// a retry.
func (c *Claim) WouldHelp() bool {
	switch c.State {
	case Missing, Stale:
		return true
	case Weakened:
		for _, r := range c.Reasons {
			switch r.Why {
			case WhyNarrower, WhySwallowed, WhyLine, WhyProgram, WhyEarly, WhyReport, WhyNotKept, WhyClock:
			default:
				return false
			}
		}
		return true
	}
	return false
}
