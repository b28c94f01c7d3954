package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// The JSON that jest writes with --json, and vitest after it: a document with an
// element of testResults for each file.

// jestJSON reads --json.
func jestJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: read.Items(jestFile, "/testResults/*")}.Parse(in)
}

// testFile is a file of tests in jest's JSON, which vitest writes too.
type testFile struct {
	Name, Status, Message string
	AssertionResults      []struct {
		AncestorTitles  []string
		Title, Status   string
		FailureMessages []string
		Location        *struct{ Line, Column int }
	}
}

func jestFile(s *read.Sink, v *testFile) { v.findings(s, " › ", "") }

func (v *testFile) findings(s *read.Sink, sep, prefix string) {
	if v.Status == "failed" && len(v.AssertionResults) == 0 {
		_, text, _ := strings.Cut(v.Message, "● Test suite failed to run")
		if text == "" {
			text = v.Message
		}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: v.Name, Message: "Test suite failed to run", At: &result.Location{Path: v.Name}}
		if f.ID, _ = s.In.Workspace.Path(v.Name); f.ID == "" {
			f.ID = v.Name
		}
		jestExplain(&f, read.TextLines(text))
		s.FindHere(f)
	}
	for i := range v.AssertionResults {
		a := &v.AssertionResults[i]
		s.Tested = true
		s.Count(strings.Replace(a.Status, "pending", "skipped", 1), 1)
		if a.Status != "failed" {
			continue
		}
		f := result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, At: &result.Location{Path: v.Name},
			ID: strings.Join(append(append([]string{}, a.AncestorTitles...), a.Title), sep), Message: "failed",
		}
		if prefix != "" {
			f.ID = prefix + sep + f.ID
		}
		for _, m := range a.FailureMessages[:min(len(a.FailureMessages), 1)] {
			jestExplain(&f, read.TextLines(m))
		}
		s.FindHere(f)
	}
}
