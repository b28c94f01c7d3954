package report

import (
	"fmt"
	"io"
	"strings"

	"cairn/result"
)

// What GitHub shows of the annotations of a step and of a job; the rest it drops without a word:
// https://docs.github.com/en/rest/checks/runs and https://github.com/orgs/community/discussions/26680.
const (
	StepLimit = 10 // of each level
	JobLimit  = 50
)

// GitHub writes annotations as workflow commands
// (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands): at most so many of each level,
// the new and most severe first, and a last line that says how many are not among them.
type GitHub struct{ Errors, Warnings, Notices int }

// Write writes the report.
func (g GitHub) Write(w io.Writer, r *Report) error {
	_, err := g.Annotate(w, r)
	return err
}

// Annotate writes the report and says how many annotations that were.
func (g GitHub) Annotate(w io.Writer, r *Report) (written int, err error) {
	left := map[string]int{"error": g.Errors, "warning": g.Warnings, "notice": g.Notices}
	var b strings.Builder
	not, told := 0, map[*Run]bool{}
	for _, f := range r.Findings() {
		told[f.Run] = true
		level := levelOf(f.Severity).word
		if left[level] == 0 {
			not++
			continue
		}
		left[level]--
		written++
		b.WriteString(command(level, placed(f), titleOf(f), f.Message+valuesOf(f)))
	}
	for _, run := range r.Latest() { // a failure that no finding tells
		switch {
		case !run.Failed() || told[run] && run.Hidden == 0:
		case told[run] || left["error"] == 0:
			not += max(run.Hidden, 1)
		default:
			left["error"]--
			written++
			not += run.Hidden
			b.WriteString(command("error", "", run.Command, run.Verdict))
		}
	}
	if not > 0 {
		fmt.Fprintf(&b, "cairn: %s not annotated, since GitHub shows so many only; the summary of the job and the record have them\n", result.Count(not, "more finding"))
	}
	_, err = io.WriteString(w, b.String())
	return written, err
}

func titleOf(f Finding) string {
	return strings.TrimSpace(strings.TrimSuffix(string(f.State)+": "+f.name(), ": "+f.Message))
}

func valuesOf(f Finding) string {
	if f.Expected == "" && f.Actual == "" {
		return ""
	}
	return fmt.Sprintf("\nexpected %s\nactual %s", f.Expected, f.Actual)
}

// placed are the properties of a workflow command that say where.
func placed(f Finding) string {
	at := f.at()
	if at == nil || at.External {
		return ""
	}
	text := "file=" + property(at.Path)
	for _, p := range []struct {
		name string
		n    int
	}{{"line", at.Line}, {"endLine", at.EndLine}, {"col", at.Column}} {
		if p.n > 0 {
			text += fmt.Sprintf(",%s=%d", p.name, p.n)
		}
	}
	return text + ","
}

// command is one workflow command. The escapes are those of @actions/core.
func command(level, where, title, message string) string {
	return "::" + level + " " + where + "title=" + property(cut(title, 200)) + "::" + data(cut(message, 2000)) + "\n"
}

func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
