package report

import (
	"cmp"
	"fmt"
	"io"
)

// issue is an element of a code quality report:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type issue struct {
	Description string     `json:"description"`
	CheckName   string     `json:"check_name"`
	Fingerprint string     `json:"fingerprint"`
	Severity    string     `json:"severity"`
	Location    issuePlace `json:"location"`
	Categories  []string   `json:"categories,omitempty"`
	Type        string     `json:"type"`
}

type issuePlace struct {
	Path  string     `json:"path"`
	Lines issueLines `json:"lines"`
}

type issueLines struct {
	Begin int `json:"begin"`
}

// gitlab writes GitLab's code quality report. A finding without a place, and a failure that no finding shows, gets the
// directory in which the command ran as its path, since GitLab ignores issues without one.
func gitlab(w io.Writer, r *Report) error {
	all, seen := []issue{}, map[string]int{}
	add := func(run *Run, i issue, fingerprint string) {
		i.Location.Path, i.Type = cmp.Or(i.Location.Path, run.Dir, "."), "issue"
		if seen[fingerprint]++; seen[fingerprint] > 1 { // GitLab shows only one issue per fingerprint
			fingerprint = fmt.Sprintf("%s-%d", fingerprint, seen[fingerprint])
		}
		i.Fingerprint = fingerprint
		i.Location.Lines.Begin = max(i.Location.Lines.Begin, 1)
		all = append(all, i)
	}
	for _, f := range r.Findings() {
		i := issue{Description: f.name() + ": " + f.Message, CheckName: cmp.Or(f.Rule, f.ID, string(f.Kind)), Severity: levelOf(f.Severity).gitlab}
		if f.name() == f.Message {
			i.Description = f.Message
		}
		if at := f.at(); at != nil {
			i.Location = issuePlace{at.Path, issueLines{at.Line}}
		}
		add(f.Run, i, f.Fingerprint)
	}
	for _, run := range r.Latest() {
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			add(run, issue{Description: run.Verdict, CheckName: run.Tool, Severity: "critical"}, run.ID)
		}
	}
	return writeJSON(w, all)
}
