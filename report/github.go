package report

import (
	"fmt"
	"io"
	"strings"

	"cairn/result"
)

// How many annotations GitHub shows of a step and of a job; further ones are dropped silently:
// https://docs.github.com/en/rest/checks/runs and https://github.com/orgs/community/discussions/26680.
const (
	StepLimit = 10 // of each level
	JobLimit  = 50
)

// GitHub writes annotations as workflow commands
// (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands).
// Its fields bound the annotations of each level and of all levels. New and most severe findings come first, and a last
// line counts those left out.
type GitHub struct{ Errors, Warnings, Notices, All int }

// Write writes the report.
func (g GitHub) Write(w io.Writer, r *Report) error {
	_, err := g.Annotate(w, r)
	return err
}

// take says whether a level has room for one more, and if so counts it in written.
func (g GitHub) take(level string, written *GitHub) bool {
	n, most := &written.Errors, g.Errors
	switch level {
	case "warning":
		n, most = &written.Warnings, g.Warnings
	case "notice":
		n, most = &written.Notices, g.Notices
	}
	if *n >= most || written.All >= g.All {
		return false
	}
	*n++
	written.All++
	return true
}

// Annotate writes the report and returns how many annotations it wrote.
func (g GitHub) Annotate(w io.Writer, r *Report) (written GitHub, err error) {
	var b strings.Builder
	not := 0
	for _, f := range r.Findings() {
		if level := levelOf(f.Severity).word; g.take(level, &written) {
			b.WriteString(command(level, placed(f), titleOf(f), f.Message+valuesOf(f)))
		} else {
			not++
		}
	}
	for _, run := range r.Latest() { // a failure that no finding shows
		not += run.Hidden
		if run.Untold() {
			if g.take("error", &written) {
				b.WriteString(command("error", nil, run.Command, run.Verdict))
			} else {
				not++
			}
		}
	}
	if not > 0 {
		fmt.Fprintf(&b, "cairn: %s not annotated, since GitHub shows so many only; the summary of the job and the record have them\n", result.Count(not, "more finding"))
	}
	_, err = io.WriteString(w, b.String())
	return written, err
}

// titleOf is the state and the subject of a finding; "" if it has neither.
func titleOf(f Finding) string {
	title := f.name()
	switch {
	case title == f.Message:
		return string(f.State)
	case f.State != "":
		title = string(f.State) + ": " + title
	}
	return title
}

func valuesOf(f Finding) string {
	if f.Expected == "" && f.Actual == "" {
		return ""
	}
	return fmt.Sprintf("\nexpected %s\nactual %s", f.Expected, f.Actual)
}

// placed are the properties of a workflow command for the place.
func placed(f Finding) (where []string) {
	at := f.at()
	if at == nil || at.External {
		return nil
	}
	where = []string{"file=" + property(at.Path)}
	for _, p := range []struct {
		name string
		n    int
	}{{"line", at.Line}, {"endLine", at.EndLine}, {"col", at.Column}} {
		if p.n > 0 {
			where = append(where, fmt.Sprintf("%s=%d", p.name, p.n))
		}
	}
	return where
}

// command is one workflow command. The escapes are those of @actions/core.
func command(level string, properties []string, title, message string) string {
	if title != "" {
		properties = append(properties, "title="+property(cut(title, 200)))
	}
	return strings.TrimSpace("::"+level+" "+strings.Join(properties, ",")) + "::" + data(cut(message, 2000)) + "\n"
}

func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
