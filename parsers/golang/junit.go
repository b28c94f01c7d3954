package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// junitGo reads JUnit reports that go-junit-report and gotestsum make of go test: each suite is a package, and the text
// of a failure is the test's output. Both are passed to the core that reads go test's own output (goRun), so that equal
// runs give equal findings.
//
// Where the two differ: gotestsum lists a test's "=== RUN" and "--- FAIL" lines too, puts a panic's trace with the
// test, and has a case "TestMain" without a class for what happened outside of any test. go-junit-report has the trace,
// and the output of an example, in the system-out of the suite, and cases "[build failed]" and "Failure" for the
// package.
type junitGo struct {
	rep     *tool.Report // the report that findings are added to
	run     *goRun
	section *goSection
	outside bool                   // the package failed outside of any test
	passed  map[string]bool        // where failures were run again: the tests that passed
	spans   map[string]result.Span // of the cases that represent a whole package
}

// newJUnitGo returns a reader. What the command line says about directories is used as for go test.
func newJUnitGo(in *tool.Input, rep *tool.Report) *junitGo {
	g := &junitGo{rep: rep, run: newGoRun(in)}
	g.run.events = true
	if c := in.Command(); c.Program() == "gotestsum" {
		g.run.argv = gotestsumCommand(c.Argv[1:])
	}
	if strings.Contains(in.Shell+strings.Join(in.Argv, " "), "--rerun-fails") {
		g.passed = map[string]bool{}
	}
	return g
}

// gotestsumCommand reads packages after the flags, or after "--". If none is given, gotestsum tests "./...".
func gotestsumCommand(args []string) goCommand {
	c := goCommand{known: true}
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[i+1:]
	}
	for _, a := range args {
		if strings.HasPrefix(a, "./") || a == "." {
			c.patterns = append(c.patterns, a)
		}
	}
	if len(c.patterns) == 0 {
		c.patterns = []string{"./..."}
	}
	return c
}

// isGoError says whether a case is go-junit-report's entry for a package that was not built, or that died.
func isGoError(name, message string) bool {
	return name == "[build failed]" && message == "Build error" || name == "Failure" && message == "Runtime error"
}

// goDialect: go-junit-report does not name itself; a report is known by the names of its packages and tests.
var goDialect = &tool.Dialect{
	Property: func(name string) bool { return name == "go.version" },
	Wrote: func(c *tool.Case, o *tool.Outcome) bool {
		return c.Class == c.Suite && (isGoCase(c.Suite, c.Suite, c.Name) || o != nil && o.What == "error" && isGoError(c.Name, o.Message))
	},
	Cases: func(in *tool.Input, rep *tool.Report) tool.CaseReader { return newJUnitGo(in, rep) },
}

// isGoCase says whether the suite is a package and the case is one of its tests.
func isGoCase(suite, class, name string) bool {
	top, _, _ := strings.Cut(name, "/")
	if suite == "" || class != suite || !isImportPath(suite) || !isGoTestName(top) {
		return false
	}
	return strings.Contains(suite, "/") || !strings.Contains(suite, ".") && suite[0] >= 'a' && suite[0] <= 'z'
}

// Case takes a test, or an entry that represents its package.
func (g *junitGo) Case(c *tool.Case) {
	g.run.now = c.Span
	s := g.open(c.Suite)
	g.run.touch(&s.span)
	var o *tool.Outcome
	if i := slices.IndexFunc(c.Outcomes, func(o tool.Outcome) bool { return o.What != "skipped" }); i >= 0 {
		o = &c.Outcomes[i]
	}
	top, _, _ := strings.Cut(c.Name, "/")
	if o != nil && (!isGoTestName(top) || c.Name == "TestMain") {
		g.packageFailed(c.Name, o)
		return
	}
	if o == nil {
		verdict := "pass"
		if c.Skipped {
			verdict = "skip"
		}
		s.tell(&goTest{name: c.Name, took: c.Took}, verdict)
		if g.passed != nil && !c.Skipped {
			g.passed[c.Suite+"."+c.Name] = true
		}
		return
	}
	s.framed()
	t := s.start(c.Name)
	t.took = c.Took
	s.printed(t, o.Text)
	s.failed(t)
	s.end(c.Name, "fail")
}

func (g *junitGo) open(pkg string) *goSection {
	if g.section == nil {
		g.section = g.run.open(pkg)
		g.section.verbose = true
	}
	return g.section
}

// printed adds the lines that a report holds of a test, without package testing's own.
func (s *goSection) printed(t *goTest, lines []string) {
	for _, line := range lines {
		if !frames(line, t.name) {
			s.testLine(t, line)
		}
	}
}

// packageFailed takes a case that represents a whole package.
func (g *junitGo) packageFailed(name string, o *tool.Outcome) {
	s := g.section
	g.outside = true
	lex.Put(&g.spans, s.pkg, g.run.now)
	built := strings.Contains(name, "build failed") || o.Message == "Build error"
	if built {
		g.run.build.line(s.pkg, "# "+s.pkg, g.run.now)
	}
	for _, line := range o.Text {
		if t, ok := readGoTrailer(line); ok && t.pkg == s.pkg {
			s.trailer = t
			continue
		}
		if built {
			g.run.build.line(s.pkg, line, g.run.now)
			continue
		}
		s.packageLine(line)
	}
	if built {
		s.trailer.note = "build failed"
	}
}

// OverCounts says whether the report's count of errors is too high: gotestsum counts compiler lines that it does not
// show.
func (g *junitGo) OverCounts() bool { return len(g.run.buildFailed) > 0 }

// EndSuite closes the package. A test with subtests is not counted, only its subtests are.
func (g *junitGo) EndSuite(printed []string) {
	s := g.section
	if s == nil {
		return
	}
	g.takeOutput(s, printed)
	s.trailer.pkg, s.trailer.verdict = s.pkg, "pass"
	if g.outside || len(s.failures) > 0 || s.beyond > 0 {
		s.trailer.verdict = "fail"
		s.failLine = !g.outside
	}
	came, parents := map[string]read.Outcome{}, parentsOf(s.ran, func(t tool.Test) string { return t.ID })
	for _, t := range s.ran {
		came[t.ID] = t.Outcome
	}
	for name, outcome := range came {
		g.run.passed += lex.Btoi(!parents[name] && outcome == tool.Passed)
		g.run.skipped += lex.Btoi(!parents[name] && outcome == tool.Skipped)
	}
	s.close()
	g.section, g.outside = nil, false
}

// takeOutput reads the system-out of the suite: the trace of a panic, or what an example printed.
func (g *junitGo) takeOutput(s *goSection, lines []string) {
	if i := slices.IndexFunc(s.failures, func(f goFailure) bool { return strings.HasPrefix(f.name, "Example") && !f.own }); i >= 0 {
		var t goTest
		t.name = s.failures[i].name
		for _, line := range lines {
			t.log.Add(line)
		}
		if f := explainTest(&t); f.own {
			f.finding.RawSpan = s.failures[i].finding.RawSpan
			s.failures[i] = f
		}
	}
	for _, line := range lines {
		s.packageLine(line)
	}
}

// Finish adds the findings to the report, and returns how many more failures than the report's counts are claimed.
func (g *junitGo) Finish() int {
	g.EndSuite(nil)
	rep := g.run.finish(true)
	if rep == nil {
		return g.run.claimed
	}
	if g.passed != nil {
		// The report is in no order of time: that a test passed means that it did in the end
		// only where the command says that what fails is run again.
		g.run.claimed -= mergeAttempts(rep, func(f *result.Finding) bool { return g.passed[f.ID] })
	}
	for _, f := range rep.Findings {
		f.Source = cmp.Or(f.Source, "go-test")
		if span, ok := g.spans[f.ID]; ok && f.RawSpan == nil {
			f.RawSpan = &span
		}
		g.rep.Add(f)
	}
	g.rep.DropAll(rep)
	for _, k := range [...]string{"passed", "skipped", "failed", "flaky", "packages_not_built"} {
		if n := rep.Counts[k]; n > 0 {
			g.rep.Counts[k] += n
		}
	}
	return g.run.claimed
}

// mergeAttempts merges the attempts at a test into one finding, which is a warning if the test passed in the end. It
// returns by how many the failures decreased.
func mergeAttempts(rep *tool.Report, passed func(f *result.Finding) bool) (gone int) {
	kept, at := rep.Findings[:0], map[string]int{}
	for _, f := range rep.Findings {
		i, again := at[f.ID]
		if again && f.Name != "" {
			kept[i].Attempts = max(kept[i].Attempts, 1) + 1
			gone++
			continue
		}
		at[f.ID] = len(kept)
		kept = append(kept, f)
	}
	for i := range kept {
		if f := &kept[i]; f.Name != "" && passed(f) {
			f.Severity, f.Tags, f.Attempts = result.SevWarning, append(f.Tags, "flaky"), max(f.Attempts, 1)+1
			rep.Counts["flaky"]++
			gone++
		}
	}
	rep.Findings = kept
	if gone > 0 {
		rep.Counts["failed"] -= gone
	}
	return gone
}
