package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Result returns the result, given how the command ended.
func (s *Session) Result(exit result.Exit) *result.ToolResult {
	if files := s.diverted(); len(files) > 0 {
		return s.resultWith(files, exit)
	}
	r := untyped(cmp.Or(s.in.Tool, s.command.Program()), s.stats, exit)
	r.Truncated.Raw = s.in.Truncated
	documents := s.in.As == nil && s.in.Tool == "" && !s.faults.any() && s.command.ShowsDocuments()
	if documents && !failing(exit) {
		s.fillUntyped(r, exit)
		s.finish(r, nil, exit)
		return r
	}
	parts := s.withFiles(s.parts())
	failed := (failing(exit) || s.runsOthers() && failures(parts) > 0) && !s.faults.any()
	if documents {
		parts = s.ownTrouble(parts)
	} else if failed && !slices.ContainsFunc(parts, func(m *claim) bool { return !m.parser.Runner }) {
		parts = s.withDiagnostics(parts)
	} else if failed {
		parts = s.withLeft(parts)
	} else if left := s.cutShort(parts, exit); left != nil {
		parts = left
	} else if len(parts) == 0 && !s.faults.any() {
		parts = s.foundAnyway()
	}
	parts = s.failsInView(parts, exit)
	parts = s.addStatusTold(parts, exit)
	s.calm(parts, exit)
	exit.Unheard = s.unheard(parts)
	addUnseen(parts, exit)
	s.doubtPicked(parts)
	s.doubtCut(parts)
	for _, m := range parts {
		m.spellTests()
		m.linkRules()
	}
	switch len(parts) {
	case 0:
		s.fillUntyped(r, exit)
	case 1:
		s.fillOne(r, parts[0], exit)
	default:
		s.fillComposite(r, parts, exit)
	}
	s.faults.tell(r)
	s.tellExit(r, parts, exit)
	s.heedCut(r, parts, exit)
	shown := s.onlyShown(r, parts, exit)
	s.finish(r, parts, exit)
	if !shown {
		s.tests.tell = func() tests { return s.tellTests(r, parts, exit) }
	}
	return r
}

// spellTests sets Select of every finding, in the form that the tool's own filter takes.
func (m *claim) spellTests() {
	spell := m.parser.Filter.Spell
	if spell == nil || m.shape {
		return
	}
	for i := range m.report.Findings {
		f := &m.report.Findings[i]
		if f.ID == "" || f.Select != "" || f.Kind != result.TestFailure && f.Kind != result.Panic || f.Source != "" && f.Source != m.parser.Tool {
			continue
		}
		if f.Select = spell(f); f.Select == f.ID {
			f.Select = ""
		}
	}
}

// linkRules sets for every rule the address at which its tool explains it.
func (m *claim) linkRules() {
	link := m.parser.RuleURL
	if link == nil || m.shape {
		return
	}
	for i := range m.report.Findings {
		f := &m.report.Findings[i]
		if f.Rule != "" && f.RuleURL == "" && (f.Source == "" || f.Source == m.parser.Tool) {
			f.RuleURL = link(f.Rule)
		}
	}
}

// unheard reports whether one of the tools may have failed although the command line exits 0.
func (s *Session) unheard(parts []*claim) bool {
	return slices.ContainsFunc(parts, func(m *claim) bool {
		return max(m.report.Failures(), m.report.Claimed) > 0 && s.command.Unheard(m.parser.Matches)
	}) || len(parts) > 0 && s.command.Opaque
}

// direct is the parser of the tool that the command runs, if that is the only source of the output: nil if the tool
// only runs others, or if the project says that another parser reads the output.
func (s *Session) direct() *tool.Parser {
	if s.in.As == nil && s.command.Direct && s.hint != nil && !s.hint.Runner {
		return s.hint
	}
	return nil
}

// fillUntyped fills the result of an output that no parser claims.
func (s *Session) fillUntyped(r *result.ToolResult, exit result.Exit) {
	r.ExitMeaning = s.shellMeaning(exit)
	if who := s.stoppedBefore(exit); who != "" {
		r.Tool = who
	} else if p := s.direct(); p != nil {
		r.Tool, r.Kind = p.Tool, p.Kind
		r.ToolFamily = p.Family
		r.ExitMeaning = s.meaning(nil, exit)
		if p.Kind == result.Test && !p.Builds && !failing(exit) && s.stats.bytes > 0 && !s.command.ShowsDocuments() { // it may have ended before the tests did
			result.SetExtra(&r.Extra, "doubt", "no summary of the tests was found")
		}
	}
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, false, nil)
}

// fillOne fills the result of an output that is one tool's.
func (s *Session) fillOne(r *result.ToolResult, m *claim, exit result.Exit) {
	p, rep, program := m.parser, m.report, r.Tool
	r.Tool, r.ToolFamily, r.ToolVersion, r.Kind = p.Tool, p.Family, rep.Version, p.Kind
	r.Parser = &result.ParserInfo{Name: p.Tool, Version: p.Version, Format: m.format.Name, ColumnUnit: p.ColumnUnit}
	if rep.Tested && p.Kind == result.Build {
		r.Kind = result.Test // a build that ran tests is shown as a test run
	}
	if m.shape {
		r.Parser.Name = "diagnostics"
	}
	r.Findings = append(r.Findings, rep.Findings...)
	r.Counts, r.Extra, r.Suppressed = rep.Tally(), rep.Extra, append(r.Suppressed, rep.Suppressed...)
	r.Truncated.FindingsTotal = len(rep.Findings) + rep.Dropped + rep.Withheld
	if rep.NoTests {
		if r.Counts == nil {
			r.Counts = map[string]int{}
		}
		r.Counts["passed"] += 0
		result.SetExtra(&r.Extra, "no_tests", true)
	}
	r.ExitMeaning = s.meaning(m, exit)
	r.ParserConfidence = s.confidence(m, exit)
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, tested(rep), r.Findings)
	if m.file != "" {
		s.fillFromFile(r, m, program)
	} else if s.failedElsewhere(m, exit) {
		r.Tool, r.ToolFamily, r.ToolVersion = program, "", ""
	} else if rep.Program != "" && rep.Program == program && p.Tool != program {
		s.brokeItself(r, p.Tool)
	}
	if why := cmp.Or(rep.Doubt, shortfall(rep)); why != "" {
		result.SetExtra(&r.Extra, "doubt", why)
	}
}

// brokeItself marks the result of a program that was run and ended in an exception of its language; the finding
// keeps its identity.
func (s *Session) brokeItself(r *result.ToolResult, language string) {
	for i := range r.Findings {
		r.Findings[i].Source = cmp.Or(r.Findings[i].Source, language)
	}
	of := s.program(nil)
	r.Tool, r.ToolFamily, r.ToolVersion, r.Kind = of.Tool, of.Family, "", of.Kind
}

// shortfall says that the tool counts more findings than were read; "" if it does not.
func shortfall(rep *tool.Report) string {
	switch found := rep.Failures(); {
	case found+rep.Withheld < rep.Claimed:
		return fmt.Sprintf("failures counted: %d, read: %d", rep.Claimed, found)
	case len(rep.Findings)+rep.Dropped+rep.Withheld < rep.Problems:
		return fmt.Sprintf("problems counted: %d, read: %d", rep.Problems, len(rep.Findings)+rep.Dropped)
	}
	return overcounted(rep)
}

// failedElsewhere reports whether the tool says that all is well while the line failed and ran other commands after
// the tool: one of these failed.
func (s *Session) failedElsewhere(m *claim, exit result.Exit) bool {
	return failing(exit) && !m.shape && m.report.Complete && m.report.Meaning == "" &&
		max(m.report.Failures(), m.report.Claimed) <= 0 && s.command.EndsElsewhere(m.parser.Matches)
}

// fillComposite fills the result of an output with several tools' parts.
func (s *Session) fillComposite(r *result.ToolResult, parts []*claim, exit result.Exit) {
	r.Kind = commonKind(parts)
	r.ParserConfidence = result.Parsed
	r.Counts = map[string]int{}
	run := true
	counted := slices.ContainsFunc(parts, func(m *claim) bool { return len(m.report.Tally()) > 0 }) // otherwise all findings are counted
	twice := toldTwice(parts)
	for _, m := range parts {
		c := s.confidence(m, result.Exit{Observed: true})
		r.Parts = append(r.Parts, partOf(m, c))
		for k, n := range m.counts() {
			if counted {
				r.Counts[k] += n
			}
		}
		for i, f := range m.report.Findings {
			if twice[&m.report.Findings[i]] {
				r.Truncated.FindingsTotal--
				r.Counts["failed"] = max(0, r.Counts["failed"]-1)
				continue
			}
			f.Source = cmp.Or(f.Source, m.parser.Tool)
			r.Findings = append(r.Findings, f)
		}
		r.Suppressed = append(r.Suppressed, m.report.Suppressed...)
		r.Truncated.FindingsTotal += len(m.report.Findings) + m.report.Dropped + m.report.Withheld
		if c != result.Parsed && !m.left {
			r.ParserConfidence = result.Heuristic
		}
		run = run && tested(m.report)
	}
	if failing(exit) && !slices.ContainsFunc(r.Findings, saysNo) {
		r.ParserConfidence = result.Heuristic
	}
	r.ExitMeaning = s.shellMeaning(exit)
	r.Status, r.StatusSource = result.Derive(exit, r.Kind, r.ExitMeaning, r.ParserConfidence, run, r.Findings)
}

// isBlank reports whether a terminal would show nothing of the line.
func isBlank(line []byte) bool {
	if term.Odd(line) {
		line = term.Resolve(line)
	}
	return len(bytes.TrimSpace(line)) == 0
}

// onlyRunners reports whether all parts are runners'. The reason why a command failed is then in text that no
// parser reads.
func onlyRunners(parts []*claim) bool {
	return !slices.ContainsFunc(parts, func(m *claim) bool { return !m.parser.Runner })
}

// onlyFiles reports whether all parts come from files and none from what was printed.
func onlyFiles(parts []*claim) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(m *claim) bool { return m.file == "" })
}

// runsTests reports whether the program that was run writes reports itself, and runs nothing else.
func (s *Session) runsTests() bool {
	return s.command.Direct && s.table.Files().Writes(s.command.Program())
}

func coveredBy(parts []*claim, l term.RawLine) bool {
	return slices.ContainsFunc(parts, func(m *claim) bool {
		return within(result.Span{Start: l.Start, End: l.End}, m.report.Covered)
	})
}

func partOf(m *claim, c result.Confidence) result.Part {
	p := result.Part{
		Name: m.name, Tool: m.parser.Tool, Kind: m.parser.Kind, Counts: m.counts(),
		ParserConfidence: c, Findings: len(m.report.Findings),
	}
	p.Status = m.status(c)
	if p.RawSpan = m.span; p.RawSpan == nil {
		p.RawSpan = coveredSpan(m.report)
	}
	return p
}

// counts returns the counts that the tool printed or, without them, its findings by severity, so that the sum of
// all parts fits the list of findings. Runners and package managers only have the counts that they print: they
// report failed tasks, whose failures another part counts.
func (m *claim) counts() map[string]int {
	printed := m.report.Tally()
	if len(printed) > 0 || m.parser.Runner || m.parser.Kind == result.Pipeline || m.parser.Kind == result.Package {
		return printed
	}
	return tool.BySeverity(m.report.Findings)
}

// commonKind is the kind that all parts share, or else generic.
func commonKind(parts []*claim) result.Kind {
	kind := parts[0].parser.Kind
	for _, m := range parts[1:] {
		if m.parser.Kind != kind {
			return result.Generic
		}
	}
	return kind
}
