package golang

import (
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// end takes the verdict of a test and drops its log if it did not fail. Of subtests and their parent, only the
// subtests are counted.
func (s *goSection) end(name, verdict string) {
	t := s.tests[name]
	if t == nil {
		t = s.start(name)
	}
	s.flushPartial(t)
	if !t.ended {
		s.gather(t)
	}
	delete(s.tests, name)
	s.tell(t, verdict)
	switch {
	case verdict == "fail" && len(s.failures) >= s.run.report.Most():
		s.beyond++
	case verdict == "fail":
		s.failures = append(s.failures, explainTest(t))
	case t.parent:
	case verdict == "pass":
		s.passed++
	case verdict == "skip":
		s.skipped++
	}
	t.log.Clear()
	*t = goTest{log: t.log}
	s.spare = t
}

// tell keeps the outcome of a test until its package is known. Of two reports of one test the failure
// counts: a test may print text that looks like its own report.
func (s *goSection) tell(t *goTest, verdict string) {
	came := map[string]read.Outcome{"pass": tool.Passed, "fail": tool.Failed, "skip": tool.Skipped}[verdict]
	if t.twice {
		came = tool.Failed
		s.run.report.Unread("there are two reports of " + t.name)
	}
	if came != "" && len(s.ran) < tool.MaxTests {
		s.ran = append(s.ran, tool.Test{ID: t.name, Outcome: came, DurationMS: t.took, Parent: t.parent})
	}
}

// again takes a second report of a test. If it is one of failure, the test failed. t is nil if the test has ended.
func (s *goSection) again(t *goTest, rep goReport) {
	if rep.verdict != "fail" {
		return
	}
	if t != nil {
		t.twice = t.verdict != "fail"
		return
	}
	for i := range s.ran {
		if o := &s.ran[i]; o.ID == rep.name && o.Outcome != tool.Failed {
			o.Outcome = tool.Failed
			s.run.report.Unread("there are two reports of " + rep.name)
		}
	}
}

// tellAll reports the tests of the package, and why the list is incomplete, if so.
func (s *goSection) tellAll() {
	rep := s.run.report
	parents := parentsOf(s.ran, func(t tool.Test) string { return t.ID })
	for _, t := range s.ran {
		t.Parent = t.Parent || parents[t.ID]
		t.ID = strings.TrimPrefix(s.pkg+".", ".") + t.ID
		rep.Ran(t)
	}
	s.ran = nil
	switch {
	case s.trailer.verdict == "fail" && s.trailer.note != "":
		rep.Unread(s.pkg + ": " + s.trailer.note)
	case s.trailer.verdict == "fail" && !s.failLine:
		rep.Unread(s.pkg + " ended before its last test")
	case s.trailer.verdict != "" && !s.verbose && s.trailer.note != "no tests to run":
		rep.Unread("tests that passed are not named: go test does so with -v or -json")
	}
}

// parentsOf are the tests that have one of the others as a subtest.
func parentsOf[T any](all []T, name func(T) string) map[string]bool {
	parents := map[string]bool{}
	for _, one := range all {
		n := name(one)
		for i := strings.LastIndexByte(n, '/'); i > 0; i = strings.LastIndexByte(n[:i], '/') {
			parents[n[:i]] = true
		}
	}
	return parents
}

// gather gives a test the output that came before its report.
func (s *goSection) gather(t *goTest) {
	if s.specs.all() {
		specs := s.specs
		t.specs = &specs
	}
	s.specs = ginkgo{}
	if s.convey.in || s.convey.entries != nil {
		t.conveys = s.convey.take()
	}
	if t.log.Empty() {
		for _, line := range s.early {
			t.log.Add(line)
		}
	}
	s.early = nil
}

// close ends the section by its trailer.
func (s *goSection) close() {
	run := s.run
	run.closed(s)
	lex.Keep(&run.pkgs, maxPackages, s.pkg)
	run.verbose = run.verbose || s.verbose
	switch s.trailer.verdict {
	case "fail":
		run.failedPackages++
		s.fail()
	case "pass":
		run.okPackages++
		if s.trailer.note == "no tests to run" {
			run.noTests++
		}
	}
	s.tellAll()
	run.passed += s.passed
	run.skipped += s.skipped
}

// unfinished ends a section without a trailer: the output was cut, or the go command was killed. Failures seen so far
// count.
func (s *goSection) unfinished() {
	run := s.run
	run.closed(s)
	s.learnPackage()
	if !run.binary || !s.failLine && !s.passLine && (s.trace == nil || !s.trace.real()) {
		run.lost++
	} else {
		run.binaries++
	}
	run.verbose = run.verbose || s.verbose
	for _, name := range slices.Sorted(maps.Keys(s.tests)) {
		if t := s.tests[name]; t.ended {
			s.end(name, t.verdict)
		}
	}
	s.tellAll()
	s.report()
	s.cutOff()
	run.passed += s.passed
	run.skipped += s.skipped
}

// learnPackage takes the package's name from the stacks of a test binary that ran by itself, which prints no name.
func (s *goSection) learnPackage() {
	if s.pkg != "" || s.trace == nil {
		return
	}
	for _, g := range s.trace.goroutines {
		for _, f := range append(g.frames, result.Location{Function: g.maker}) {
			if s.pkg = beforeTest(f.Function); s.pkg != "" {
				return
			}
		}
	}
}

// cutOff adds a finding for each test that was running when the output ended.
func (s *goSection) cutOff() {
	if s.trace != nil && s.trace.real() {
		return // the tests ended with the process
	}
	for _, r := range s.runningTests() {
		f := s.named(result.Finding{
			Kind: result.TestFailure, Severity: result.SevWarning, Name: strings.TrimPrefix(r.Message, wasRunning),
			Message: "was running when the output ended", Tags: []string{"unfinished"},
		})
		f.RawSpan = &result.Span{Start: s.span.Start, End: s.span.End}
		s.run.report.Add(f)
	}
}

// tornStack reads the stacks of a test binary that died, if the output begins within them, as with "| tail -20". The
// panic's message is cut off, but the stacks still show the test and its place. A stack printed by a test looks the
// same, so the stacks count only if no line of package testing comes between them and the trailer that says FAIL.
type tornStack struct {
	trace *goTrace
	past  bool // another line came
}

// tornMessage replaces the message that is cut off.
const tornMessage = "the test binary died, and what it said first is cut off"

// line takes a line of the stacks. At the first other line, the stacks are given to the section.
func (t *tornStack) line(s *goSection, l tool.Line) bool {
	if t.past {
		return false
	}
	if isStackLine(l.Text) {
		if t.trace == nil {
			t.trace = newGoTrace(tornMessage)
			t.trace.goroutines = []goroutine{{}}
		}
		t.trace.line(strings.Clone(l.Text))
		s.run.touch(&s.span)
		s.run.report.Cover(l)
		return true
	}
	t.past = true
	if t.trace != nil && t.trace.placed() {
		s.seen, s.trace, s.traceOn = true, t.trace, l.Stream
	}
	return false
}

// isStackLine says whether a line can be part of stacks: a call, its place, a goroutine's header, or a line between
// them.
func isStackLine(s string) bool {
	switch {
	case s == "", strings.HasPrefix(s, "created by "), strings.HasPrefix(s, "[signal "):
		return true
	case strings.HasPrefix(s, "goroutine "):
		return strings.HasSuffix(s, "]:")
	case s[0] == '\t':
		at, ok := frame.Go(s)
		return ok && strings.HasSuffix(at.Path, ".go")
	}
	if fields := strings.Fields(s); len(fields) == 2 && strings.HasPrefix(fields[1], "0x") {
		return true // a register
	}
	i := goArgs(s)
	return i > 0 && s[len(s)-1] == ')' && strings.IndexByte(s[:i], ' ') < 0 && strings.IndexByte(s[:i], '.') > 0
}

// placed says whether at least one call with its place was read.
func (t *goTrace) placed() bool {
	return slices.ContainsFunc(t.goroutines, func(g goroutine) bool { return len(g.frames) > 0 })
}

// nestedSame says whether a fuzz target reports itself again inside its own report.
func (r *goText) nestedSame(rep goReport) bool {
	n := len(r.stack)
	return n > 0 && r.stack[n-1].name == rep.name && rep.indent > r.stack[n-1].indent
}

// joinedParent says whether a report is a subtest's, below that of a test whose beginning is cut off.
func (r *goText) joinedParent(rep goReport) bool {
	if r.section.announced || len(r.run.pkgs) > 0 || len(r.stack) == 0 || rep.indent == 0 {
		return false
	}
	return strings.HasPrefix(rep.name, r.stack[0].name+"/") && r.section.tests[rep.name] == nil
}
