package engine

import (
	"bytes"
	"slices"

	"cairn/parsers/text/scan"
	"cairn/parsers/text/term"
	"cairn/result"
)

// This file adds to a result the text that its findings do not cover.

// finish adds what every result has: text that the findings do not cover, redaction, identities and the summary.
func (s *Session) finish(r *result.ToolResult, parts []*claim, exit result.Exit) {
	if r.ParserConfidence != result.Parsed && s.picked(parts) && !s.toldExactly(parts) {
		r.Body, r.Truncated.BodyBytesOmitted = s.reducer.body(true)
		result.SetExtra(&r.Extra, "picked", true)
	} else if told := s.onlyWarns(parts); told != nil && r.ParserConfidence == result.Heuristic {
		r.Body, r.Truncated.BodyBytesOmitted = s.besideLines(told, failing(exit))
	} else if r.ParserConfidence == result.Heuristic && !s.toldExactly(parts) && s.tellsLines(parts) {
		r.Body, r.Truncated.BodyBytesOmitted = s.besideLines(parts[0], failing(exit))
	} else if r.ParserConfidence != result.Parsed && !s.toldExactly(parts) {
		r.Body, r.Truncated.BodyBytesOmitted = s.reducer.body(failing(exit))
	} else {
		program := s.asksProgram(parts)
		if program {
			room := maxBody
			if failing(exit) || slices.ContainsFunc(r.Findings, saysNo) { // its reason matters more
				room = maxBodyOK
			}
			s.addAsked(r, parts, room, everyLine)
		}
		if r.Body == "" && (s.direct() == nil || program || onlyFiles(parts)) && (failing(exit) || len(r.Findings) > 0) {
			s.addUncovered(r, parts, failing(exit), program)
		}
	}
	if r.Body == "" && len(parts) > 0 {
		s.addBeside(r, parts)
		s.addPrinted(r, parts)
	}
	r.Dir = s.ranIn
	seal(r, s.in)
	if slices.ContainsFunc(parts, func(m *claim) bool { return m.partly }) {
		r.Summary = atLeast(r.Summary)
	}
}

func everyLine(*term.RawLine) bool { return true }

// toldExactly reports whether the findings cover all that matters, so that only the text beside them has to be
// shown: the output holds a document that leaves nothing to guess, whichever tool wrote it, or only a program's
// usage and what was wrong with the command line.
func (s *Session) toldExactly(parts []*claim) bool {
	return len(parts) == 1 && (parts[0].exact || isUsage(parts) || s.tellsEachLine(parts[0])) && !s.in.Truncated
}

// leastAlike is the number of findings from which the form of an unknown program's output is certain; mostBytes
// bounds the text of each, in bytes.
const leastAlike, mostBytes = 10, 1 << 10

// tellsEachLine reports whether an unknown program printed a list of findings and hardly anything else: each has a
// line of a file, a rule or a severity, and a text. In a document whose parts were all understood, one finding is
// enough.
func (s *Session) tellsEachLine(m *claim) bool {
	rep, least := m.report, leastAlike
	if rep.Whole {
		least = 1
	}
	n := len(rep.Findings)
	unsure := rep.Doubt != "" || rep.Dropped > 0 || shortfall(rep) != ""
	if !m.shape || m.partly || unsure || n < least || !rep.Whole && s.stats.bytes > int64(n*mostBytes) {
		return false
	}
	var covered int64
	for _, c := range disjoint(rep.Covered) {
		covered += c.End - c.Start
	}
	return covered*10 >= s.stats.bytes*9 && !slices.ContainsFunc(rep.Findings, func(f result.Finding) bool {
		if rep.Whole && f.Kind == result.GenericFinding && f.At == nil { // a line beside the document
			return false
		}
		return f.Kind == result.TestFailure || f.At == nil || f.At.Line == 0 || f.Rule+f.RawSeverity == "" || f.Message == ""
	})
}

// isUsage reports whether an unknown program rejected its command line.
func isUsage(parts []*claim) bool {
	return len(parts) == 1 && parts[0].shape && parts[0].report.Meaning == result.MeansUsage
}

// addUncovered shows text outside the parts that looks like an error, such as messages of make, npm or a tool
// without a parser. On a failing exit, text behind the last part is shown too: the program that ran last may have
// decided the exit. If no finding is a reason to fail, the reason is somewhere in the text, so all of it is
// considered, unless a program of the project printed it.
func (s *Session) addUncovered(r *result.ToolResult, parts []*claim, failed, program bool) {
	rest, eye := newReducer(), scan.NewScanner()
	last, left, told, covered := false, false, s.toldBy(parts), s.coverage()
	heads, unsaid, after := unexplainedHeads(parts), false, false
	behind := false // the line before belongs to a finding; blank lines do not change this
	alone := s.toldExactly(parts)
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		if alone && coveredBy(parts, l) {
			rest.tell()
			last, behind = false, true
			return true
		}
		if covered.has(l) || coveredBy(s.muted, l) {
			rest.skip()
			last, behind, after = false, true, isWithin(heads, l.Start)
			return true
		}
		blank := isBlank(l.Text)
		if eye.Look(&l); isChatter(l.Text) || behind && blank || r.ExitMeaning == result.MeansUsage && isOption(l.Text) {
			rest.skip()
			return true
		}
		if l.Alarm >= 0 && (told.knows(l.Text) || inOption(l.Text, l.Alarm)) {
			l.Alarm = -1
		}
		rest.see(&l)
		last, behind = last || !blank, false
		left, unsaid = left || last, unsaid || after
		return true
	})
	if onlyFiles(parts) && s.runsTests() {
		last = false // nothing ran later that could have decided the exit
	}
	reason := left && (onlyRunners(parts) || unsaid || !slices.ContainsFunc(r.Findings, saysNo))
	if rest.alarming() || (last || reason) && failed && !program {
		r.Body, r.Truncated.BodyBytesOmitted = rest.body(failed)
	}
}

// unexplainedHeads returns where runners name failed steps of which no part tells why; the reason is below.
func unexplainedHeads(parts []*claim) (heads []result.Span) {
	for _, m := range parts {
		for _, f := range m.report.Findings {
			if m.parser.Heads && mayBeExplained(f) && f.RawSpan != nil {
				heads = append(heads, *f.RawSpan)
			}
		}
	}
	return heads
}

// isOption reports whether a line describes an option of a program, "  -x, --exit-code   Pass-through of failures",
// or continues such a description.
func isOption(line []byte) bool {
	row := bytes.TrimLeft(line, " \t")
	return len(row) > 0 && len(row) < len(line) && (row[0] == '-' || len(line)-len(row) >= 8 || line[0] == '\t')
}
