package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// testCase is the test case that an output is at. The reader tells it when the next one begins: its sections come one by one,
// and each may fail.
type testCase struct {
	name string
	came read.Outcome // "" where nothing says what it came to
	ms   int64
	also []string // the ids of its sections that failed
}

// begin tells the test case that was open, where another one begins.
func (t *testCase) begin(s *read.Sink, name string) {
	if name != t.name {
		t.end(s)
		t.name = name
	}
}

// end tells the test case that was open.
func (t *testCase) end(s *read.Sink) {
	if t.name != "" && t.came != "" {
		s.Ran(tool.Test{ID: t.name, Outcome: t.came, DurationMS: t.ms})
		for _, id := range t.also {
			s.Tests.Also(t.name, id)
		}
	}
	*t = testCase{}
}

// failed: a section of the test case, or all of it, failed. Its finding has the id of the section.
func (t *testCase) failed(id string) {
	t.came = tool.Failed
	t.also = append(t.also, id)
}

// sectionID is the id of a section, or of the test case outside of sections.
func sectionID(names []string) string { return strings.Join(names, " > ") }
