package report

import (
	"io"
	"strconv"

	"cairn/render"
)

// csv writes one row per finding (RFC 4180), including those that are gone, and one row for each run without findings.
func csv(w io.Writer, r *Report) error {
	rows := [][]string{{"run", "time", "command", "status", "state", "severity", "kind", "id", "rule", "path", "line", "column", "message", "expected", "actual", "fingerprint", "commit", "branch", "verdict", "findings_not_shown"}}
	row := func(run *Run, f Finding) {
		path, line, column := "", 0, 0
		if at := f.at(); at != nil {
			path, line, column = at.Path, at.Line, at.Column
		}
		rows = append(rows, []string{
			run.ID, run.Time.UTC().Format("2006-01-02T15:04:05Z"), run.Command, string(run.Status), string(f.State), string(f.Severity), string(f.Kind), f.ID, f.Rule,
			path, number(line), number(column), f.Message, f.Expected, f.Actual, f.Fingerprint, run.Commit, run.Branch, run.Verdict, number(run.Hidden),
		})
	}
	for _, run := range r.Latest() {
		for _, list := range [][]Finding{run.Findings, run.Away} {
			for _, f := range list {
				row(run, f)
			}
		}
		if len(run.Findings)+len(run.Away) == 0 {
			row(run, Finding{})
		}
	}
	_, err := io.WriteString(w, render.CSV(rows...))
	return err
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
