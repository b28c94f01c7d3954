package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
)

// This file describes the JUnit XML of JavaScript test runners: jest writes it with jest-junit, mocha with
// mocha-junit-reporter, the others themselves.

var jestReports = &tool.Dialect{
	Suites: []string{"jest tests"},
	Unrun:  jestUnrun,
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		if n.Class == jestUnrun {
			return junit.JoinTitles(n.Name, n.Class), nil
		}
		if n.Class == n.Name { // by default both are all titles, joined by blanks
			return strings.TrimLeft(n.Name, " "), nil
		}
		return "", nil
	},
}

// jestUnrun is the class of a case for a file that jest could not run.
const jestUnrun = "Test suite failed to run"

var vitestReports = &tool.Dialect{
	Suites: []string{"vitest tests"},
	ID:     func(n *tool.CaseNames) (id string, suites []string) { return n.Class + " > " + n.Name, nil },
}

var mochaReports = &tool.Dialect{
	Suites: []string{"Mocha Tests"},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		if n.File == "" {
			return "", nil
		}
		return strings.TrimSpace(n.Class + " " + n.Name), []string{n.Class}
	},
}

var playwrightReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool { return tag.All && tag.Name == "" && tag.Has("id", "name", "skipped") },
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		id = n.Class + " › " + n.Name
		if n.Host != "" { // the project
			id = "[" + n.Host + "] › " + id
		}
		return id, nil
	},
	Message: playwrightLocator,
}

var nodeReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && strings.HasPrefix(strings.Join(tag.Attrs, " "), "name time disabled errors tests failures skipped hostname")
	},
	Wrote: func(c *tool.Case, o *tool.Outcome) bool {
		if o != nil && (o.Class == "testCodeFailure" || strings.HasSuffix(o.Class, "Failure") && strings.Contains(strings.Join(o.Text, "\n"), "ERR_TEST_FAILURE")) {
			return true
		}
		return c.Class == "test" && (c.File != "" || c.Suite == "")
	},
	ID: func(n *tool.CaseNames) (id string, suites []string) {
		name := strings.ReplaceAll(n.Name, "&quot;", `"`) // which it escapes twice
		return strings.TrimPrefix(strings.Join(slices.Concat([]string{n.File}, n.Titles, []string{name}), " › "), " › "), n.Titles
	},
	Message: nodeMessage,
}

// nodeMessage: the message attribute of node's reporter has lost its line
// breaks up to version 22; the text has them.
func nodeMessage(message string, body []string) string {
	if strings.Contains(message, "\n") || len(body) == 0 {
		return message
	}
	first := body[0]
	for _, before := range [...]string{"[", "Error", " [ERR_TEST_FAILURE]", ": "} {
		first = strings.TrimPrefix(first, before)
	}
	if first == "" || len(first) >= len(message) || !strings.HasPrefix(message, first) {
		return message
	}
	lines := []string{first}
	rest := message[len(first):]
	for _, s := range body[1:] {
		if !strings.HasPrefix(rest, s) {
			break
		}
		lines, rest = append(lines, s), rest[len(s):]
	}
	return strings.Join(lines, "\n")
}
