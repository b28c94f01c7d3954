package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// buildFile reads "Build file '/src/build.gradle' line: 1".
func buildFile(text string) *result.Location {
	_, rest, _ := strings.Cut(text, "'")
	path, line, ok := strings.Cut(rest, "' line: ")
	if !ok {
		return nil
	}
	return &result.Location{Path: path, Line: lex.LeadingNumber(line)}
}

// isTold: a reason says no more than findings do that are there, of a compiler or of tests. With
// --continue, other tasks have reasons of their own.
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

// withoutTold leaves out that there were failing tests, where the reports name them: with -q, the output does not.
func withoutTold(findings, named []result.Finding) []result.Finding {
	return slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.Kind == result.BuildError && isTold(named, f.Message)
	})
}

func (g *gradle) reason(s *read.Sink) {
	if len(g.wrong) == 0 {
		return
	}
	f := result.Finding{Kind: result.BuildError, Message: g.wrong[0].Text, At: g.where}
	for _, l := range g.wrong[1:] { // the innermost reason stands last
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
