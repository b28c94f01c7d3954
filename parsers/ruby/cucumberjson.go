package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

func cucumberFeature(s *read.Sink, v *struct {
	URI      string
	Elements []struct {
		Keyword, Name, Type string
		Line                int
		Steps               []struct {
			Line   int
			Match  struct{ Location string }
			Result struct {
				Status   string
				Duration float64 // nanoseconds
				Message  string  `json:"error_message"`
			}
		}
	}
}) {
	before := "" // the background's status
	named := map[string]bool{}
	for _, e := range v.Elements {
		came, took, id := "", 0.0, v.URI+" # "+e.Keyword+": "+e.Name
		for _, step := range e.Steps {
			took += step.Result.Duration
			if came == "" || came == "passed" {
				came = step.Result.Status
			}
			if step.Result.Status != "failed" {
				continue
			}
			said := read.TextLines(step.Result.Message)
			f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed", ID: id, Name: e.Keyword + ": " + e.Name, At: &result.Location{Path: v.URI, Line: step.Line}}
			if len(said) > 0 {
				c := &cucumber{}
				c.frame(s.In, tool.Line{}, said[0], *f.At)
				f.Message, f.Rule, f.Detail = c.open.message, c.open.class, strings.Join(said, "\n")
			}
			if at, _, ok := place.CutPlace(step.Match.Location); ok {
				f.At, f.Frames = &at, []result.Location{*f.At}
			}
			s.FindHere(f)
		}
		if e.Type == "background" {
			before = came
			continue
		}
		if named[id] {
			s.Unread("the examples of an outline share a name")
		}
		named[id] = true
		cucumberCame(s, tool.Test{ID: id, DurationMS: lex.OfSeconds(took / 1e9)}, before, came)
	}
	s.Tested = true
}

// cucumberCame reports the outcome of a scenario. before is the status of its background, came that of its first
// step that did not pass.
func cucumberCame(s *read.Sink, t tool.Test, before, came string) {
	if before == "failed" {
		came = before
	}
	if t.Outcome = read.Outcome(lex.Means(came, "passed: passed; failed: failed; skipped: skipped, undefined, pending")); t.Outcome == "" { // Cucumber before version 3 does not report the examples of an outline
		s.Unread("the examples of an outline are not told")
		return
	}
	s.Counted(t)
}
