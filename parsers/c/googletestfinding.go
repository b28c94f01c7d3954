package c

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// googleTestFinding returns the finding for a failed test, from the text of its failures.
func googleTestFinding(in *tool.Input, name, params string, text []string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Params: params}
	junit.Explain(in, &f, text, "", "")
	for _, line := range text {
		if at, ok := frame.Cut(line); ok && strings.HasSuffix(line, ": Failure") && f.At != nil && at != *f.At && len(f.Locations) < 8 {
			f.Locations = append(f.Locations, at)
		}
	}
	f.Message = lex.Headline(cmp.Or(f.Message, "failed") + googleTestMore(text))
	if f.Params != "" {
		f.Message += " (" + f.Params + ")"
	}
	return f
}

// googleTestCase returns a test with its duration, from the line that ends the test.
func googleTestCase(name, rest string, came read.Outcome) tool.Test {
	t := tool.Test{ID: name, Outcome: came}
	if i := strings.LastIndex(rest, " ("); i > 0 {
		t.DurationMS, _ = lex.Millis(strings.TrimSuffix(rest[i+2:], ")"))
	}
	return t
}

// googleTestMore returns what the lines below the first say of a failure, besides its values: how a death test ended,
// which function of a mock was called, and in which SCOPED_TRACE the failure was.
func googleTestMore(lines []string) (more string) {
	traced := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case i > 0 && strings.HasSuffix(line, ": Failure"):
			return more // only the first failure is reported
		case text == "Google Test trace:":
			traced = true
		case traced:
			if _, rest, ok := place.Cut(text); ok {
				more += " (in " + rest + ")"
			}
		case lex.HasAnyPrefix(text, "Result: ", "Function call: "), strings.HasPrefix(line, "  Expected: contains regular expression"):
			more += ": " + text
		case strings.HasPrefix(text, "[  DEATH   ] ") && strings.TrimSpace(text[len("[  DEATH   ] "):]) != "" && !strings.Contains(more, "; it said "):
			more += "; it said " + strings.TrimSpace(text[len("[  DEATH   ] "):])
		}
	}
	return more
}

// fromFailure returns the lines from the first failed assertion on, or all.
func fromFailure(lines []string) []string {
	for i, line := range lines {
		if strings.HasSuffix(line, ": Failure") {
			return lines[i:]
		}
	}
	return lines
}

// googleSetUp is a failure outside of tests: in the set-up or tear-down of a suite, or of all tests.
type googleSetUp struct {
	suite string // "" if no line names it
	at    tool.Line
	end   int64
	text  []string
}

// maxOutside is the maximum number of failures outside of tests that are kept.
const maxOutside = 1000

// googleSuite returns the suite in "2 tests from Suite" and "2 tests from Inst/Param, where …".
func googleSuite(rest string) string {
	count, name, _ := strings.Cut(rest, " from ")
	if !strings.HasSuffix(strings.TrimSuffix(count, "s"), " test") || strings.HasSuffix(rest, " ms total)") {
		return ""
	}
	return strings.Clone(testName(name))
}

// setUp keeps a line of a failure outside of tests.
func (g *googleTest) setUp(text string, l tool.Line) bool {
	if strings.HasSuffix(text, ": Failure") && len(g.outside) < maxOutside {
		g.outside, g.within = append(g.outside, googleSetUp{suite: g.suite, at: l}), true
	}
	if n := len(g.outside); g.within && len(g.outside[n-1].text) < 50 {
		g.outside[n-1].text, g.outside[n-1].end = append(g.outside[n-1].text, strings.Clone(text)), l.End
	}
	return g.within
}

// apart separates, in the brief form, the text of a failed test from the text above it. There, tests may have been
// skipped because the set-up of their suite failed: such a failure is above a line "x.cc:9: Skipped".
func (g *googleTest) apart(l tool.Line) {
	own, skipped := 0, false
	for i, line := range g.text {
		switch {
		case strings.HasSuffix(line, ": Skipped"):
			skipped = true
		case strings.HasSuffix(line, ": Failure") && skipped:
			own, skipped = i, false
		}
	}
	for _, line := range g.text[:own] {
		g.within = g.within && !strings.HasSuffix(line, ": Skipped")
		g.setUp(line, l)
	}
	g.text, g.within = g.text[own:], false
}

// unnamed notes, in the brief form, the span of the text that no row has ended yet.
func (g *googleTest) unnamed(l tool.Line) {
	if len(g.text) == 0 {
		g.last = l
	}
	g.last.End = max(g.last.End, l.End)
}

// leave turns the remaining failures, which belong to no test, into failures outside of tests.
func (g *googleTest) leave(l tool.Line) {
	g.text = append(g.text, ": Skipped", ": Failure")
	g.apart(l)
}

// unended completes the report of a program in the brief form that ended before its totals, as when a test exits. The
// failures of the running test are reported without its name, which is unknown.
func (g *googleTest) unended(s *read.Sink) {
	if g.last.Text = ""; slices.ContainsFunc(g.text, func(line string) bool { return strings.HasSuffix(line, ": Failure") }) {
		g.text = fromFailure(g.text)
		g.leave(g.last)
	}
	if len(g.outside)+len(s.Findings) > 0 {
		s.Tested, s.Doubt = true, "the run ended before its totals"
	}
}

// tellOutside adds findings for the failures outside of tests. Of several in one suite, only the first is kept.
func (g *googleTest) tellOutside(s *read.Sink) {
	told := map[string]bool{}
	for _, o := range g.outside {
		if o.suite != "" && told[o.suite] {
			continue
		}
		told[o.suite] = true
		f := googleTestFinding(g.in, o.suite, "", o.text)
		f.Severity = result.SevError
		s.Count("error", 1)
		s.Find(o.at, f)
		s.Reach(tool.Line{Start: o.at.Start, End: o.end})
		s.Break()
	}
}

// again takes a test in the list of the summary.
func (g *googleTest) again(s *read.Sink, l tool.Line, name string) {
	if suite, _, ok := strings.Cut(name, ": SetUpTest"); ok {
		if !slices.ContainsFunc(g.outside, func(o googleSetUp) bool { return o.suite == suite }) {
			g.outside = append(g.outside, googleSetUp{suite: suite, at: l, text: []string{name}})
		}
		return
	}
	for i := range s.Findings {
		if s.Findings[i].ID == name {
			return
		}
	}
	if name != "" && strings.Contains(name, ".") {
		g.text = nil
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: "failed"})
	}
}

// googleTestTold is a test in the document that --gtest_output=json writes. A list of tests (--gtest_list_tests) has
// the same form, without a status.
type googleTestTold struct {
	Name, Classname, Status, Result, Time string
	ValueParam                            string `json:"value_param"`
	TypeParam                             string `json:"type_param"`
	Failures                              []struct{ Failure string }
}

func googleTestJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: read.Items(googleTestRan, "/testsuites/*/testsuite/*")}.Parse(in)
}

func googleTestRan(s *read.Sink, v *googleTestTold) {
	if v.Status == "" {
		s.Decline()
		return
	}
	name := v.Classname + "." + v.Name
	came := tool.Passed
	switch {
	case len(v.Failures) > 0:
		came = tool.Failed
	case v.Status != "RUN", v.Result != "" && v.Result != "COMPLETED": // "" before version 1.10
		came = tool.Skipped
	}
	ms, _ := lex.Millis(v.Time)
	s.Counted(tool.Test{ID: name, Outcome: came, DurationMS: ms})
	if came != tool.Failed {
		return
	}
	var text []string
	for _, f := range v.Failures {
		at, said, _ := strings.Cut(f.Failure, "\n")
		text = append(text, at+": Failure")
		text = append(text, read.TextLines(said)...)
	}
	var params string
	switch {
	case v.ValueParam != "":
		params = "GetParam() = " + v.ValueParam
	case v.TypeParam != "":
		params = "TypeParam = " + v.TypeParam
	}
	s.Claim(1)
	s.FindHere(googleTestFinding(s.In, name, params, text))
}

// googleTestOutput is the flag that requests a report.
const googleTestOutput = "--gtest_output="

// googleTestReport returns the file in "--gtest_output=xml:FILE" or "=json:FILE". It may be a directory, or left out.
func googleTestReport(arg, _ string) []string {
	value, ok := strings.CutPrefix(arg, googleTestOutput)
	kind, file, _ := strings.Cut(value, ":")
	if !ok || kind != "xml" && kind != "json" {
		return nil
	}
	return []string{cmp.Or(file, "test_detail."+kind)}
}
