package jstest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

// This file describes the JUnit XML of JavaScript test runners: jest writes it with jest-junit, mocha with
// mocha-junit-reporter, the others themselves.

var jestReports = &tool.Dialect{
	Suites: []string{"jest tests"},
	Unrun:  jestUnrun,
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		if n.Class == jestUnrun {
			return junit.JoinTitles(n.Name, n.Class), nil
		}
		if n.Class == n.Name { // by default both are all titles, joined by blanks
			return strings.TrimLeft(n.Name, " "), nil
		}
		return "", nil
	},
}

// jestUnrun is the class of a case for a file that jest could not run.
const jestUnrun = "Test suite failed to run"

var vitestReports = &tool.Dialect{
	Suites: []string{"vitest tests"},
	ID:     func(n *tool.CaseNames) (id string, suites []string) { return n.Class + " > " + n.Name, nil },
}

var mochaReports = &tool.Dialect{
	Suites: []string{"Mocha Tests"},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		if n.File == "" {
			return "", nil
		}
		return strings.TrimSpace(n.Class + " " + n.Name), []string{n.Class}
	},
}

var playwrightReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool { return tag.All && tag.Name == "" && tag.Has("id", "name", "skipped") },
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		id = n.Class + " › " + n.Name
		if n.Host != "" { // the project
			id = "[" + n.Host + "] › " + id
		}
		return id, nil
	},
	Message: playwrightLocator,
}

var nodeReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && strings.HasPrefix(strings.Join(tag.Attrs, " "), "name time disabled errors tests failures skipped hostname")
	},
	Wrote: func(c *tool.Case, o *tool.Outcome) bool {
		if o != nil && (o.Class == "testCodeFailure" || strings.HasSuffix(o.Class, "Failure") && strings.Contains(strings.Join(o.Text, "\n"), "ERR_TEST_FAILURE")) {
			return true
		}
		return c.Class == "test" && (c.File != "" || c.Suite == "")
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		name := strings.ReplaceAll(n.Name, "&quot;", `"`) // which it escapes twice
		return strings.TrimPrefix(strings.Join(slices.Concat([]string{n.File}, n.Titles, []string{name}), " › "), " › "), n.Titles
	},
	Message: nodeMessage,
}

// nodeMessage: the message attribute of node's reporter has lost its line
// breaks up to version 22; the text has them.
func nodeMessage(message string, body []string) string {
	if strings.Contains(message, "\n") || len(body) == 0 {
		return message
	}
	first := body[0]
	for _, before := range [...]string{"[", "Error", " [ERR_TEST_FAILURE]", ": "} {
		first = strings.TrimPrefix(first, before)
	}
	if first == "" || len(first) >= len(message) || !strings.HasPrefix(message, first) {
		return message
	}
	lines := []string{first}
	rest := message[len(first):]
	for _, s := range body[1:] {
		if !strings.HasPrefix(rest, s) {
			break
		}
		lines, rest = append(lines, s), rest[len(s):]
	}
	return strings.Join(lines, "\n")
}

// The JSON of jest --json, which vitest also writes: a document with an element of testResults for each file.

// jestJSON reads --json.
func jestJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: read.Items(jestFile, "/testResults/*")}.Parse(in)
}

// testFile is a file of tests in the JSON.
type testFile struct {
	Name, Status, Message string
	AssertionResults      []testResult
}

type testResult struct {
	AncestorTitles  []string
	Title, Status   string
	FailureMessages []string
	Duration        float64
	Invocations     int
	Location        *struct{ Line, Column int }
}

func jestFile(s *read.Sink, v *testFile) { v.findings(s, titleJoint, false) }

// assertionOutcomes maps the JSON's words for the outcome of a test.
var assertionOutcomes = map[string]read.Outcome{
	"passed": tool.Passed, "failed": tool.Failed, "pending": tool.Skipped, "skipped": tool.Skipped, "disabled": tool.Skipped, "todo": tool.Todo, "focused": tool.NotRun,
}

// findings reads a file. Ids of tests begin with the file; those of findings do so only if prefixed.
func (v *testFile) findings(s *read.Sink, sep string, prefixed bool) {
	path := testFileID(s, "", v.Name)
	_, text, above := strings.Cut(v.Message, "● Test suite failed to run")
	silent := v.Status == "failed" && !slices.ContainsFunc(v.AssertionResults, func(a testResult) bool { return a.Status == "failed" })
	if silent {
		s.Unread("a file of tests did not run to its end: " + path)
		s.NoTest(path)
	}
	if silent || above && v.Status == "failed" {
		text, _, _ = strings.Cut(cmp.Or(text, v.Message), "\n  ● ")
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: path, Message: "Test suite failed to run", At: &result.Location{Path: v.Name}}
		jestExplain(&f, read.TextLines(text))
		if strings.HasSuffix(v.Name, f.At.Path) { // vite's path for a file that it cannot parse
			f.At.Path, f.Locations = v.Name, nil
		}
		s.FindHere(f)
	}
	for i := range v.AssertionResults {
		a := &v.AssertionResults[i]
		s.Tested = true
		s.Count(strings.Replace(a.Status, "pending", "skipped", 1), 1)
		if prefixed && len(a.AncestorTitles) > 0 && a.AncestorTitles[0] == "" { // up to vitest 1, the empty title of the file
			a.AncestorTitles = a.AncestorTitles[1:]
		}
		title := strings.Join(append(append([]string{}, a.AncestorTitles...), a.Title), sep)
		t := tool.Test{ID: path + sep + title, DurationMS: int64(math.Ceil(a.Duration)), Outcome: assertionOutcomes[a.Status]}
		if t.Outcome == tool.Passed && a.Invocations > 1 {
			t.Outcome = tool.Flaky
		}
		if a.Location != nil && a.Location.Line > 0 {
			t.At = path + ":" + strconv.Itoa(a.Location.Line)
		}
		s.Ran(t)
		if a.Status != "failed" {
			continue
		}
		f := result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, At: &result.Location{Path: v.Name}, ID: title, Message: "failed",
		}
		if s.Tests.Also(t.ID, title); prefixed {
			f.ID = t.ID
		}
		for _, m := range a.FailureMessages[:min(len(a.FailureMessages), 1)] {
			jestExplain(&f, read.TextLines(m))
		}
		s.FindHere(f)
	}
}

// unexplained adds findings for the tests that failed by their rows, but are not in listed, the ids in vitest's list
// of failures. Tests with a project are left out, since findings do not name it.
func unexplained(s *read.Sink, listed map[string]bool) {
	if s.Tests == nil || s.Crowded() {
		return
	}
	for i := range s.Findings {
		listed[s.Findings[i].ID] = true
	}
	for _, t := range s.Tests.List() {
		if t.Outcome == tool.Failed && !listed[t.ID] && !strings.HasPrefix(t.ID, "[") {
			s.Add(result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: t.ID, Message: "failed"})
		}
	}
}

func firstLine(id string) string {
	first, _, _ := strings.Cut(id, "\n")
	return strings.TrimSpace(first)
}
