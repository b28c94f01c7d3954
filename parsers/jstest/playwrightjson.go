package jstest

import (
	"math"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
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

// playwrightExplain completes a finding from its first error. The place of the test is kept beside the place of the
// error.
func playwrightExplain(f *result.Finding, lines []string) {
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "Error Context: ") {
			lines = lines[:i]
			break
		}
	}
	test := f.At
	jserror.Explain(f, lines)
	f.Message = playwrightLocator(f.Message, lines)
	f.Detail, f.Frames = "", nil
	if test != nil && f.At != nil && strings.HasSuffix(f.At.Path, "/"+test.Path) { // playwright prints it relative to the directory of the tests
		test.Path = f.At.Path
	}
	if test != nil && f.At != nil && (f.At.Line != test.Line || f.At.Path != test.Path) {
		f.Locations = []result.Location{{Path: test.Path, Line: test.Line}}
	}
}

// playwrightLocator adds to a message, from the error's log, the element for which the test waited, and the state of
// the element.
//
//	TimeoutError: locator.click: Timeout 900ms exceeded.
//	Call log:
//	  - waiting for getByRole('button', { name: 'Buy' })
//	  - attempting click action
//	    - element is not enabled
func playwrightLocator(message string, lines []string) string {
	if !strings.HasPrefix(message, "expect(locator).") && !strings.HasSuffix(message, " exceeded.") {
		return message
	}
	element, state := "", ""
	for _, line := range lines {
		text := strings.TrimPrefix(strings.TrimSpace(line), "- ")
		if said, ok := strings.CutPrefix(text, "Locator:"); ok && element == "" {
			element = strings.TrimSpace(said)
		} else if strings.HasPrefix(text, "waiting for ") && element == "" && strings.Contains(text, "(") {
			element = text
		}
		if strings.HasPrefix(text, "element is ") || strings.HasPrefix(text, "element was ") {
			state = ": " + text
		}
	}
	if element == "" || strings.Contains(message, element) {
		return message
	}
	return message + " " + element + state
}

// withoutShort removes the place above an excerpt, "   at cart.spec.js:2", which is relative to the directory of the
// tests, if a frame below has the whole path.
func withoutShort(lines []string) []string {
	for i, line := range lines {
		at, ok := strings.CutPrefix(line, "   at ")
		if !ok || strings.ContainsAny(at, " (") {
			continue
		}
		for _, below := range lines[i+1:] {
			if strings.HasPrefix(below, "    at ") && strings.Contains(below, "/"+strings.TrimLeft(at, "./")+":") {
				return append(lines[:i:i], lines[i+1:]...)
			}
		}
	}
	return lines
}
