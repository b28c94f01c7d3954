package read

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/tool"
)

// Scenarios collects the scenarios that a runner of features shows, and reports their outcomes once the counts are
// known. A tree of scenarios and steps often does not say which ones passed:
//
//	  Scenario: passes  # features/brew.feature:8
//	    Given a kettle  # features/steps/steps.py:2
//	…
//	Failing scenarios:
//	  features/brew.feature:12  fails
type Scenarios struct {
	Joint string // between the file and the name: " › "
	// Hides says that scenarios which were not selected are counted as skipped, and not shown.
	Hides bool
	// Evident says that each outcome is shown; a scenario without one has none.
	Evident bool

	rows    []scenario
	unshown []tool.Test // only in the list at the end
	steps   int         // the indent of the last scenario's steps
}

// scenario is a scenario that the runner printed.
type scenario struct {
	tool.Test        // Outcome is "" if it is not shown
	place     string // "features/brew.feature:12"; "" if it is not shown
	name      string
	finding   string // the id of its finding, if it failed
}

// Shown adds the scenario in a line; without a place (where), its id has the feature's name. A line with a deeper
// indent is ignored: it is text given to a step.
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

// Hidden says that the next lines are no steps of a scenario that was shown.
func (c *Scenarios) Hidden() { c.steps = -1 }

// Last is the last scenario shown, if the line may be one of its steps; otherwise nil.
func (c *Scenarios) Last(line string) *tool.Test {
	if n := len(c.rows); n > 0 && len(line)-len(strings.TrimLeft(line, " ")) == c.steps {
		return &c.rows[n-1].Test
	}
	return nil
}

// Listed sets the outcome of a scenario in a list at the end, and the id of its finding.
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

// Tell reports the scenarios; total is the number that the runner counts. Scenarios without an outcome are reported
// as passed or skipped if only that agrees with the counts.
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
