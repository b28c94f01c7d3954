package golang

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ginkgo", func(p *tool.Parser) {
	p.Is("ginkgo", result.Test, 1, "ginkgo 2: its own command, every verbosity, its report in JSON; specs that go test runs are go-test's")
	p.ColumnUnit = "byte"
	p.JUnit = ginkgoReports
	p.Reads(tool.Format{Name: "text", Parse: parseGinkgo})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Ginkgo ran "}, Parse: parseGinkgo})
	p.Reads(tool.Format{Name: "json", Starts: []string{`"SuiteDescription": "`}, Parse: parseGinkgoReport})
})

// ginkgoReports: --junit-report names a spec "[It] Cart adds", in a class that is its suite.
var ginkgoReports = &tool.Dialect{
	Property: func(name string) bool { return name == "SuiteHasProgrammaticFocus" },
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		return specName(n.Name), nil
	},
}

// ginkgoRun reads the output of the ginkgo command: each suite prints its specs and their counts, as inside of go test.
// For a suite that does not compile, the compiler's lines are read.
type ginkgoRun struct {
	specs ginkgo
	tests ginkgoTests
	told  int  // how many of the specs are findings already
	dry   bool // --dry-run: no spec is run

	plain *goText // the tests of a package without specs, which ginkgo runs as go test -v does
}

func parseGinkgo(in *tool.Input) *tool.Report {
	r := &ginkgoRun{}
	for _, a := range in.Command().Argv {
		r.dry = r.dry || strings.TrimLeft(a, "-") == "dry-run"
	}
	return read.Text{Line: r.line, End: r.endSuite, Closes: true}.Parse(in)
}

func (r *ginkgoRun) line(s *read.Sink, l tool.Line) bool {
	if r.plainLine(s, l) {
		return true
	}
	t := strings.TrimSpace(l.Text)
	r.tests.line(s, l.Text)
	r.specs.line(l.Text, result.Span{Start: l.Start, End: l.End})
	switch {
	case r.counts(s, t):
		r.endSuite(s)
	case t == "Test Suite Failed", t == "Test Suite Passed":
		s.Close(l)
	case strings.HasPrefix(t, "Running Suite: "), strings.HasPrefix(t, "Ginkgo ran "):
		s.Sign(l)
	case strings.HasPrefix(t, "Failed to compile "):
		s.Sign(l)
		s.Path = strings.TrimSuffix(t[len("Failed to compile "):], ":")
	case s.Path != "" && r.compiler(s, l):
	case t == "ginkgo run failed" || t == "ginkgo build failed":
		s.Meaning = result.MeansUsage
		s.Close(l)
	case s.Meaning == result.MeansUsage && t != "" && len(s.Findings) == 0:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: t})
	case strings.HasPrefix(t, "flag provided but not defined: "), strings.HasPrefix(t, "Unknown Command: "):
		s.Misuse(l, t)
	}
	return true
}

// plainLine takes a line of tests without specs: from "=== RUN   TestA" to the verdict of their package.
func (r *ginkgoRun) plainLine(s *read.Sink, l tool.Line) bool {
	if r.plain == nil && strings.HasPrefix(l.Text, "=== RUN   ") {
		run := newGoRun(s.In)
		run.report, run.binary = s.Report, true // no line names the package
		r.plain = &goText{run: run, section: run.open("")}
	}
	if r.plain == nil {
		return false
	}
	suite := strings.HasPrefix(l.Text, "Running Suite: ")
	if now := r.plain.current; suite && now != nil { // the test runs specs
		delete(r.plain.section.tests, now.name)
	} else if !suite {
		r.plain.run.now = result.Span{Start: l.Start, End: l.End}
		r.plain.line(l)
	}
	if suite || lex.IsOneOf(l.Text, "FAIL PASS") {
		r.endPlain(s)
	}
	return !suite
}

// endPlain reports what the tests without specs said.
func (r *ginkgoRun) endPlain(s *read.Sink) {
	run := r.plain.run
	r.plain.section.failLine = true
	r.plain.section.unfinished()
	run.locate()
	for key, n := range map[string]int{"passed": run.passed, "failed": run.failed, "skipped": run.skipped} {
		if n > 0 {
			s.Count(key, n)
		}
	}
	s.Claim(run.claimed)
	s.Tested = s.Tested || run.passed+run.failed+run.skipped > 0
	r.plain = nil
}

// counts reads "FAIL! -- 2 Passed | 5 Failed | 1 Pending | 1 Skipped", where "FAIL! - Interrupted by User -- " says more.
// In ginkgo's short form, the suite's name precedes it on the line.
func (r *ginkgoRun) counts(s *read.Sink, t string) bool {
	said, counts, ok := strings.Cut(t, " -- ")
	if !ok || !strings.Contains(said, "FAIL!") && !strings.HasSuffix(said, "SUCCESS!") || !strings.Contains(counts, " Passed | ") {
		return false
	}
	s.NoTests = s.Scores(read.Counts(counts), "passed: passed; failed: failed; todo: pending; skipped: skipped") == 0
	s.Tested = !r.dry
	return true
}

// endSuite turns the specs of a suite that has ended into findings.
func (r *ginkgoRun) endSuite(s *read.Sink) {
	if r.plain != nil { // the output ends within tests
		r.endPlain(s)
	}
	for ; r.told < len(r.specs.specs); r.told++ {
		p := r.specs.specs[r.told]
		if p.missed() {
			continue
		}
		f := p.finding()
		if f.ID, f.Name = specName(p.head), specName(p.head); f.At == nil {
			f.At = read.Own(s.In, f.Frames)
		}
		s.Add(f)
	}
}

// compiler reads the go command's lines below "Failed to compile pkg:".
func (r *ginkgoRun) compiler(s *read.Sink, l tool.Line) bool {
	d, ok := read.CutDiagnostic(l.Text)
	if !ok || !strings.HasSuffix(d.At.Path, ".go") || lex.IsDigits(d.At.Path) {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Message: d.Message, At: &d.At})
}

// missing adds a spec of the list at the end, "  [FAIL] Cart totals [It] one", if the output begins behind its failure.
func (g *ginkgo) missing(s string, at result.Span) {
	verdict, head, ok := strings.Cut(strings.TrimPrefix(s, "  ["), "] ")
	if g.open = nil; ok && len(g.specs) < g.listed && !slices.ContainsFunc(g.specs, func(p *ginkgoSpec) bool { return p.head == head }) {
		g.open = &ginkgoSpec{head: head, text: []string{verdict}, span: at, spot: !strings.HasPrefix(verdict, "PANICKED")} // a panic's place is Go's own
		g.specs = append(g.specs, g.open)
	}
}

// after reads what follows the place of a panic: its value and its stack. With -vv, a line of progress ends it:
//
//	< Exit [It] panics - /src/a_test.go:12 @ 11/24/26 09:00:00 (0s)
func (p *ginkgoSpec) after(text string) {
	if !p.paniced || text == "" || text == "Full Stack Trace" || lex.HasAnyPrefix(text, "> Enter [", "< Exit [") {
		return
	}
	if at, ok := frame.Go(text); ok && strings.Contains(text, ".go:") {
		lex.Keep(&p.frames, maxGoFrames, at)
		return
	}
	if len(p.frames) == 0 && len(p.text) == 1 { // follows "Test Panicked"
		p.text = append(p.text, text)
	}
}

// ginkgoSpot restores the line that says where a spec failed, which --github-output
// replaces by a command for GitHub:
//
//	::error file=/src/a_test.go,line=15::It 11/26/26 23:31:16.241
//	In [It] at: /src/a_test.go:15 @ 11/26/26 23:31:16.241
func ginkgoSpot(s string) string {
	text := strings.TrimLeft(s, " ")
	rest, ok := strings.CutPrefix(text, "::error file=")
	path, rest, _ := strings.Cut(rest, ",line=")
	line, rest, both := strings.Cut(rest, "::")
	node, when, _ := strings.Cut(rest, " ")
	if !ok || !both {
		return s
	}
	return s[:len(s)-len(text)] + "In [" + node + "] at: " + path + ":" + line + " @ " + when
}

// ginkgoSource is a place in ginkgo's JSON report.
type ginkgoSource struct {
	FileName       string
	LineNumber     int
	FullStackTrace string
}

func (p ginkgoSource) at() *result.Location {
	if p.FileName == "" {
		return nil
	}
	return &result.Location{Path: p.FileName, Line: p.LineNumber}
}

// ginkgoReported is a spec in the JSON report, or a node that runs before or after all specs.
type ginkgoReported struct {
	ContainerHierarchyTexts       []string
	LeafNodeType, LeafNodeText    string
	LeafNodeLocation              ginkgoSource
	State                         string
	RunTime                       int64 // in nanoseconds
	NumAttempts, MaxFlakeAttempts int
	Failure                       struct {
		Message, ForwardedPanic, FailureNodeType string
		Location                                 ginkgoSource
	}
}

// parseGinkgoReport reads what --json-report writes: a list of suites.
func parseGinkgoReport(in *tool.Input) *tool.Report {
	return read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{
		"/*/SpecReports/*": read.Item(ginkgoReportedSpec),
		"/*/SpecialSuiteFailureReasons/*": read.Item(func(s *read.Sink, why *string) {
			s.FindHere(result.Finding{Kind: result.GenericFinding, Message: *why})
		}),
	}}.Parse(in)
}

func ginkgoReportedSpec(s *read.Sink, v *ginkgoReported) {
	head := strings.TrimSpace(strings.Join(v.ContainerHierarchyTexts, " ") + " [" + v.LeafNodeType + "] " + v.LeafNodeText)
	came := cmp.Or(lex.Means(v.State, "passed: passed; todo: pending; skipped: skipped"), "failed") // every other state is a failure
	t := tool.Test{ID: specName(head), Outcome: read.Outcome(came), DurationMS: v.RunTime / 1e6}
	bad := t.Outcome == tool.Failed
	if t.Outcome == tool.Passed && v.NumAttempts > 1 && v.MaxFlakeAttempts > 1 {
		t.Outcome = tool.Flaky
	}
	if v.LeafNodeType == "It" {
		s.Tested = true
		s.Count(came, 1)
		s.Ran(t)
	}
	if !bad {
		return
	}
	p := &ginkgoSpec{head: head, at: v.Failure.Location.at(), text: strings.Split(v.Failure.Message, "\n"), paniced: v.State == "panicked"}
	if v.LeafNodeType == "It" && v.Failure.FailureNodeType != "It" {
		p.it = v.LeafNodeLocation.at()
	}
	if p.paniced {
		for line := range strings.SplitSeq(v.Failure.ForwardedPanic+"\n"+v.Failure.Location.FullStackTrace, "\n") {
			p.after(strings.TrimSpace(line))
		}
	}
	f := p.finding()
	if f.ID, f.Name = t.ID, t.ID; f.At == nil {
		f.At = read.Own(s.In, f.Frames)
	}
	s.FindHere(f)
}
