package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cairn/result"
)

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
