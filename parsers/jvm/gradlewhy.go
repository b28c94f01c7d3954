package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/result"
)

// isTold reports whether a reason only says that compiling or tests failed, and findings say more. With
// --continue, there may be reasons of other tasks.
func isTold(by []result.Finding, reason string) bool {
	kind := result.BuildError
	switch {
	case strings.HasPrefix(reason, "There were failing tests"):
		kind = result.TestFailure
	case !strings.Contains(reason, "ompilation "):
		return false
	}
	return slices.ContainsFunc(by, func(f result.Finding) bool { return f.Kind == kind && (kind == result.TestFailure || f.At != nil) })
}

// withoutTold removes the finding "There were failing tests" if reports name the tests, which the output with -q does
// not.
func withoutTold(findings, named []result.Finding) []result.Finding {
	return slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.Kind == result.BuildError && isTold(named, f.Message)
	})
}

// reason adds a finding for the lines below "* What went wrong:", unless other findings say more.
func (g *gradle) reason(s *read.Sink) {
	if len(g.wrong) == 0 {
		return
	}
	f := result.Finding{Kind: result.BuildError, Message: g.wrong[0].Text, At: g.where}
	for _, l := range g.wrong[1:] { // the innermost reason is the last
		if line := strings.TrimLeft(l.Text, " "); strings.HasPrefix(line, "> ") {
			f.Message = line[2:]
		}
	}
	if isTold(s.Findings, f.Message) {
		return
	}
	if _, task, ok := strings.Cut(g.wrong[0].Text, "Execution failed for task '"); ok {
		f.ID, _, _ = strings.Cut(task, "'")
	} else {
		s.Meaning = result.MeansUsage
	}
	s.Find(g.wrong[0], f)
	for _, l := range g.wrong[1:] {
		s.More(l)
	}
	s.Break()
}
