package engine

import (
	"fmt"

	"cairn/result"
)

// addUnseen makes a finding of failures that a test tool counts but its output
// does not show, as behind "| tail", whose exit code says nothing of them.
// Without it such a run would pass for a success. On a failing exit the status
// says it already.
func addUnseen(parts []*claim, exit result.Exit) {
	if failing(exit) {
		return
	}
	for _, m := range parts {
		n := m.report.Claimed - m.report.Failures()
		if m.parser.Kind != result.Test || n <= 0 {
			continue
		}
		m.report.Findings = append(m.report.Findings, result.Finding{
			Kind: result.GenericFinding, Severity: result.SevFailure, ID: m.parser.Tool,
			Message: fmt.Sprintf("%s: failed, but not shown in this output: %d", m.parser.Tool, n),
			RawSpan: m.closing(),
		})
		m.report.Doubt = "failures are counted that are not shown"
	}
}

// closing is where the last of what a tool printed stands: its counts.
func (m *claim) closing() *result.Span {
	if m.span != nil {
		return &result.Span{Start: m.span.Start, End: m.span.End} // of a task
	}
	if n := len(m.report.Covered); n > 0 {
		last := m.report.Covered[n-1]
		return &last
	}
	return nil
}
