package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"cairn/result"
)

// junit writes JUnit XML in the form that readers expect, https://github.com/testmoapp/junitxml: one suite per run.
// Counts are of the cases that are written, since readers count those; the tool's own counts, and how many are left
// out, are properties. The XML is not written by encoding/xml, so that empty attributes can be left out.
func junit(w io.Writer, r *Report) error {
	x := &xmlWriter{}
	for _, run := range r.Latest() {
		x.suite(run)
	}
	head := tag("testsuites", append(x.attributes(tally{})[:6], "name", "cairn")...) // without the attribute for skipped cases, which testsuites does not have
	_, err := io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<"+head+">\n"+x.suites.String()+"</testsuites>\n")
	return err
}

// xmlWriter has the finished suites, and the cases of the current one.
type xmlWriter struct {
	suites, cases strings.Builder
	tally
}

// tally counts cases.
type tally struct{ tests, failures, errors, skipped int }

func (t tally) attributes(before tally) []string {
	return []string{
		"tests", strconv.Itoa(t.tests - before.tests), "failures", strconv.Itoa(t.failures - before.failures),
		"errors", strconv.Itoa(t.errors - before.errors), "skipped", strconv.Itoa(t.skipped - before.skipped),
	}
}

func (x *xmlWriter) suite(run *Run) {
	x.cases.Reset()
	before := x.tally
	for _, t := range run.cases() {
		x.test(t)
	}
	fmt.Fprintf(&x.suites, "<%s>\n<properties>\n", tag("testsuite", append(x.attributes(before), "name", run.Command,
		"time", seconds(run.Duration), "timestamp", run.Time.UTC().Format("2006-01-02T15:04:05"))...))
	for _, p := range [][2]string{
		{"cairn.run", run.ID}, {"cairn.verdict", run.Verdict}, {"cairn.output", run.OID}, {"cairn.commit", run.Commit},
		{"cairn.branch", run.Branch}, {"cairn.compared_with", run.Base}, {"cairn.findings_not_shown", number(run.Hidden)},
	} {
		if p[1] != "" {
			fmt.Fprintf(&x.suites, "<%s/>\n", tag("property", "name", p[0], "value", p[1]))
		}
	}
	x.suites.WriteString("</properties>\n" + x.cases.String() + "</testsuite>\n")
}

func (x *xmlWriter) test(t told) {
	x.tests++
	class, took, path, line := t.run.Tool, "", "", ""
	f := t.finding
	if t.Duration >= 0 {
		took = seconds(t.Duration)
	}
	if f != nil {
		class = cmp.Or(strings.Join(f.Suite, "."), class)
		if at := f.at(); at != nil {
			path, line = at.Path, number(at.Line)
		}
	}
	fmt.Fprintf(&x.cases, "<%s>", tag("testcase", "name", t.ID, "classname", class, "time", took, "file", path, "line", line))
	x.cases.WriteString(x.problem(t) + "</testcase>\n")
}

// problem is the element inside of a test case that says how it failed, or "".
func (x *xmlWriter) problem(t told) string {
	f := t.finding
	switch {
	case t.skipped():
		x.skipped++
		return "<skipped/>"
	case f == nil:
		return ""
	}
	text := f.trace()
	if f.Location != "" {
		text = f.Location + ": " + f.Message + "\n" + text
	}
	name := "failure"
	switch {
	case !t.failed():
		return "<system-out>" + xmlText(string(f.Severity)+": "+text) + "</system-out>"
	case f.Severity == result.SevError:
		name = "error"
		x.errors++
	default:
		x.failures++
	}
	return "<" + tag(name, "message", f.Message, "type", f.Rule) + ">" + xmlText(text) + "</" + name + ">"
}

// tag is an element's name with attributes; empty ones are left out, except name.
func tag(name string, pairs ...string) string {
	text := name
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" || pairs[i] == "name" {
			text += " " + pairs[i] + `="` + strings.ReplaceAll(xmlText(pairs[i+1]), "\n", "&#10;") + `"`
		}
	}
	return text
}

// xmlText escapes text for XML, without the two characters that XML does not allow.
func xmlText(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return 0xfffd
		}
		return r
	}, s))
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

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

// ctrf writes Common Test Report Format 0.0.0, https://ctrf.io/docs/specification/overview. The counts are of the tests
// that are written; a finding that is no test is written as one, as in JUnit XML.
func ctrf(w io.Writer, r *Report) error {
	tests := []ctrfTest{}
	n := map[string]int{"passed": 0, "failed": 0, "skipped": 0, "pending": 0, "other": 0}
	tool := ""
	var start, stop int64
	for _, run := range r.Latest() {
		began := run.Time.UnixMilli()
		if start == 0 || began < start {
			start = began
		}
		stop = max(stop, began+run.Duration)
		if tool != "" && tool != run.Tool {
			tool = "cairn"
		} else {
			tool = run.Tool
		}
		for _, t := range run.cases() {
			one := ctrfOf(run, t)
			n[one.Status]++
			tests = append(tests, one)
		}
	}
	type summary struct {
		Tests   int   `json:"tests"`
		Passed  int   `json:"passed"`
		Failed  int   `json:"failed"`
		Skipped int   `json:"skipped"`
		Pending int   `json:"pending"`
		Other   int   `json:"other"`
		Start   int64 `json:"start"`
		Stop    int64 `json:"stop"`
	}
	type named struct {
		Name string `json:"name"`
	}
	type results struct {
		Tool    named      `json:"tool"`
		Summary summary    `json:"summary"`
		Tests   []ctrfTest `json:"tests"`
	}
	return writeJSON(w, struct {
		Format  string  `json:"reportFormat"`
		Version string  `json:"specVersion"`
		By      string  `json:"generatedBy"`
		Results results `json:"results"`
	}{"CTRF", "0.0.0", "cairn", results{named{cmp.Or(tool, "cairn")}, summary{len(tests), n["passed"], n["failed"], n["skipped"], n["pending"], n["other"], start, stop}, tests}})
}

// ctrfTest is a test in this format.
type ctrfTest struct {
	Name     string            `json:"name"`
	Status   string            `json:"status"`
	Duration int64             `json:"duration"`
	Suite    []string          `json:"suite,omitempty"`
	Message  string            `json:"message,omitempty"`
	Trace    string            `json:"trace,omitempty"`
	Line     int               `json:"line,omitempty"`
	Raw      string            `json:"rawStatus,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Type     string            `json:"type,omitempty"`
	Path     string            `json:"filePath,omitempty"`
	Flaky    bool              `json:"flaky,omitempty"`
	Extra    map[string]string `json:"extra,omitempty"`
}

// ctrfOf converts a test of a run, or a finding that is no test.
func ctrfOf(run *Run, t told) ctrfTest {
	one := ctrfTest{Name: cmp.Or(t.ID, "(no name)"), Status: "passed", Duration: max(t.Duration, 0), Raw: t.Outcome, Type: string(run.Kind), Suite: []string{run.Command}, Extra: map[string]string{"run": run.ID}}
	f := t.finding
	switch {
	case t.skipped():
		one.Status = "skipped"
	case t.failed():
		one.Status = "failed"
	case f != nil:
		one.Status = "other"
	}
	if f != nil {
		one.Message, one.Trace, one.Flaky = f.Message, f.trace(), f.State == Flaky
		if f.Fingerprint != "" {
			one.Extra["fingerprint"] = f.Fingerprint
		}
		if f.State != "" {
			one.Tags = []string{string(f.State)}
		}
		if at := f.at(); at != nil {
			one.Path, one.Line = at.Path, at.Line
		}
	}
	return one
}
