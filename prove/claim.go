package prove

import (
	"time"

	"cairn/result"
)

// State is the state of a check; see the package comment.
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
	WhyNotRun      = "not_run"         // no run on this tree
	WhyChanged     = "changed"         // these files changed since it passed
	WhyCommit      = "not_the_commit"  // it ran on an equal tree, but the check requires the commit itself
	WhyFailed      = "failed"          // the run did not pass
	WhyNarrower    = "narrower"        // the tool ran with a selection or other options
	WhySwallowed   = "exit_swallowed"  // the line throws the exit status away
	WhyLine        = "line_prepares"   // the line sets variables, defines commands or reads scripts before it
	WhyProgram     = "another_program" // another file with the program's name ran
	WhyRetried     = "retried"         // it also failed on the same tree
	WhyEarly       = "ended_early"     // it was cut short, or ran no test
	WhyReport      = "old_report"      // a report that the command names is not of this run
	WhyGone        = "tests_gone"      // tests of the base run are missing
	WhySkipped     = "tests_skipped"   // tests of the base run are skipped
	WhyConfig      = "config_changed"  // the check's configuration was changed since the base
	WhyChecks      = "checks_changed"  // the declaration was changed or removed since the base
	WhySnapshots   = "snapshots"       // expected outputs were rewritten since the base
	WhyEnvironment = "environment"     // the base run had other programs or defaults
	WhyClock       = "clock"           // the record is from the future
	WhyNotKept     = "not_kept"        // its output was never stored here
	WhyExitOnly    = "exit_only"       // its output could not be parsed
)

// Reason is one reason for a state.
type Reason struct {
	Why   string   `json:"why"`
	Text  string   `json:"text"`
	Files []string `json:"files,omitempty"` // at most mostFiles
	Tests []string `json:"tests,omitempty"` // at most mostFiles
	More  int      `json:"more,omitempty"`  // files or tests that are not listed
	Run   string   `json:"run,omitempty"`   // another run that shows the reason
}

// mostFiles bounds Reason.Files.
const mostFiles = 20

// about sets the files of a reason.
func (r Reason) about(files []string) Reason {
	r.More = max(len(files)-mostFiles, 0)
	r.Files = files[:len(files)-r.More]
	return r
}

// Claim is a check and its state.
type Claim struct {
	Check
	State   State          `json:"state"`
	Reasons []Reason       `json:"reasons,omitempty"`
	Run     string         `json:"run,omitempty"` // the newest run that counts
	Stage   int            `json:"stage,omitempty"`
	Time    *time.Time     `json:"time,omitempty"`
	RawOID  string         `json:"raw_oid,omitempty"`
	Status  result.Status  `json:"status,omitempty"`
	Exit    *int           `json:"exit,omitempty"`
	Counts  map[string]int `json:"counts,omitempty"`
	Ran     string         `json:"ran,omitempty"` // the command line of Run, if it differs from the check's
}

// Answer is the result of Ask.
type Answer struct {
	Tree   string  `json:"tree"`
	Commit string  `json:"commit,omitempty"`
	Base   string  `json:"base,omitempty"` // the commit to compare with for Weakened
	Here   bool    `json:"working_tree"`
	Proven bool    `json:"proven"` // there are checks, and all are proven
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

// WouldHelp says whether running the check's command could prove it. If it failed on this tree, or is weakened by the
// tree itself, running it again would be a retry.
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
