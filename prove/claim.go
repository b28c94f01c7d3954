package prove

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/recall"
	"cairn/render"
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

// early says why a run was not complete, if so.
func (j *judge) early(u *use, r *result.ToolResult) (why []Reason) {
	switch {
	case u.whole.Partial || u.rec.Partial:
		why = append(why, Reason{Why: WhyEarly, Text: "its record was cut short"})
	case u.whole.Interrupted != "":
		why = append(why, Reason{Why: WhyEarly, Text: "it was interrupted by " + u.whole.Interrupted})
	case r != nil && r.Kind == result.Test && r.ParserConfidence == result.Parsed && outcomes.Total(r.Counts)-outcomes.LeftOut(r.Counts) <= 0:
		why = append(why, Reason{Why: WhyEarly, Text: "it ran no test"})
	}
	if u.whole.Time.After(j.now.Add(time.Minute)) {
		why = append(why, Reason{Why: WhyClock, Text: "its record is from the future: " + u.whole.Time.Format(time.RFC3339)})
	}
	for _, w := range parsers.WrittenBy(u.rec.Argv, u.rec.Shell) {
		if w.Role == parsers.RoleReport && !slices.ContainsFunc(u.whole.Artifacts, func(a manifest.Artifact) bool {
			return strings.HasSuffix("/"+a.Path, "/"+strings.TrimPrefix(w.Path, "./")) || a.Role == "reports"
		}) {
			why = append(why, Reason{Why: WhyReport, Text: "the report " + short(w.Path) + " was not written by this run"})
		}
	}
	return why
}

// retried finds a failed run on the same tree.
func (j *judge) retried(u *use, all runs) []Reason {
	for _, other := range slices.Concat(all.here, all.related) {
		rec := other.rec
		if other == u || well(rec) || undecided(rec) || rec.Status == result.Error && !rec.TimedOut || other.whole.Interrupted != "" {
			continue // that the command could not run says nothing about the tree
		}
		span := render.Span(int64(u.whole.Time.Sub(other.whole.Time).Abs() / time.Second))
		when := span + " before"
		if other.whole.Time.After(u.whole.Time) {
			when = span + " after"
		}
		return []Reason{{Why: WhyRetried, Text: "on this same tree " + howEnded(rec) + ", " + when + " (" + render.ShortRun(other.whole.ID) + ")", Run: other.whole.ID}}
	}
	return nil
}

// kept says whether the output of a run was never stored, although its record is this clone's.
func (j *judge) kept(u *use) []Reason {
	if u.whole.Elsewhere() || u.whole.Raw == nil || u.whole.Raw.Size == 0 {
		return nil
	}
	id, err := objects.ParseID(u.whole.Raw.OID)
	if err == nil && !j.site.Objects.Has(id) {
		_, err = j.site.Objects.Stat(id)
	}
	if err == nil || !errors.Is(err, objects.ErrNotFound) {
		return nil // an object that was collected had been stored
	}
	return []Reason{{Why: WhyNotKept, Text: "its output was never kept in this clone, whose record it is"}}
}

// Argv is how a check's command is run: as words, or as a line for a shell.
func (c Check) Argv() (argv []string, line string) {
	words := strings.Fields(c.Command)
	if shellLine(c.Command) || strings.Contains(words[0], "=") || words[0] == "!" {
		return nil, c.Command
	}
	return words, ""
}

// Text is the answer in the compact form.
func (a *Answer) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s proven: tree %s", a.Count(Proven), result.Count(int64(len(a.Checks)), "check"), begin(a.Tree))
	if a.Base != "" && a.Base != a.Commit {
		fmt.Fprintf(&b, ", compared with %s", begin(a.Base))
	}
	b.WriteByte('\n')
	return b.String() + a.lines()
}

// lines are one line per check, with its reasons below.
func (a *Answer) lines() string {
	var b strings.Builder
	words, names := len("weakened"), 0
	for _, c := range a.Checks {
		names = max(names, len(c.Name))
	}
	for _, c := range a.Checks {
		fmt.Fprintf(&b, "%-*s  %-*s  %s", words, c.State, names, c.Name, result.CleanLine(c.Command))
		if c.Run != "" {
			fmt.Fprintf(&b, " (%s", render.ShortRun(c.Run))
			if c.Stage > 0 {
				fmt.Fprintf(&b, ".%d", c.Stage)
			}
			if c.RawOID != "" {
				b.WriteString(" " + c.RawOID[:min(len(c.RawOID), len("sha256:")+12)])
			}
			b.WriteByte(')')
		}
		b.WriteByte('\n')
		for _, r := range c.Reasons {
			fmt.Fprintf(&b, "  %s%s\n", result.CleanLine(r.Text), r.files())
		}
	}
	return b.String()
}

// Unproven is Text with only the checks that are not proven.
func (a *Answer) Unproven() string {
	left := *a
	left.Checks = nil
	for _, c := range a.Checks {
		if c.State != Proven {
			left.Checks = append(left.Checks, c)
		}
	}
	return fmt.Sprintf("%d of %s not proven for the files as they are now:\n%s", len(left.Checks), result.Count(int64(len(a.Checks)), "check"), left.lines())
}

// Trailers are lines for a commit message, one per check.
func (a *Answer) Trailers() string {
	var b strings.Builder
	for _, c := range a.Checks {
		words := []string{"Checked:", c.Name, render.ShortRun(c.Run), string(c.State)}
		b.WriteString(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ") + "\n")
	}
	return b.String()
}

// files lists some files and tests of a reason.
func (r Reason) files() string {
	const shown = 5
	all := slices.Concat(r.Files, r.Tests)
	n := min(len(all), shown)
	if n == 0 {
		return ""
	}
	names := make([]string, n)
	for i := range names {
		names[i] = result.CleanLine(all[i])
	}
	text := ": " + strings.Join(names, ", ")
	if more := len(all) - n + r.More; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func begin(oid string) string { return oid[:min(len(oid), 12)] }

// Commands are the command lines that could prove the unproven checks.
func (a *Answer) Commands() (lines []string) {
	for _, c := range a.Checks {
		if !c.WouldHelp() {
			continue
		}
		line := c.Command
		if c.Dir != "" && c.Dir != "." {
			line = "cd " + recall.Quoted(c.Dir) + " && " + line
		}
		lines = append(lines, line)
	}
	return lines
}
