package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// behaveTest is a scenario as a formatter names it.
type behaveTest struct {
	tool.Test        // the outcome is not known until the end, but where a formatter tells it
	place     string // "features/brew.feature:12"; plain tells none
	shown     string // its name
	started   bool   // a step of it was printed
	finding   string // the id of the finding, where it failed
}

// behaveTests gathers scenarios. The formatter pretty names them and their steps, and says
// nothing of one that passed; plain has the outcome of each step; JSON says what each came to:
//
//	Scenario: passes  # features/brew.feature:8
//	  Given a kettle  # features/steps/steps.py:2
//	Scenario: is skipped  # features/brew.feature:12
//	  Given a kettle      # None
//
//	Scenario: passes
//	  Given a kettle ... passed in 0.000s
type behaveTests struct {
	feature string // around the next scenario, in plain
	indent  int    // of the steps of the last one
	rows    []behaveTest
	unshown []tool.Test // that failed, and are in the list alone
}

// scenario takes the line of a scenario. One without a place is named with its feature.
func (b *behaveTests) scenario(line, name, where string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if b.indent = indent + 2; indent != 2 && indent != 4 || len(b.rows) >= tool.MaxTests {
		return // of a text that a step is given, or too many
	}
	t := behaveTest{shown: strings.Clone(name), place: strings.Clone(where)}
	if path, _, ok := place.Cut(where + ": "); ok {
		t.ID, t.At = path.Path+" › "+t.shown, t.place
	} else {
		t.ID = b.feature + " › " + t.shown
	}
	b.rows = append(b.rows, t)
}

// step takes a step of the scenario that was named last.
func (b *behaveTests) step(line, text string) {
	if len(b.rows) == 0 || len(line)-len(strings.TrimLeft(line, " ")) != b.indent {
		return
	}
	t := &b.rows[len(b.rows)-1]
	came := tool.Passed
	if _, said, ok := strings.Cut(text, " ... "); ok {
		said, took, _ := strings.Cut(said, " in ")
		ms, timed := lex.Millis(took)
		if t.DurationMS += ms; !timed {
			return
		}
		if came = read.Outcome(said); said == "undefined" || said == "pending" {
			came = tool.Failed
		}
	} else if !t.started && strings.HasSuffix(text, "# None") {
		came = tool.Skipped
	} else if t.place != "" {
		t.started = true
		return
	}
	t.started = true
	if t.Outcome == "" || t.Outcome == tool.Passed {
		t.Outcome = came
	}
}

// failed says that a scenario is in the list of those that failed, and the id of its finding.
func (b *behaveTests) failed(where, name, id string, came read.Outcome) {
	for i := range b.rows {
		t := &b.rows[i]
		if t.place == where || t.place == "" && t.shown == name {
			t.Outcome, t.place, t.finding = came, strings.Clone(where), strings.Clone(id)
			return
		}
	}
	b.unshown = append(b.unshown, tool.Test{ID: strings.Clone(id), Outcome: came, At: strings.Clone(where)})
}

// tell tells the scenarios, where there are as many as behave counts. Those of which it is not
// shown what they came to passed, or were skipped, where only that agrees with the counts.
func (b *behaveTests) tell(s *read.Sink) {
	left := map[read.Outcome]int{tool.Passed: s.Counts["passed"], tool.Skipped: s.Counts["skipped"]}
	open, counted := 0, s.Counts["failed"]+s.Counts["error"]+left[tool.Passed]+left[tool.Skipped]
	for i := range b.rows {
		if t := &b.rows[i]; t.Outcome == "" {
			open++
		} else {
			left[t.Outcome]--
		}
	}
	for _, t := range b.unshown {
		s.Ran(t)
	}
	if len(b.rows) == 0 {
		return
	}
	hidden := counted - len(b.rows) - len(b.unshown) // that were not selected: they count as skipped
	if left[tool.Skipped] -= hidden; hidden < 0 || left[tool.Skipped] < 0 {
		s.Unread("there are not as many scenarios as behave counts")
		left = nil
	}
	for _, t := range b.rows {
		switch {
		case t.Outcome != "":
		case left[tool.Passed] == open:
			t.Outcome = tool.Passed
		case left[tool.Skipped] == open:
			t.Outcome = tool.Skipped
		default:
			s.Unread("it is not shown which scenarios were skipped")
			continue
		}
		if s.Ran(t.Test); t.finding != "" {
			s.Tests.Also(t.ID, t.finding)
		}
	}
}
