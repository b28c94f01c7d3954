package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cairn/render"
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

// vim writes one line per finding, as render.VimLine does. Paths are relative to the reader's directory. Findings are
// in the order of the runs: one without a place stays after its predecessor in the output.
func vim(w io.Writer, r *Report) error {
	here := &result.ToolResult{}
	if r.Rel != "." {
		here.Dir = r.Rel
	}
	for _, run := range r.Latest() {
		for _, f := range run.Findings {
			if _, err := fmt.Fprintln(w, render.VimLine(here.LocalFinding(f.Finding))); err != nil {
				return err
			}
		}
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			if _, err := fmt.Fprintln(w, result.CleanLine("cairn: "+run.Command+": "+run.Verdict)); err != nil {
				return err
			}
		}
	}
	return nil
}

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

// rdjson writes Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf.
func rdjson(w io.Writer, r *Report) error {
	type position struct {
		Line   int `json:"line,omitempty"`
		Column int `json:"column,omitempty"`
	}
	type span struct {
		Start position  `json:"start"`
		End   *position `json:"end,omitempty"`
	}
	type place struct {
		Path  string `json:"path"`
		Range *span  `json:"range,omitempty"`
	}
	type rule struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	type source struct {
		Name string `json:"name"`
		URL  string `json:"url,omitempty"`
	}
	type diagnostic struct {
		Message  string  `json:"message"`
		Location *place  `json:"location,omitempty"`
		Severity string  `json:"severity"`
		Source   *source `json:"source,omitempty"`
		Code     *rule   `json:"code,omitempty"`
	}
	all := []diagnostic{}
	for _, f := range r.Findings() {
		d := diagnostic{Message: f.Message, Severity: levelOf(f.Severity).rdjson, Source: &source{Name: f.Run.Tool}}
		if f.ID != "" {
			d.Message = f.ID + ": " + f.Message
		}
		if f.State != "" {
			d.Message = "[" + string(f.State) + "] " + d.Message
		}
		if f.Rule != "" {
			d.Code = &rule{f.Rule, f.RuleURL}
		}
		if at := f.at(); at != nil {
			d.Location = &place{Path: at.Path}
			if at.Line > 0 {
				d.Location.Range = &span{Start: position{at.Line, at.Column}}
				if at.EndLine > 0 {
					d.Location.Range.End = &position{at.EndLine, at.EndColumn}
				}
			}
		}
		all = append(all, d)
	}
	for _, run := range r.Latest() {
		if run.Untold() || run.Failed() && run.Hidden > 0 {
			all = append(all, diagnostic{Message: run.Verdict, Severity: "ERROR", Source: &source{Name: run.Tool}})
		}
	}
	return writeJSON(w, struct {
		Source      source       `json:"source"`
		Severity    string       `json:"severity"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}{source{Name: "cairn"}, "ERROR", all})
}

// teamcity writes service messages, https://www.jetbrains.com/help/teamcity/service-messages.html: a suite of tests for a
// test run, and inspections for all else. If a run failed, a last message makes the build fail.
func teamcity(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, run := range r.Latest() {
		suite := run.Kind == result.Test
		if suite {
			message(&b, "testSuiteStarted", "name", run.Command)
		}
		for _, t := range run.cases() {
			switch {
			case t.finding != nil && !(suite && t.failed()):
				inspection(&b, t)
			default:
				testMessages(&b, t)
			}
		}
		if suite {
			message(&b, "testSuiteFinished", "name", run.Command)
		}
		if run.Failed() {
			message(&b, "buildProblem", "description", cut(run.Command+": "+run.Verdict, 4000), "identity", cut("cairn-"+run.Tool, 60))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func testMessages(b *strings.Builder, t told) {
	message(b, "testStarted", "name", t.ID)
	switch f := t.finding; {
	case t.skipped():
		message(b, "testIgnored", "name", t.ID, "message", t.Outcome)
	case f != nil && (f.Expected != "" || f.Actual != ""):
		message(b, "testFailed", "type", "comparisonFailure", "name", t.ID, "message", f.Message, "details", f.Location+"\n"+f.trace(), "expected", f.Expected, "actual", f.Actual)
	case f != nil:
		message(b, "testFailed", "name", t.ID, "message", f.Message, "details", f.Location+"\n"+f.trace())
	}
	if t.Duration >= 0 {
		message(b, "testFinished", "name", t.ID, "duration", strconv.FormatInt(t.Duration, 10))
	} else {
		message(b, "testFinished", "name", t.ID)
	}
}

func inspection(b *strings.Builder, t told) {
	f := t.finding
	rule := cut(f.name(), 200)
	message(b, "inspectionType", "id", rule, "name", rule, "category", cut(t.run.Tool, 200), "description", rule)
	path, line := t.run.Dir, 0
	if at := f.at(); at != nil {
		path, line = at.Path, at.Line
	}
	severity := map[int]string{0: "ERROR", 1: "WARNING", 2: "INFO"}[levelOf(f.Severity).rank]
	message(b, "inspection", "typeId", rule, "message", cut(f.Message, 4000), "file", path, "line", strconv.Itoa(line), "SEVERITY", severity)
}

// message is one service message; pairs are names and values.
func message(b *strings.Builder, name string, pairs ...string) {
	b.WriteString("##teamcity[" + name)
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(b, " %s='%s'", pairs[i], escaped(pairs[i+1]))
	}
	b.WriteString("]\n")
}

// escaped escapes a value: characters outside of ASCII are written by their number, as TeamCity requires.
func escaped(s string) string {
	s = strings.NewReplacer("|", "||", "'", "|'", "[", "|[", "]", "|]", "\n", "|n", "\r", "|r").Replace(s)
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff: // its numbers have four digits
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "|0x%04x", r)
		}
	}
	return b.String()
}
