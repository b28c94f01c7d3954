package report

import (
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
		if suite := strings.Join(f.Suite, "."); suite != "" {
			class = suite
		}
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
