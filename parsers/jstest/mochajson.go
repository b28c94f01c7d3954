package jstest

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// mochaTest is a test in mocha's JSON.
type mochaTest struct {
	FullTitle, File string
	Duration        float64
	CurrentRetry    int
	Err             struct {
		Stack, Message   string
		Expected, Actual json.RawMessage
	}
}

// ran records the test with its outcome.
func (v *mochaTest) ran(s *read.Sink, outcome read.Outcome) {
	if outcome == tool.Passed && v.CurrentRetry > 0 {
		outcome = tool.Flaky
	}
	s.Ran(tool.Test{ID: v.FullTitle, Outcome: outcome, DurationMS: int64(math.Ceil(v.Duration))})
}

func (v *mochaTest) find(s *read.Sink, stack string) {
	v.ran(s, tool.Failed)
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.FullTitle, Message: "failed"}
	mochaExplain(&f, read.TextLines(stack))
	if f.Expected == "" && f.Actual == "" {
		f.Expected, f.Actual = read.Value(v.Err.Expected), read.Value(v.Err.Actual)
	}
	if f.At == nil && v.File != "" {
		f.At = &result.Location{Path: v.File}
	}
	s.FindHere(f)
}

func mochaJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/failures/*": read.Item(func(s *read.Sink, v *mochaTest) {
			stack := v.Err.Stack
			stack = cmp.Or(stack, v.Err.Message)
			v.find(s, stack)
		}),
		"/passes/*":  read.Item(func(s *read.Sink, v *mochaTest) { v.ran(s, tool.Passed) }),
		"/pending/*": read.Item(func(s *read.Sink, v *mochaTest) { v.ran(s, tool.Skipped) }),
		"/stats": read.Item(func(s *read.Sink, v *struct{ Tests, Passes, Pending, Failures int }) {
			s.Tested, s.NoTests = true, v.Tests == 0
			s.Claim(v.Failures)
			for word, n := range map[string]int{"passed": v.Passes, "skipped": v.Pending, "failed": v.Failures} {
				if n > 0 {
					s.Count(word, n)
				}
			}
		}),
	}}.Parse(in)
}

// mochaReport returns the files in the options of a reporter: "-O mochaFile=F,toConsole=true".
func mochaReport(arg, next string) (all []string) {
	flag, options, _ := strings.Cut(arg, "=")
	if flag != "--reporter-options" && flag != "--reporter-option" && flag != "-O" {
		return nil
	}
	for option := range strings.SplitSeq(options+","+next, ",") {
		if key, file, _ := strings.Cut(option, "="); (key == "mochaFile" || key == "output") && file != "" {
			all = append(all, file)
		}
	}
	return all
}

// mochaStream reads the json-stream reporter: one array per line, with the name and the data of an event. The last
// event is "end", with the counts.
func mochaStream(in *tool.Input) *tool.Report {
	return read.Text{Line: mochaEvent, Closes: true}.Parse(in)
}

func mochaEvent(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(l.Text, `["`) {
		return false
	}
	var event []json.RawMessage
	var name string
	if json.Unmarshal([]byte(l.Text), &event) != nil || len(event) != 2 || json.Unmarshal(event[0], &name) != nil {
		return false
	}
	switch name {
	case "fail":
		var v struct {
			FullTitle, File, Err, Stack string
			Duration                    float64
		}
		if json.Unmarshal(event[1], &v) != nil {
			return false
		}
		s.Ran(tool.Test{ID: v.FullTitle, Outcome: tool.Failed, DurationMS: int64(math.Ceil(v.Duration))})
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.FullTitle, Message: "failed"}
		v.Stack = cmp.Or(v.Stack, v.Err)
		mochaExplain(&f, read.TextLines(v.Stack))
		if f.At == nil && v.File != "" {
			f.At = &result.Location{Path: v.File}
		}
		s.Find(l, f)
	case "end":
		var v struct{ Passes, Pending, Failures int }
		return json.Unmarshal(event[1], &v) == nil && s.Sum(l, v.Passes+v.Failures+v.Pending, v.Failures, 0, v.Pending)
	case "start":
	case "pass":
		var v mochaTest
		if json.Unmarshal(event[1], &v) != nil {
			return false
		}
		v.ran(s, tool.Passed)
	default:
		return false
	}
	s.Cover(l)
	return true
}
