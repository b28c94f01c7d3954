package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/internal/scan"
	"cairn/parsers/internal/term"
	"cairn/parsers/tool"
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
		if m.parser.Kind != result.Test && !exit.Unheard || n <= 0 {
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

// closing is the last line that a tool printed, where its counts stand.
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

// cutShort is what is left of a tool's output behind "| tail" where the tool's own
// parser finds nothing to go by. It is nil unless the last line says that something
// went wrong. The exit code of such a command line is another command's.
func (s *Session) cutShort(parts []*claim, exit result.Exit) []*claim {
	if slices.ContainsFunc(parts, func(m *claim) bool { return len(m.report.Findings) > 0 || m.report.Claimed > 0 }) {
		return nil
	}
	i := slices.IndexFunc(s.named, func(p *tool.Parser) bool { return !p.Runner && s.command.CutShort(p.Matches) })
	if failing(exit) || i < 0 || s.stats.binary {
		return nil
	}
	last := s.lastLine()
	if last.alarm < 0 {
		return nil
	}
	rep := tool.NewReport()
	rep.Add(result.Finding{
		Kind: result.GenericFinding, Severity: result.SevFailure, ID: s.named[i].Tool,
		Message: strings.TrimSpace(last.text), RawSpan: &last.at,
	})
	rep.Doubt = "only the end of the output is there"
	return []*claim{{parser: s.named[i], format: &tool.Format{Name: "text"}, stream: term.Stdout, report: rep}}
}

// lastLine is the line with which an output ends, blank ones aside.
func (s *Session) lastLine() (last struct {
	text  string
	alarm int // see RawLine.Alarm
	at    result.Span
}) {
	last.alarm = -1
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		if scan.NewScanner().Look(&l); len(bytes.TrimSpace(l.Text)) > 0 {
			last.text, last.alarm, last.at = string(l.Text), l.Alarm, result.Span{Start: l.Start, End: l.End}
		}
		return true
	})
	return last
}
