package ci

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cairn/report"
)

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
