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
