package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// addUnseen adds a finding for failures that a test tool counts but its output does not show, as with "| tail",
// where the exit code is the pipe's. Otherwise such a run would look successful. On a failing exit the status is
// enough.
func addUnseen(parts []*claim, exit result.Exit) {
	if failing(exit) {
		return
	}
	for _, m := range parts {
		n := m.untold()
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

// untold is how many failures the tool counts that are not findings. Counts that a parser does not compare with its
// findings, because they include suites, are used only if there are no findings.
func (m *claim) untold() int {
	found := m.report.Failures()
	if m.report.Claimed < 0 && found == 0 && m.parser.Kind == result.Test {
		return m.report.Counts["failed"]
	}
	return m.report.Claimed - found
}

// closing is the last line that a tool printed, which holds its counts.
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

// doubtPicked doubts what was read from lines that a search picked, unless the tool's own totals are among them, which
// say how many failed, and each finding has its place.
func (s *Session) doubtPicked(parts []*claim) {
	for _, m := range parts {
		_, counted := m.report.Counts["failed"]
		totals := m.report.Complete && (m.report.Claimed > 0 || counted)
		placed := !slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool { return f.At == nil || f.At.Line == 0 })
		if m.file == "" && !m.exact && !(totals && placed) && (s.command.Picked(m.parser.Matches) || s.command.AllPicked()) {
			m.report.Doubt, m.partly = cmp.Or(m.report.Doubt, "a search picked these lines of the output"), m.partly || !totals
		}
	}
}

// doubtCut doubts that all is well if the command line left out the end of the output.
func (s *Session) doubtCut(parts []*claim) {
	for _, m := range parts {
		if m.file == "" && max(m.report.Failures(), m.report.Claimed) <= 0 && s.command.EndLost(s.stats.lines) {
			m.report.Doubt = cmp.Or(m.report.Doubt, "the command line leaves out the end of the output")
		}
	}
}

// picked reports whether the output has only lines that a search picked of what a test runner, a linter or the like
// printed.
func (s *Session) picked(parts []*claim) bool {
	judges := func(p *tool.Parser) bool { return speaksForItself(p.Kind) }
	return s.command.AllPicked() && (len(parts) > 0 || slices.ContainsFunc(s.named, judges))
}

// cutShort makes a part of what "| tail" left of a tool's output, if the tool's own parser recognises nothing: from
// the counts of failures at the end, or from a last line that reports a failure. It is nil without either. The exit
// code of such a command line is another command's.
func (s *Session) cutShort(parts []*claim, exit result.Exit) []*claim {
	if slices.ContainsFunc(parts, func(m *claim) bool { return len(m.report.Findings) > 0 || m.report.Claimed > 0 }) {
		return nil
	}
	if failing(exit) || s.stats.binary {
		return nil
	}
	p := s.cutTool(parts)
	if p == nil {
		return nil
	}
	last := s.lastLines(term.Both)
	asked := !p.Runner && slices.Contains(s.named, p) && s.command.EndShown(p.Matches)
	says := failedLine(parts, last, asked)
	if says < 0 && p.Kind == result.Test && s.command.Picked(p.Matches) {
		says = slices.IndexFunc(last, func(l endLine) bool { return failMark().MatchString(l.text) })
	}
	if says >= 0 {
		rep := tool.NewReport()
		rep.Add(result.Finding{
			Kind: result.GenericFinding, Severity: result.SevFailure, ID: p.Tool,
			Message: strings.TrimSpace(last[says].text), RawSpan: &last[says].at,
		})
		for _, m := range parts {
			if m.parser == p {
				maps.Copy(rep.Counts, m.report.Counts)
			}
		}
		rep.Doubt = "only the end of the output is there"
		return []*claim{{parser: p, format: &tool.Format{Name: "text"}, stream: term.Stdout, report: rep}}
	}
	return nil
}

// addStatusTold handles a line that prints the exit status of what it ran, as with echo "exit: $?", or in which dash or ksh
// says that a signal ended a command, and then exits 0: this becomes a finding if no tool reports a failure.
func (s *Session) addStatusTold(parts []*claim, exit result.Exit) []*claim {
	if failing(exit) || s.stats.binary || len(s.command.Listed) < 2 {
		return parts
	}
	if slices.ContainsFunc(parts, func(m *claim) bool { return m.report.Claimed > 0 || slices.ContainsFunc(m.report.Findings, saysNo) }) {
		return parts
	}
	last := s.lastLine(term.Stdout) // where echo prints, and not what another stream says later
	said := fmt.Sprintf("exit status %d", s.command.StatusTold(cmp.Or(s.in.Shell, strings.Join(s.in.Argv, " ")), last.text))
	if said == "exit status 0" && s.stats.bytes <= maxCalm && !s.command.OnlyShows() {
		term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
			if text := strings.TrimSpace(string(l.Text[:min(len(l.Text), 2*maxMark)])); signalForm().MatchString(text) {
				said, last.at = text, result.Span{Start: l.Start, End: l.End}
			}
			return said == "exit status 0"
		})
	}
	if said == "exit status 0" {
		return parts
	}
	if len(parts) == 0 {
		parts = []*claim{{parser: s.program(nil), format: &tool.Format{Name: "lines"}, stream: term.Stdout, shape: true, report: tool.NewReport()}}
	}
	m := parts[len(parts)-1]
	m.report.Add(result.Finding{Kind: result.GenericFinding, Severity: result.SevFailure, Message: said, RawSpan: &last.at})
	if !m.shape {
		m.report.Doubt = "the command line tells an end that the output does not explain"
	}
	return parts
}

// cutTool is the tool of whose output a pipe left the end, or lines that a search picked: a tool that the command
// names, or one that ended its output with its closing line.
func (s *Session) cutTool(parts []*claim) *tool.Parser {
	for _, p := range s.named {
		if !p.Runner && speaksForItself(p.Kind) && (s.command.EndShown(p.Matches) || s.command.Picked(p.Matches)) {
			return p
		}
	}
	for _, m := range parts {
		if !m.shape && m.report.Complete && speaksForItself(m.parser.Kind) && s.command.EndShown(shell.PrintsOwn) {
			return m.parser
		}
	}
	return nil
}

// speaksForItself reports whether tools of this kind print what they found themselves. Others, such as git log and
// curl, show what somebody else wrote.
func speaksForItself(kind result.Kind) bool {
	switch kind {
	case result.Test, result.Lint, result.Typecheck, result.Build, result.Format, result.Security, result.Pipeline:
		return true
	}
	return false
}

// failedLine is the index of the last line that says that the tool failed; -1 without one. If the tool has reported
// its tests' outcomes, only the last few lines count: titles and output of passed tests may hold any word.
func failedLine(parts []*claim, last []endLine, named bool) int {
	from := 0
	told := slices.ContainsFunc(parts, func(m *claim) bool { return m.report.Complete && m.report.Tested })
	if told {
		from = max(0, len(last)-lastWords)
	}
	for i := from; i < len(last); i++ {
		l := last[i]
		if read.FailuresIn(l.text) > 0 || closes(parts, l) && failedWord().MatchString(noneFailed().ReplaceAllString(l.text, "")) {
			return i
		}
	}
	n := len(last) - 1
	for n > 0 && strings.HasPrefix(strings.TrimSpace(last[n].text), "at ") {
		n-- // skip the stack below an exception
	}
	if !named || n < 0 || last[n].alarm < 0 || told || !saysNoWord(last[n].text) {
		return -1
	}
	return n
}

// saysNoWord reports whether the line by itself reports a failure. Warnings and names of functions in a stack do
// not count.
func saysNoWord(line string) bool {
	line = strings.TrimSpace(noneFailed().ReplaceAllString(line, ""))
	return wrongWord().MatchString(line) && !strings.HasPrefix(line, "at ") && !warningWord().MatchString(line)
}

// lastWords is how many lines a test runner's counts take, with the times and the seed below them.
const lastWords = 4

// closes reports whether the line is part of a complete report.
func closes(parts []*claim, l endLine) bool {
	return slices.ContainsFunc(parts, func(m *claim) bool {
		return m.report.Complete && slices.ContainsFunc(m.report.Covered, func(c result.Span) bool { return c.Start <= l.at.Start && l.at.Start < c.End })
	})
}

var (
	failMark   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ ?FAIL(ED|URE)?[: ] *\S*[./:]\S*`) })
	failedWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(fail(ed|ure)?|errors? occurred)\b`) })
	wrongWord  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(errors?|fail(s|ed|ing|ures?)?|fatal|panic(ked)?|exception|traceback|abort(ed)?|killed|cannot|could not|unable|denied|refused|segmentation fault|not ok)\b|[a-z](Error|Exception)\b`)
	})
	signalForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:ksh: \d+: )?(?:(?:Segmentation|Memory) fault|Aborted|Bus error|Illegal instruction|Floating point exception|Killed)(?: ?\(core ?dump(?:ed)?\))?$`)
	})
	warningWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(warn(ings?)?|wrn|deprecated)\b`) })
	noneFailed  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(0|no|ignored) +(\w+ +)?(fail(ed|ing|ures?)?|errors?)\b|\bfail(ed|ing|ures?)? *[:= ] *0\b`)
	})
)

// lastLine is the last one of lastLines.
func (s *Session) lastLine(of term.Stream) endLine {
	if last := s.lastLines(of); len(last) > 0 {
		return last[len(last)-1]
	}
	return endLine{alarm: -1}
}

// endLine is one of the lines with which an output ends.
type endLine struct {
	text  string
	alarm int // see RawLine.Alarm
	at    result.Span
}

// endLines is how many last lines of an output are searched for counts.
const endLines = 12

// lastLines returns the last lines of a stream, or of the output, that are not blank.
func (s *Session) lastLines(of term.Stream) (last []endLine) {
	term.RawLines(s.in.Source, of, func(l term.RawLine) bool {
		if scan.NewScanner().Look(&l); len(bytes.TrimSpace(l.Text)) > 0 {
			if len(last) == endLines {
				last = last[:copy(last, last[1:])]
			}
			last = append(last, endLine{string(l.Text), l.Alarm, result.Span{Start: l.Start, End: l.End}})
		}
		return true
	})
	return last
}
