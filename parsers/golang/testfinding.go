package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Bounds of one finding.
const (
	maxGoRelated = 16 // log entries beside the headline: the first and the last ones
	maxGoDetail  = 8 << 10
)

// goFailure is a failed test, with its log reduced to a finding.
type goFailure struct {
	name    string
	finding result.Finding
	own     bool // the test printed a reason of its own
	raced   bool // package testing saw a data race during it
	specs   *ginkgo
}

// explainTest turns the log of a failed test into a finding.
func explainTest(t *goTest) goFailure {
	g := goFailure{name: t.name, specs: t.specs}
	f := &g.finding
	f.RawSpan = &result.Span{Start: t.span.Start, End: t.span.End}
	f.Kind, f.Severity, f.Name = result.TestFailure, result.SevFailure, t.name
	lines := t.log.Lines()
	if strings.HasPrefix(t.name, "Example") && fillExample(f, lines) {
		g.own = true
		return g
	}
	entries := slices.DeleteFunc(append(logEntries(lines), t.conveys...), func(e logEntry) bool {
		raced := e.ofTesting() && strings.Contains(e.headline(), "race detected during execution of test")
		g.raced = g.raced || raced
		return raced
	})
	g.own = len(entries) > 0
	f.Message = "failed without saying why"
	if g.own {
		fillEntries(f, entries, lines)
	}
	fillFuzz(f, lines)
	if t.log.Omitted > 0 {
		result.SetExtra(&f.Extra, "log_lines_omitted", t.log.Omitted)
	}
	return g
}

func fillEntries(f *result.Finding, entries []logEntry, lines []string) {
	best := pick(entries)
	e := entries[best]
	var printed []string
	for _, s := range lines {
		if !e.has(s) {
			lex.Keep(&printed, maxGoRelated, strings.TrimPrefix(s, "    "))
		}
	}
	f.Printed = strings.Join(printed, "\n")
	if f.Detail = lex.JoinBounded(e.text, maxGoDetail); !e.ofTesting() {
		f.At = e.place()
	}
	explain(f, e.text)
	if f.Detail == f.Message {
		f.Detail = ""
	}
	// The fuzzer's worker and testify's suites recover a panic and log its stack.
	if e.ofTesting() && strings.HasPrefix(f.Message, "panic: ") || strings.HasPrefix(f.Message, "test panicked: ") {
		fillLoggedPanic(f, e)
	}
	fillMock(f, e.text)
	fillOpen(f, e.text)
	fillLeaks(f, e.text)
	fillOthers(f, entries, best)
}

// has reports whether a line of a test's log is one of the entry's, blank, or package testing's.
func (e logEntry) has(line string) bool {
	line = strings.TrimSpace(line)
	testings := lex.HasAnyPrefix(line, "testing.go:", "fuzz: ", "failure while testing ", "Failing input written to ", "To re-run:", "go test -run=", "Benchmark")
	return testings || line == "" || slices.ContainsFunc(e.text, func(s string) bool { return strings.HasSuffix(line, strings.TrimSpace(s)) })
}

func fillLoggedPanic(f *result.Finding, e logEntry) {
	f.At = nil // the place where the panic was recovered
	traced := newGoTrace(f.Message)
	for _, s := range e.text[1:] {
		traced.line(s)
	}
	f.Kind, f.Detail = result.Panic, "" // the frames have the stack
	for _, g := range traced.goroutines {
		f.Frames = append(f.Frames, g.frames...)
	}
}

// fillFuzz keeps the file to which the fuzzer wrote the failing input.
func fillFuzz(f *result.Finding, lines []string) {
	const wrote = "Failing input written to "
	for _, s := range lines {
		if _, file, ok := strings.Cut(s, wrote); ok {
			file = strings.TrimSpace(file)
			result.SetExtra(&f.Extra, "fuzz_input", file)
			f.Related = append(f.Related, result.Related{Message: "failing input", At: &result.Location{Path: file}})
		}
		if run := strings.TrimSpace(s); strings.HasPrefix(run, "go test -run=") {
			f.Suggestions = append(f.Suggestions, run)
		}
	}
}

// fail reports a section whose trailer says FAIL.
func (s *goSection) fail() {
	if s.trailer.note == "build failed" || s.trailer.note == "setup failed" {
		s.run.buildFailed = append(s.run.buildFailed, s.pkg)
		return
	}
	before := s.run.claimed
	s.report()
	died := s.trace != nil && s.trace.real()
	if died || s.failLine && s.run.claimed > before {
		return
	}
	s.add(s.exited())
}

// exited is the finding for a package that failed without a failed test, or whose process ended before
// package testing could report (os.Exit, log.Fatal, TestMain).
func (s *goSection) exited() result.Finding {
	f := result.Finding{
		Kind: result.TestFailure, Severity: result.SevFailure, ID: s.pkg, Suite: []string{s.pkg},
		Message: "the test binary ended without a verdict", Tags: []string{"exit"},
	}
	if s.failLine { // printed by package testing: the tests' reports were in a part of the output that is cut off
		f.Message, f.Tags = "failed, and the output does not say which test", nil
		return f
	}
	if len(s.lastLine) > 0 { // usually the reason, though alone it may sound like a success
		f.Message += ", after: " + trimLogTime(string(s.lastLine))
	}
	f.Related = s.runningTests()
	if s.exit != "" { // go test prints it only if the binary printed nothing, so it is no part of the message
		f.Actual, f.Detail = s.exit, s.exit
	}
	return f
}

const wasRunning = "was running: "

// runningTests are the tests that had begun and not ended, as far as the output of -v shows.
func (s *goSection) runningTests() []result.Related {
	var names []string
	for name, t := range s.tests {
		if !t.parent && !t.ended && !t.paused {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > maxGoRelated {
		names = names[:maxGoRelated]
	}
	var all []result.Related
	for _, name := range names {
		all = append(all, result.Related{Message: wasRunning + name})
	}
	return all
}

// trimLogTime drops the timestamp of package log: "2006/01/02 15:04:05 ".
func trimLogTime(s string) string {
	const stamp = len("2006/01/02 15:04:05 ")
	if len(s) > stamp && s[4] == '/' && s[stamp-1] == ' ' && strings.Trim(s[:stamp], "0123456789/: ") == "" {
		return s[stamp:]
	}
	return s
}

// report adds the findings of the section's tests, of the trace that ended it, and of the races in it.
func (s *goSection) report() {
	// A failure that package testing reported and that is not among the findings stays claimed,
	// which marks the result as incomplete.
	s.run.claimed += max(0, s.reported-len(s.failures))
	s.run.report.Drop(result.SevFailure, s.beyond)
	if s.trace != nil && s.trace.real() {
		s.reportTrace()
	}
	parents := parentsOf(s.failures, func(g goFailure) string { return g.name })
	for i := range s.failures {
		g := &s.failures[i]
		if g.raced {
			s.reportRaces(g)
		}
		if parents[g.name] && !g.own {
			continue
		}
		if !parents[g.name] {
			s.run.failed++
		}
		if g.specs != nil && !g.own {
			s.run.failed += len(g.specs.specs) - 1
			g.specs.findings(s, &g.finding)
			continue
		}
		if g.raced && !g.own && g.finding.Tags != nil {
			continue // its findings are the races
		}
		s.add(s.named(g.finding))
	}
	for _, r := range s.races {
		s.add(s.raceFinding(r, r.stacks.testFunc(s.pkg)))
	}
}

func (s *goSection) add(f result.Finding) {
	s.run.claimed++
	f.RawSpan = cmp.Or(f.RawSpan, &result.Span{Start: s.span.Start, End: s.span.End})
	s.run.report.Add(f)
}

// named completes a finding of a test: id, suite and name.
func (s *goSection) named(f result.Finding) result.Finding {
	f.Suite = []string{s.pkg}
	f.ID = s.pkg
	if f.Name != "" {
		f.ID = s.pkg + "." + f.Name
	}
	if s.pkg == "" { // the output was cut before it named the package
		f.ID, f.Suite = f.Name, nil
	}
	if len(s.run.report.Findings) < s.run.report.Most() { // beyond the limit, a finding is only counted
		s.place(&f)
	}
	return f
}

// place chooses the frame that an editor should open as the finding's place.
func (s *goSection) place(f *result.Finding) {
	for i := range f.Frames {
		fr := &f.Frames[i]
		s.run.dirs.frame(*fr)
	}
	s.markExternal(f.Frames)
	if at := s.steps.failed[f.Message]; at != nil && f.At != nil && f.At.Path == "suite.go" {
		f.At = at
	} else if f.At == nil {
		f.At = s.ownFrame(f.Frames)
	}
	s.placeTest(f)
	f.Frames = ownFirst(f.Frames)
}

// placeTest adds the line in the test function itself as a related place, if the failure is deeper.
func (s *goSection) placeTest(f *result.Finding) {
	for _, fr := range f.Frames {
		if goTestFunc(fr.Function, s.pkg) == "" {
			continue
		}
		if f.At == nil || fr.Path != f.At.Path || fr.Line != f.At.Line {
			at := fr
			f.Related = append(f.Related, result.Related{Message: "in the test", At: &at})
		}
		return
	}
}

// ownFrame is the innermost frame in the workspace or, if the workspace is not known, the
// innermost frame of the package under test.
func (s *goSection) ownFrame(frames []result.Location) *result.Location {
	for _, f := range frames {
		if !f.External {
			return &f
		}
	}
	for _, f := range frames {
		if rest, ok := strings.CutPrefix(f.Function, s.pkg); ok && s.pkg != "" && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "_test.")) {
			return &f
		}
	}
	return nil
}

// ownFirst keeps as many frames as a finding holds, those in the workspace first.
func ownFirst(frames []result.Location) []result.Location {
	slices.SortStableFunc(frames, func(a, b result.Location) int { return lex.Btoi(a.External) - lex.Btoi(b.External) })
	return frames[:min(len(frames), result.MaxFrames)]
}
