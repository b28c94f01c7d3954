package jstest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
	if v.Status == "failed" && !slices.ContainsFunc(v.AssertionResults, func(a testResult) bool { return a.Status == "failed" }) {
		s.Unread("a file of tests did not run to its end: " + path)
		s.NoTest(path)
	}
	if v.Status == "failed" && len(v.AssertionResults) == 0 {
		_, text, _ := strings.Cut(v.Message, "● Test suite failed to run")
		text = cmp.Or(text, v.Message)
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
