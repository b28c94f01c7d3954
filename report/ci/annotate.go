package ci

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/report"
)

// annotationsFile says, in a folder that lasts as long as the job, what was annotated: a line a command of cairn's, with
// the name that GitHub gives the step, and how many errors, warnings and notices.
const annotationsFile = "cairn-annotations"

// annotate prints annotations, as many as are left of the step's and the job's.
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

// counted is what the job annotated before, and what this step did.
func counted(name, step string) (job int, mine report.GitHub) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, mine // the first of the job
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
