package own

import (
	"fmt"
	"slices"
	"strings"

	"cairn/result"
)

// Says describes a rule in one line.
func (r *Rule) Says() string {
	var what string
	switch {
	case r.ParseAs != "":
		what = "read as " + r.ParseAs
	case r.module:
		what = "node runs " + r.Run[0]
		if strings.HasSuffix(r.Run[0], "ts") {
			what += " (" + nodeForTS + ")"
		}
	case r.Asks():
		what = "runs " + strings.Join(r.Run, " ")
	default:
		what = fmt.Sprintf("%d line formats", len(r.Lines)+len(r.Efm))
	}
	when := []string{}
	if len(r.Words) > 0 {
		when = append(when, "has the words "+strings.Join(r.Words, " "))
	}
	if r.Regex != "" {
		when = append(when, "matches "+r.Regex)
	}
	return result.CleanLine(fmt.Sprintf("where a command %s: %s", strings.Join(when, " and "), what))
}

// Lost are the failures in the result without the rule that the result with it lacks.
func Lost(with, without *result.ToolResult) (lost []string) {
	if good(with.Status) && !good(without.Status) {
		lost = append(lost, fmt.Sprintf("the status %s, now %s", without.Status, with.Status))
	}
	known := map[string]bool{}
	for line := range strings.Lines(with.Body) {
		known[strings.TrimSpace(line)] = true
	}
	told := func(line string) bool {
		line = strings.TrimSpace(line)
		return known[line] || anyHolds(with.Findings, line)
	}
	for _, f := range without.Findings {
		if (f.Severity == result.SevError || f.Severity == result.SevFailure) && !told(f.Message) && !strings.Contains(with.Body, f.Message) {
			lost = append(lost, f.Message)
		}
	}
	for line := range strings.Lines(without.Body) {
		if alarming(line) && !told(line) {
			lost = append(lost, strings.TrimSpace(line))
		}
	}
	return lost
}

// anyHolds says whether at least one finding of an error holds the words of a line.
func anyHolds(findings []result.Finding, line string) bool {
	return slices.ContainsFunc(findings, func(f result.Finding) bool {
		return (f.Severity == result.SevError || f.Severity == result.SevFailure) && holds(f, line)
	})
}

func good(s result.Status) bool { return s == result.Passed || s == result.OK }
