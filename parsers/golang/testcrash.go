package golang

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// reportTrace turns the trace that ended the test binary into findings.
func (s *goSection) reportTrace() {
	if s.trace.timedOut() {
		if names := leafNames(s.trace.running()); len(names) > 0 {
			s.reportTimeout(names)
			return
		}
	}
	f := s.crash()
	f.Name = s.crashedTest()
	s.absorb(&f)
	if f.Name == "" {
		f.Related = append(f.Related, s.runningTests()...)
	}
	if s.trace.timedOut() {
		f.Tags = []string{"timeout"}
	}
	s.run.failed++
	s.add(s.named(f))
}

// crash is the finding for the trace, without a test and a place.
func (s *goSection) crash() result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevFailure, Message: s.trace.message(), Frames: s.crashFrames()}
	f.Detail = lex.JoinBounded(s.trace.headline[1:], maxGoDetail)
	for _, m := range s.trace.nested() {
		f.Related = append(f.Related, result.Related{Message: m})
	}
	return f
}

// crashedTest is the test in which the process died. Package testing reports a test that panicked and then panics
// again, so that test is the last one reported. Without such a report, the test function in a stack is taken, which
// does not name the subtest.
func (s *goSection) crashedTest() string {
	if s.trace.recovered() && s.lastFailed != "" {
		top, _, _ := strings.Cut(s.lastFailed, "/")
		if s.trace.goroutines[0].entry() == s.pkg+"."+top { // the parent's own body panicked, after a subtest had failed
			return top
		}
		return s.lastFailed
	}
	return s.trace.testFunc(s.pkg)
}

// crashFrames is the first stack with a frame of the workspace or of the package: a deadlock's first stack
// is package testing's.
func (s *goSection) crashFrames() []result.Location {
	for _, g := range s.trace.goroutines {
		s.markExternal(g.frames)
		if at := s.ownFrame(g.frames); at != nil {
			return slices.Clone(g.frames)
		}
	}
	return slices.Clone(s.trace.goroutines[0].frames)
}

// absorb merges the report of the test that panicked into the panic's finding: one failure is one finding.
func (s *goSection) absorb(f *result.Finding) {
	i := slices.IndexFunc(s.failures, func(g goFailure) bool { return g.name == f.Name && f.Name != "" })
	if i < 0 {
		return
	}
	own := s.failures[i]
	if own.own {
		f.Related = append(f.Related, result.Related{Message: own.finding.Message, At: own.finding.At})
		f.Related = append(f.Related, own.finding.Related...)
	}
	s.failures = slices.Delete(s.failures, i, i+1)
	s.failures = slices.DeleteFunc(s.failures, func(g goFailure) bool {
		return !g.own && strings.HasPrefix(f.Name, g.name+"/")
	})
}

// reportTimeout adds a failure for each test that was running when the time limit was reached.
func (s *goSection) reportTimeout(names []string) {
	used := map[int]bool{}
	for _, name := range names {
		f := result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, Name: name,
			Message: strings.TrimPrefix(s.trace.message(), "panic: "), Tags: []string{"timeout"},
			Frames: s.waiting(name, used),
		}
		s.absorb(&f)
		s.run.failed++
		s.add(s.named(f))
	}
}

// waiting finds the stack of a running test: its function is in the stack, and it does not merely wait for a subtest.
func (s *goSection) waiting(name string, used map[int]bool) []result.Location {
	top, _, _ := strings.Cut(name, "/")
	for i := range s.trace.goroutines {
		g := &s.trace.goroutines[i]
		if used[i] || len(g.frames) == 0 || g.testFunc(s.pkg) != top {
			continue
		}
		if first := g.frames[0].Function; first != "testing.(*T).Run" && first != "testing.(*T).Parallel" && !strings.HasPrefix(first, "testing.tRunner") {
			used[i] = true
			return slices.Clone(g.frames)
		}
	}
	return nil
}

// leafNames drops the tests that are parents of others in the list.
func leafNames(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return slices.ContainsFunc(names, func(o string) bool { return strings.HasPrefix(o, n+"/") })
	})
}

// reportRaces gives the races of a test, those whose stacks name its function, to it, and takes them off the section's
// list. The report of a race has no test in it: package testing only says afterwards that one happened.
func (s *goSection) reportRaces(g *goFailure) {
	top, _, _ := strings.Cut(g.name, "/")
	rest := s.races[:0:0]
	for _, r := range s.races {
		if r.stacks.testFunc(s.pkg) != top {
			rest = append(rest, r)
			continue
		}
		s.add(s.raceFinding(r, g.name))
		g.finding.Tags = []string{"race"}
	}
	s.races = rest
}

// raceFinding makes a finding at the first access; the other access and the goroutines' origins are related places.
func (s *goSection) raceFinding(r *goRace, test string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: test, Tags: []string{"race"}}
	var parts []string
	for i, what := range r.what {
		if what == "goroutine" { // where one was created
			continue
		}
		frames := r.stacks.goroutines[i].frames
		s.markExternal(frames)
		at := s.ownFrame(frames)
		if parts = append(parts, what); at == nil {
			continue
		}
		parts[len(parts)-1] += " in " + at.Function[strings.LastIndexByte(at.Function, '/')+1:]
		if len(parts) == 1 {
			f.At, f.Frames = at, slices.Clone(frames)
			continue
		}
		f.Locations = append(f.Locations, result.Location{Path: at.Path, Line: at.Line, Function: at.Function, Label: what})
		f.Related = append(f.Related, result.Related{Message: what, At: at})
	}
	f.Message = strings.TrimSuffix("data race: "+strings.Join(parts, ", "), ": ")
	return s.named(f)
}

// markExternal says which frames lie outside the workspace. The main package
// of a test binary is generated, and never written to disk.
func (s *goSection) markExternal(frames []result.Location) {
	for i := range frames {
		f := &frames[i]
		f.External = s.run.files.External(f.Path) || f.Path == "_testmain.go" || !result.IsAbsolute(f.Path) && s.isTrimmedLibrary(f.Path)
	}
}

// isTrimmedLibrary: under -trimpath a frame's file is its import path and base name. A file whose import path has
// another host than the package under test belongs to a library.
func (s *goSection) isTrimmedLibrary(file string) bool {
	mine, _, _ := strings.Cut(s.pkg, "/")
	theirs, _, _ := strings.Cut(file, "/")
	return strings.Contains(file, "@v") || theirs != mine
}
