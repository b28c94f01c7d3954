package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// nextestTold is what every test came to, as the lines of status tell it.
type nextestTold struct {
	at    map[string]int // by binary and test
	tests []tool.Test
	more  bool // there are more than are kept
}

// take takes a line of status. listed: it stands in the list behind the summary, which
// repeats the last of a test.
func (d *nextestTold) take(key string, n nextestStatus, listed bool) {
	t := tool.Test{ID: n.binary + "::" + n.test, Outcome: tool.Passed, DurationMS: n.took}
	switch {
	case strings.HasPrefix(n.word, "SETUP"):
		return
	case n.word == "SKIP":
		t.Outcome = tool.Skipped
	case strings.HasPrefix(n.word, "FLAKY "):
		t.Outcome = tool.Flaky
	case nextestFailed(n.word):
		t.Outcome = tool.Failed
	case n.word == "SLOW" || !nextestPassed(n.word):
		return
	}
	i, known := d.at[key]
	switch {
	case !known && len(d.tests) >= tool.MaxTests:
		d.more = true
	case !known:
		if d.at == nil {
			d.at = map[string]int{}
		}
		t.ID = strings.Clone(t.ID)
		d.at[strings.Clone(key)] = len(d.tests)
		d.tests = append(d.tests, t)
	case listed || strings.HasPrefix(n.word, "FLKY-FL "):
		if d.tests[i].Outcome == tool.Passed && t.Outcome != tool.Passed || t.Outcome == tool.Failed {
			d.tests[i].Outcome = t.Outcome
		}
	case d.tests[i].Outcome == tool.Failed && t.Outcome == tool.Passed && n.attempt > 1:
		d.tests[i].Outcome, d.tests[i].DurationMS = tool.Flaky, t.DurationMS
	case t.Outcome == tool.Failed:
		d.tests[i].Outcome, d.tests[i].DurationMS = tool.Failed, t.DurationMS
	}
}

// tell tells the tests.
func (d *nextestTold) tell(rep *tool.Report) {
	for _, t := range d.tests {
		rep.Ran(t)
	}
	if d.more {
		rep.Unread("there are more tests than are kept")
	}
}

// nextestTook reads the time in a line of status, "   0.005s" or ">  60.000s".
func nextestTook(s string) (ms int64) {
	ms, _ = lex.Millis(strings.TrimLeft(s, " >"))
	return ms
}
