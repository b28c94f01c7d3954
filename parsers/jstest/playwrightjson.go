package jstest

import (
	"math"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// playwrightSuite is a file, or a group of tests in one, in the JSON.
type playwrightSuite struct {
	Title, File string
	Suites      []playwrightSuite
	Specs       []struct {
		Title, File  string
		Line, Column int
		Tests        []struct {
			ProjectName, Status string
			Results             []struct {
				Status   string
				Duration float64
				Errors   []struct {
					Message  string
					Location *struct {
						File         string
						Line, Column int
					}
				}
			}
		}
	}
}

// playwrightCame maps the JSON's words for the outcome of a test.
var playwrightCame = map[string]read.Outcome{
	"expected": tool.Passed, "unexpected": tool.Failed, "flaky": tool.Flaky, "skipped": tool.Skipped,
}

func (v *playwrightSuite) find(s *read.Sink, file string, titles []string) {
	if file == "" {
		file = v.File
	} else {
		titles = append(titles[:len(titles):len(titles)], v.Title)
	}
	for i := range v.Suites {
		v.Suites[i].find(s, file, titles)
	}
	for _, spec := range v.Specs {
		for _, test := range spec.Tests {
			id := strings.Join(append(append([]string{spec.File}, titles...), spec.Title), titleJoint)
			if test.ProjectName != "" {
				id = "[" + test.ProjectName + "]" + titleJoint + id
			}
			t := tool.Test{ID: id, Outcome: playwrightCame[test.Status], At: spec.File + ":" + strconv.Itoa(spec.Line)}
			for _, r := range test.Results {
				t.DurationMS += int64(math.Ceil(r.Duration))
			}
			if s.Ran(t); test.Status != "unexpected" && test.Status != "flaky" {
				continue
			}
			f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed", At: &result.Location{Path: spec.File, Line: spec.Line, Column: spec.Column}}
			if test.Status == "flaky" {
				f.Severity, f.Tags = result.SevWarning, []string{"flaky"}
			}
			for _, r := range test.Results[:min(len(test.Results), 1)] {
				for _, e := range r.Errors[:min(len(r.Errors), 1)] {
					playwrightExplain(&f, read.TextLines(e.Message))
					if e.Location != nil {
						f.At = &result.Location{Path: e.Location.File, Line: e.Location.Line, Column: e.Location.Column}
					}
				}
			}
			s.FindHere(f)
		}
	}
}
