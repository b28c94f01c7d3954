package golang

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// reportTrace makes findings of the trace that ended the test binary.
func (s *goSection) reportTrace() {
	if s.trace.timedOut() {
		if names := leafNames(s.trace.running()); len(names) > 0 {
			s.reportTimeout(names)
			return
		}
	}
	f := result.Finding{Kind: result.Panic, Severity: result.SevFailure, Message: s.trace.message(), Name: s.crashedTest()}
	for _, m := range s.trace.nested() {
		f.Related = append(f.Related, result.Related{Message: m})
	}
	f.Detail = lex.JoinBounded(s.trace.headline[1:], maxGoDetail)
	f.Frames = s.crashFrames()
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

// crashedTest is the test that the process died in. Package testing reports a test that panicked before it panics
// again: then it is the last one reported. Otherwise it is whichever test function stands in a stack, which tells the
// test but not the subtest.
func (s *goSection) crashedTest() string {
	if s.trace.recovered() && s.lastFailed != "" {
		top, _, _ := strings.Cut(s.lastFailed, "/")
		if s.trace.goroutines[0].entry() == s.pkg+"."+top { // in its own body, after a subtest had failed
			return top
		}
		return s.lastFailed
	}
	for i := range s.trace.goroutines {
		if name := s.trace.goroutines[i].testFunc(s.pkg); name != "" {
			return name
		}
	}
	return ""
}

// crashFrames is the first stack that has something of the workspace or of the package in it: of a deadlock, the stack
// that is printed first is package testing's.
func (s *goSection) crashFrames() []result.Location {
	for _, g := range s.trace.goroutines {
		s.markExternal(g.frames)
		if at := s.ownFrame(g.frames); at != nil {
			return slices.Clone(g.frames)
		}
	}
	if len(s.trace.goroutines) == 0 {
		return nil
	}
	return slices.Clone(s.trace.goroutines[0].frames)
}

// absorb takes the report of the test that panicked into the panic: one failure is one finding.
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

// reportTimeout: every test that was running when time was up has failed.
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

// waiting finds the stack of a running test: one that has its function in it and does not merely wait for a subtest.
func (s *goSection) waiting(name string, used map[int]bool) []result.Location {
	top, _, _ := strings.Cut(name, "/")
	best := -1
	for i := range s.trace.goroutines {
		g := &s.trace.goroutines[i]
		if used[i] || len(g.frames) == 0 || g.testFunc(s.pkg) != top {
			continue
		}
		if first := g.frames[0].Function; first != "testing.(*T).Run" && first != "testing.(*T).Parallel" && !strings.HasPrefix(first, "testing.tRunner") {
			best = i
			break
		}
	}
	if best < 0 {
		return nil
	}
	used[best] = true
	return slices.Clone(s.trace.goroutines[best].frames)
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
		if r.testFunc(s.pkg) != top {
			rest = append(rest, r)
			continue
		}
		s.add(s.raceFinding(r, g.name))
		g.finding.Tags = []string{"race"}
	}
	s.races = rest
}

// raceFinding: the place is that of the first access; the other one, and where the goroutines were made, are related.
func (s *goSection) raceFinding(r *goRace, test string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Name: test, Tags: []string{"race"}}
	var parts []string
	for i, a := range r.accesses() {
		s.markExternal(a.frames)
		at := s.ownFrame(a.frames)
		what := a.what
		if at != nil {
			what += " in " + shortFunction(at.Function)
		}
		parts = append(parts, what)
		switch {
		case at == nil:
		case i == 0:
			f.At, f.Frames = at, slices.Clone(a.frames)
		default:
			f.Locations = append(f.Locations, result.Location{Path: at.Path, Line: at.Line, Function: at.Function, Label: a.what})
			f.Related = append(f.Related, result.Related{Message: a.what, At: at})
		}
	}
	f.Message = "data race: " + strings.Join(parts, ", ")
	if len(parts) == 0 {
		f.Message = "data race"
	}
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

// shortFunction drops the directories of a function's import path.
func shortFunction(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// isTrimmedLibrary: under -trimpath the file of a frame is its import path and its base name. What does not share the
// host of the package under test is somebody else's.
func (s *goSection) isTrimmedLibrary(file string) bool {
	mine, _, _ := strings.Cut(s.pkg, "/")
	theirs, _, _ := strings.Cut(file, "/")
	return strings.Contains(file, "@v") || theirs != mine
}
