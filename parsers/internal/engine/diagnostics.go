package engine

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// maxShaped bounds how much of an output that no parser knows is read again for diagnostics, in bytes. Errors
// beyond it appear in the text beside the findings, and the result says that they were not counted.
var maxShaped = int64(64 << 20)

// diagnostics reads an output that no tool accounts for: places with messages, and stack traces, are findings
// whatever program prints them.
func (s *Session) diagnostics() []*claim {
	if s.stats.binary {
		return nil
	}
	s.splitMarked()
	if s.rest != nil {
		return s.diagnosticsOfTasks()
	}
	m := s.foreseen
	if s.foreseen = nil; m == nil {
		m = s.newDiagnostics()
		s.run(m, s.shaped())
	}
	if m.report != nil && s.command.Searches() { // a line that a search found has a place, but is no diagnostic
		m.report.Findings = slices.DeleteFunc(m.report.Findings, func(f result.Finding) bool { return f.At != nil && f.At.Line > 0 })
	}
	if m.report == nil || len(m.report.Findings) == 0 {
		return nil
	}
	if s.stats.bytes > maxShaped {
		m.partly = true
		m.report.Doubt = fmt.Sprintf("findings were looked for, and counted, in the first %d MiB of %d", maxShaped>>20, s.stats.bytes>>20)
	}
	return []*claim{m}
}

// maxCalm bounds how much of the output of a run that did not fail is read for findings, in bytes.
const maxCalm = 256 << 10

// foundAnyway returns the findings of a program without a parser that exits 0, as linters do that only advise. Each
// must have a line, a severity or a rule, and a text, or else a severity and a rule, or be a syntax error. Programs
// that show files or other runs are left out.
func (s *Session) foundAnyway() []*claim {
	shows := func(c shell.Command) bool { return !c.Feeds && !shell.PrintsOwn(c.Argv) && !saysPlainly(c.Argv) }
	if s.stats.bytes > maxCalm || s.direct() != nil || s.command.Opaque || shows(s.command) && len(s.command.Listed) == 0 || slices.ContainsFunc(s.command.Listed, shows) {
		return nil
	}
	found := s.diagnostics()
	if len(found) == 0 {
		return nil
	}
	found[0].report.Findings = slices.DeleteFunc(found[0].report.Findings, func(f result.Finding) bool {
		placed := f.At != nil && (f.At.Line > 0 || f.RawSeverity != "" && f.Rule != "")
		told := placed && f.RawSeverity+f.Rule != "" && (found[0].report.Whole || strings.Contains(f.At.Path, "."))
		return !told && !isMisspelt(f) || f.Kind == result.TestFailure || f.Message == "" || f.Message == f.Rule
	})
	if len(found[0].report.Findings) == 0 {
		return nil
	}
	return found
}

// saysPlainly reports whether argv is an echo of words none of which can be a place or come from another command.
func saysPlainly(argv []string) bool {
	return len(argv) > 0 && argv[0] == "echo" && !strings.ContainsAny(strings.Join(argv, " "), "$`:*?")
}

// isMisspelt reports whether a finding is a syntax error at a line and a column, as visudo reports for
// /etc/sudoers.
func isMisspelt(f result.Finding) bool {
	return f.At != nil && f.At.Line > 0 && f.At.Column > 0 && f.Severity == result.SevError && strings.HasPrefix(f.Message, "syntax error")
}

func (s *Session) newDiagnostics() *claim {
	return &claim{parser: s.program(nil), format: &tool.Format{Name: "lines", Parse: read.Unknown}, stream: term.Stdout, shape: true}
}

// shaped is the input that is read for diagnostics.
func (s *Session) shaped() tool.Input {
	in := s.in
	in.Source = bounded{s.in.Source, maxShaped}
	return in
}

// foresee starts reading for diagnostics while the command still runs, once more lines with alarm words have come
// than findings are kept, and no parser claims them.
func (s *Session) foresee() {
	if s.foreseen != nil || s.tasks == nil || len(s.claims) > 0 || s.reducer.alarms <= int64(tool.MaxFindings) {
		return
	}
	m, in := s.newDiagnostics(), s.shaped()
	s.foreseen = m
	s.running.Go(func() { s.run(m, in) })
}

// withDiagnostics adds diagnostics to the findings of runners if nothing else claims the output: a recipe may run
// an unknown program. The runners' own lines are no diagnostics. If a runner names what failed, such as a hook,
// nothing is added: the name says more than any place found in the text.
func (s *Session) withDiagnostics(runners []*claim) []*claim {
	if slices.ContainsFunc(runners, (*claim).namesFailures) {
		return s.withLeft(runners)
	}
	found := s.diagnosticsBeside(runners)
	if len(found) == 0 || len(runners) == 0 {
		return append(found, runners...)
	}
	for _, m := range runners {
		if p := found[0].parser; m.parser.Tool == p.Tool {
			p.Kind, p.Family = m.parser.Kind, m.parser.Family
		}
	}
	return s.withoutRunners(append(found, runners...))
}

// diagnosticsBeside returns the diagnostics with a place that the runners do not mention.
func (s *Session) diagnosticsBeside(runners []*claim) []*claim {
	found := s.diagnostics()
	if len(found) == 0 || len(runners) == 0 || s.rest != nil { // each task was read for diagnostics by itself
		return found
	}
	rep := found[0].report
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f result.Finding) bool {
		return !leads(f) || slices.ContainsFunc(runners, func(m *claim) bool { return m.speaksOf(f) })
	})
	if len(rep.Findings) == 0 {
		return nil
	}
	return found
}

// leads reports whether a finding names a line, or a file of which it says in so many words that it has an error.
func leads(f result.Finding) bool {
	return f.At != nil && (f.At.Line > 0 || f.RawSeverity == "error")
}

// maxLeft bounds the outputs in which errors are searched between the tools' own lines, in bytes.
const maxLeft = 8 << 20

// withLeft adds the findings with a place that no part has: those of compilers and linters without recognisable
// lines, which a project's own script runs before, between or behind other tools. Lines among those of a test
// runner are taken for a test's output, except for lines that only compilers print. The added findings form a
// heuristic part; the other parts do not change.
func (s *Session) withLeft(parts []*claim) []*claim {
	if s.rest != nil {
		return append(parts, s.leftOfTasks()...)
	}
	if len(parts) == 0 || s.stats.binary || s.stats.bytes > maxLeft || s.reducer.alarms == 0 {
		return parts
	}
	if s.ownPart(parts) || slices.ContainsFunc(parts, func(m *claim) bool { return m.shape && m.format.Name == "lines" || m.file != "" }) {
		return parts
	}
	m, sure := s.newDiagnostics(), s.compilerLines()
	m.left = true
	in := s.in
	in.Source, in.Limits = blanked{s.in.Source, coveredOf(slices.Concat(parts, s.muted), sure)}, tool.Limits{} // all are read, then those that are left are chosen
	if s.run(m, in); m.report == nil {
		return parts
	}
	all := m.report.Findings
	m.report = s.in.NewReport()
	m.report.Complete = true
	for _, f := range all {
		if !leads(f) || f.RawSpan == nil {
			continue
		}
		if i := slices.IndexFunc(parts, func(p *claim) bool { return p.isShownBy(f) }); i >= 0 {
			rep := parts[i].report
			rep.Covered = disjoint(append(rep.Covered, *f.RawSpan))
			continue
		}
		path, external := s.in.Workspace.Path(f.At.Path)
		isSure := slices.ContainsFunc(sure, func(line result.Span) bool { return line.Start == f.RawSpan.Start })
		if (isSure || !external || !result.Installed(path)) && !slices.ContainsFunc(parts, func(p *claim) bool { return p.hasTold(f, isSure) }) {
			m.report.Findings, m.report.Covered = append(m.report.Findings, f), append(m.report.Covered, *f.RawSpan)
		}
	}
	if len(m.report.Findings) == 0 {
		return parts
	}
	m.report.Covered, m.at = disjoint(m.report.Covered), m.report.Findings[0].RawSpan.Start
	s.muted = append(s.muted, m)
	return append(parts, m)
}

// ownPart reports whether the command is a tool that has a part: its own parser reads what it prints. This does not
// hold for a git whose hook ran linters.
func (s *Session) ownPart(parts []*claim) bool {
	p := s.direct()
	return p != nil && slices.ContainsFunc(parts, func(m *claim) bool { return m.parser.Tool == p.Tool })
}

// compilerLines finds lines that only compilers print: "src/a.c:3:7: error: text", "src/a.c:3:7: warning: text
// [-Wrule]".
func (s *Session) compilerLines() (lines []result.Span) {
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		warns := bytes.Contains(l.Text, []byte(": warning: ")) && bytes.Contains(l.Text, []byte(" [-W"))
		if !warns && !bytes.Contains(l.Text, []byte("error: ")) {
			return true
		}
		d, ok := read.CutDiagnostic(string(l.Text))
		if ok && d.At.Column > 0 && strings.Contains(d.At.Path, ".") && bytes.HasPrefix(l.Text, []byte(d.At.Path)) && (warns || d.Word == "error" || d.Word == "fatal error") {
			lines = append(lines, result.Span{Start: l.Start, End: l.End})
		}
		return true
	})
	return lines
}

// leastQuoted is the least length, in bytes, of a message that counts as quoted by a longer one: "no" occurs in
// many.
const leastQuoted = 4

// hasTold reports whether the lines of a finding are m's or lie among m's tests, or m has a finding at the same
// place and with no other rule. Lines that only compilers print (sure) count as another tool's wherever they are,
// unless one of m's findings contains them.
func (m *claim) hasTold(f result.Finding, sure bool) bool {
	reach := extent(m.report.Covered)
	among := overlaps(*f.RawSpan, m.report.Covered) || m.parser.Kind == result.Test && reach.Start <= f.RawSpan.Start && f.RawSpan.Start < reach.End
	return among && (!sure || m.report.Dropped > 0) || slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool {
		if sameRule := own.Rule == f.Rule || own.Rule == "" || f.Rule == ""; sameRule && samePlace(own, f) {
			return true
		}
		return own.Message == f.Message || len(f.Message) >= leastQuoted && strings.Contains(own.Message, f.Message)
	})
}

// isShownBy reports whether f is a difference in a file that m, a formatter, has named.
func (m *claim) isShownBy(f result.Finding) bool {
	return m.parser.Kind == result.Format && f.Message == read.Differs && f.Rule == "" &&
		slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool { return own.At != nil && own.At.Path == f.At.Path })
}

// speaksOf reports whether the finding's line is one of m's, or its file is one that m names as the file of its
// steps, as make --trace does.
func (m *claim) speaksOf(f result.Finding) bool {
	return f.RawSpan != nil && overlaps(*f.RawSpan, m.report.Covered) ||
		slices.ContainsFunc(m.report.Findings, func(own result.Finding) bool { return own.At != nil && own.At.Path == f.At.Path })
}

// namesFailures reports whether m has a finding that says more than that a build step failed: one of another
// kind, or one with an id and no place. A recipe of make has a place, but says only that it failed.
func (m *claim) namesFailures() bool {
	return slices.ContainsFunc(m.report.Findings, func(f result.Finding) bool {
		return f.Kind != result.BuildError || f.ID != "" && f.At == nil
	})
}

// atLeast changes the counts in a summary to lower bounds: "3 errors" becomes "at least 3 errors".
func atLeast(summary string) string {
	words := strings.Split(summary, ", ")
	for i, word := range words {
		if word != "" && word[0] >= '1' && word[0] <= '9' {
			words[i] = "at least " + word
			break
		}
	}
	return strings.Join(words, ", ")
}

// coveredOf returns the bytes that parts have read, in order, except for some lines.
func coveredOf(parts []*claim, without []result.Span) (kept []result.Span) {
	var spans []result.Span
	for _, m := range parts {
		spans = append(spans, m.report.Covered...)
	}
	for _, s := range disjoint(spans) {
		for _, line := range without {
			if s.Start <= line.Start && line.End <= s.End {
				kept = append(kept, result.Span{Start: s.Start, End: line.Start})
				s.Start = line.End
			}
		}
		kept = append(kept, s)
	}
	return kept
}

// blanked is a source in which some spans are replaced by blanks; line ends stay.
type blanked struct {
	of    term.Source
	spans []result.Span // in order and disjoint
}

// Chunks yields the source's chunks, copied where bytes are replaced.
func (b blanked) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		left := b.spans
		for c := range b.of.Chunks() {
			end := c.Offset + int64(len(c.Data))
			for len(left) > 0 && left[0].End <= c.Offset {
				left = left[1:]
			}
			copied := false
			for _, s := range left {
				if s.Start >= end {
					break
				}
				if !copied {
					c.Data, copied = slices.Clone(c.Data), true
				}
				for i := max(s.Start, c.Offset); i < min(s.End, end); i++ {
					if at := &c.Data[i-c.Offset]; *at != '\n' && *at != '\r' {
						*at = ' '
					}
				}
			}
			if !yield(c) {
				return
			}
		}
	}
}

// bounded is the first max bytes of a source.
type bounded struct {
	of  term.Source
	max int64
}

// Chunks yields the source's chunks and cuts the one that reaches the bound.
func (b bounded) Chunks() iter.Seq[term.Chunk] {
	return func(yield func(term.Chunk) bool) {
		for c := range b.of.Chunks() {
			left := b.max - c.Offset
			if left <= 0 {
				return
			}
			c.Data = c.Data[:min(int64(len(c.Data)), left)]
			if !yield(c) || int64(len(c.Data)) == left {
				return
			}
		}
	}
}
