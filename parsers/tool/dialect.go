package tool

import (
	"cairn/result"
)

// Dialect is what a tool knows of the JUnit XML that is written in its name: by
// the tool itself, or by a program that turns its output into a report.
type Dialect struct {
	// Wrote says whether a test case is the tool's, where the document does not
	// name its writer. o is nil for a case that did not fail.
	Wrote func(suite, class, name string, o *Outcome) bool
	// Cases starts a reader that takes the cases of one output or file in place
	// of the general one, so that they give the findings that the tool's own
	// text gives; nil where the general reader does.
	Cases func(in *Input, rep *Report) CaseReader
	// CountsMore: a suite counts tests that have no case of their own.
	CountsMore bool
	// Explain makes a finding of what the test printed; false where none of it
	// is a reason.
	Explain func(name string, printed []string) (result.Finding, bool)
}

// CaseReader reads the test cases of a report that one tool wrote.
type CaseReader interface {
	// Case takes the next test case.
	Case(c *Case)
	// EndSuite says that the innermost suite was closed, and what it printed as
	// a whole.
	EndSuite(printed []string)
	// OverCounts says that errors are counted in the document that it has no
	// case for, since they are told otherwise.
	OverCounts() bool
	// Finish adds what is left to the report, and says how many failures more
	// than its counts the report claims; fewer where the number is below 0.
	Finish() int
}

// Case is one test case of a report.
type Case struct {
	Suite, Class, Name, File string
	Line                     int
	Outcomes                 []Outcome // why it did not pass; none where it passed
	Failed, Skipped          bool
	Expected                 bool     // to fail, and did
	Printed                  []string // by the test
	Span                     result.Span
}

// Outcome is one reason why a case did not pass.
type Outcome struct {
	What    string // "failure", "error", "skipped", "rerunFailure", …
	Class   string // of the exception
	Message string
	Text    []string // the trace
}

// IsError: something went wrong beside an assertion.
func (o *Outcome) IsError() bool { return o.What == "error" || o.What == "rerunError" }
