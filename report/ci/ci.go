// Package ci puts a report where a CI host shows it: annotations and the job summary on GitHub and hosts like it,
// reports of code quality and tests on GitLab, service messages on TeamCity.
//
// What it promises: it needs no token and no network, so it works for a fork, too. It stays within the limits of hosts
// (see package report), over all runs of a step and of a job, and says how much is not shown. A failure to write is an
// error, and does not change the command's result.
//
// What goes in: which host it is, and where each expects its reports. Contents and formats are package report's.
package ci

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/report"
)

// Host is the host that runs the job.
type Host struct {
	getenv func(string) string
	name   string
}

// The known hosts.
const (
	gitHub   = "GitHub Actions"
	gitLab   = "GitLab CI"
	teamCity = "TeamCity"
)

// Find recognizes the host by the variables that it sets.
func Find(getenv func(string) string) Host {
	h := Host{getenv: getenv}
	switch {
	case getenv("GITHUB_ACTIONS") == "true": // Gitea and Forgejo set it, too
		h.name = gitHub
	case getenv("GITLAB_CI") != "":
		h.name = gitLab
	case getenv("TEAMCITY_VERSION") != "":
		h.name = teamCity
	}
	return h
}

// Base is the branch that a change under review is to be merged into; "" if there is no review.
func (h Host) Base() string {
	for _, name := range []string{"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"} {
		if base := h.getenv(name); base != "" {
			return base
		}
	}
	return ""
}

// Aside returns lines to print around text of tools, so that the host takes no line of it for a command. The text must
// not contain the token.
func (h Host) Aside(token string) (begin, end string) {
	if h.name != gitHub {
		return "", ""
	}
	return "::stop-commands::" + token + "\n", "::" + token + "::\n"
}

// Publish writes the report of one command of the job. Reports that the host reads from the job's output go to log.
func (h Host) Publish(r *report.Report, log io.Writer) error {
	switch h.name {
	case gitHub:
		return errors.Join(h.annotate(r, log), h.summarise(r))
	case gitLab:
		return h.gitLabReports(r)
	case teamCity:
		return report.Write(log, "teamcity", r)
	}
	return nil
}

// summarise appends to the summary of the step, of which GitHub shows a mebibyte.
func (h Host) summarise(r *report.Report) (err error) {
	name := h.getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing the summary of the job: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	written := int64(0)
	if info, err := f.Stat(); err == nil {
		written = info.Size()
	}
	left := report.SummaryLimit - int(written)
	if left < report.SummaryLeast {
		return fmt.Errorf("the summary of the step is full: %s", report.Headline(r))
	}
	return report.Markdown{Limit: left}.Write(f, r)
}

// gitLabFolder is where GitLab's artifacts:reports finds the reports.
const gitLabFolder = "cairn-report"

// gitLabReports writes one file per command, since a job may run several; artifacts:reports accepts patterns.
func (h Host) gitLabReports(r *report.Report) error {
	dir := filepath.Join(h.getenv("CI_PROJECT_DIR"), gitLabFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making a folder for GitLab's reports: %w", err)
	}
	id := ""
	for _, run := range r.Latest() {
		id = run.ID
	}
	return errors.Join(
		WriteFile("gitlab", filepath.Join(dir, "codequality-"+id+".json"), r),
		WriteFile("junit", filepath.Join(dir, "junit-"+id+".xml"), r),
	)
}

// WriteFile writes a report to a file.
func WriteFile(format, name string, r *report.Report) (err error) {
	f, err := os.Create(name)
	if err == nil {
		err = errors.Join(report.Write(f, format, r), f.Close())
	}
	if err != nil {
		return fmt.Errorf("writing the %s report: %w", format, err)
	}
	return nil
}

// annotationsFile counts annotations, in a folder that lasts as long as the job: one line per command of cairn, with
// GitHub's name of the step, and the numbers of errors, warnings and notices.
const annotationsFile = "cairn-annotations"

// annotate prints annotations, at most as many as the step and the job have left.
func (h Host) annotate(r *report.Report, log io.Writer) error {
	step := strings.Join(strings.Fields(h.getenv("GITHUB_ACTION")), "_") + "_"
	name := ""
	if dir := h.getenv("RUNNER_TEMP"); dir != "" {
		name = filepath.Join(dir, annotationsFile)
	}
	job, mine := counted(name, step)
	left := report.JobLimit - job
	room := func(n int) int { return max(min(report.StepLimit-n, left), 0) }
	g := report.GitHub{Errors: room(mine.Errors), Warnings: room(mine.Warnings), Notices: room(mine.Notices), All: left}
	written, err := g.Annotate(log, r)
	if err != nil || name == "" {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("counting annotations: %w", err)
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, step, written.Errors, written.Warnings, written.Notices)
	return err
}

// counted returns how many annotations the job has printed before, and how many of each level this step has.
func counted(name, step string) (job int, mine report.GitHub) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, mine // this is the first command of the job
	}
	for line := range strings.Lines(string(text)) {
		var of string
		var n report.GitHub
		if _, err := fmt.Sscan(line, &of, &n.Errors, &n.Warnings, &n.Notices); err != nil {
			continue
		}
		job += n.Errors + n.Warnings + n.Notices
		if of == step {
			mine.Errors, mine.Warnings, mine.Notices = mine.Errors+n.Errors, mine.Warnings+n.Warnings, mine.Notices+n.Notices
		}
	}
	return job, mine
}
