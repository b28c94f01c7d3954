package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
)

// Scenarios gathers the scenarios that a runner of features shows, and tells what they came to
// once their counts are there. A tree of scenarios and steps often says nothing of what passed:
//
//	  Scenario: passes  # features/brew.feature:8
//	    Given a kettle  # features/steps/steps.py:2
//	…
//	Failing scenarios:
//	  features/brew.feature:12  fails
type Scenarios struct {
	Joint string // between the file and the name: " › "
	// Hides: scenarios that were not selected are counted as skipped, and not shown.
	Hides bool
	// Evident: what each came to is shown, so that one of which it is not came to nothing.
	Evident bool

	rows    []scenario
	unshown []tool.Test // that are in the list at the end alone
	steps   int         // the indent of the steps of the last one
}

// scenario is a scenario that the runner printed.
type scenario struct {
	tool.Test        // Outcome is "" where it is not shown
	place     string // "features/brew.feature:12"; "" where that is not shown
	name      string
	finding   string // the id of the finding, where it failed
}

// Shown adds the scenario of a line. One whose place is not shown is named with its feature.
// A line that is indented further is of a text that a step is given.
func (c *Scenarios) Shown(line, feature, name, where string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if c.steps = indent + 2; indent != 2 && indent != 4 || len(c.rows) >= tool.MaxTests {
		return
	}
	t := scenario{name: strings.Clone(name), place: strings.Clone(where)}
	if at, _, ok := place.Cut(where + ": "); ok {
		t.ID, t.At = at.Path+c.Joint+t.name, t.place
	} else {
		t.ID = feature + c.Joint + t.name
	}
	c.rows = append(c.rows, t)
}

// Hidden says that what follows are no steps of a scenario that was shown.
func (c *Scenarios) Hidden() { c.steps = -1 }

// Last is the scenario that was shown last, where the line may be one of its steps.
func (c *Scenarios) Last(line string) *tool.Test {
	if n := len(c.rows); n > 0 && len(line)-len(strings.TrimLeft(line, " ")) == c.steps {
		return &c.rows[n-1].Test
	}
	return nil
}

// Listed says what a scenario came to that is in a list at the end, and the id of its finding.
func (c *Scenarios) Listed(where, name, id string, came Outcome) {
	for _, same := range [...]func(*scenario) bool{
		func(t *scenario) bool { return t.place == where },
		func(t *scenario) bool { return t.finding == "" && (t.ID == id || t.place == "" && t.name == name) },
	} {
		for i := range c.rows {
			if t := &c.rows[i]; same(t) {
				t.Outcome, t.place, t.finding = came, strings.Clone(where), strings.Clone(id)
				return
			}
		}
	}
	c.unshown = append(c.unshown, tool.Test{ID: strings.Clone(id), Outcome: came, At: strings.Clone(where)})
}

// Tell tells the scenarios, of which the runner counts so many. Those of which it is not shown
// what they came to passed, or were skipped, where only that agrees with the counts.
func (c *Scenarios) Tell(s *Sink, total int) {
	for _, t := range c.unshown {
		s.Ran(t)
	}
	passed, skipped, open := s.Counts["passed"], s.Counts["skipped"], 0
	for _, t := range c.rows {
		switch t.Outcome {
		case "":
			open++
		case Passed:
			passed--
		case Skipped:
			skipped--
		}
	}
	hidden := total - len(c.rows) - len(c.unshown)
	if c.Hides {
		skipped -= hidden
	}
	sure := hidden >= 0 && (c.Evident || passed >= 0 && skipped >= 0 && passed+skipped >= open)
	if len(c.rows) > 0 && !sure {
		s.Unread("the scenarios that are shown are not those that are counted")
	}
	for _, t := range c.rows {
		switch {
		case t.Outcome != "":
		case c.Evident:
			continue
		case sure && skipped == 0:
			t.Outcome = Passed
		case sure && passed == 0:
			t.Outcome = Skipped
		default:
			s.Unread("it is not shown which scenarios were skipped")
			continue
		}
		if s.Ran(t.Test); t.finding != "" {
			s.Tests.Also(t.ID, t.finding)
		}
	}
	c.rows, c.unshown = nil, nil
}
