package jstest

import (
	"strings"

	"cairn/parsers/read"
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
				Status string
				Errors []struct {
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
			if test.Status != "unexpected" && test.Status != "flaky" {
				continue
			}
			id := strings.Join(append(append([]string{spec.File}, titles...), spec.Title), " › ")
			if test.ProjectName != "" {
				id = "[" + test.ProjectName + "] › " + id
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
