package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// testCase is the test case that is being read. It is recorded when the next one begins, since its sections come one
// by one, and each may fail.
type testCase struct {
	name string
	came read.Outcome // "" if no line has the outcome
	ms   int64
	also []string // the ids of its sections that failed
}

// begin records the open test case, if another one begins.
func (t *testCase) begin(s *read.Sink, name string) {
	if name != t.name {
		t.end(s)
		t.name = name
	}
}

// end records the open test case.
func (t *testCase) end(s *read.Sink) {
	if t.name != "" && t.came != "" {
		s.Ran(tool.Test{ID: t.name, Outcome: t.came, DurationMS: t.ms})
		for _, id := range t.also {
			s.Tests.Also(t.name, id)
		}
	}
	*t = testCase{}
}

// failed notes that a section of the test case, or the test case itself, failed. id is that of the section's finding.
func (t *testCase) failed(id string) {
	t.came = tool.Failed
	t.also = append(t.also, id)
}

// sectionID returns the id of a section, or of the test case outside of sections.
func sectionID(names []string) string { return strings.Join(names, " > ") }
