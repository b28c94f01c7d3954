package tool

import (
	"slices"

	"cairn/result"
)

// Dialect is what a tool knows of the JUnit XML that is written in its name: by
// the tool itself, or by a program that turns its output into a report. All
// fields are optional.
//
// Suites, Suite, Property and Wrote tell the tool's documents from others; the
// first answer holds for a document, Suites before Suite. The other fields say
// what to make of its cases, so that a finding is the one that the tool's own
// text gives.
type Dialect struct {
	// Suites are names that only this writer gives to a suite.
	Suites []string
	// Suite says whether the tag of a suite is the tool's.
	Suite func(tag *SuiteTag) bool
	// Property says whether only this writer notes a property of that name.
	Property func(name string) bool
	// Wrote says whether a test case is the tool's, where the document does not
	// name its writer. o is nil for a case that did not fail.
	Wrote func(c *Case, o *Outcome) bool

	// Own: a parser of the tool reads these documents, so they are no test report.
	Own bool
	// Cases starts a reader that takes the cases of one output or file in place
	// of the general one, so that they give the findings that the tool's own
	// text gives; nil where the general reader does.
	Cases func(in *Input, rep *Report) CaseReader
	// CountsMore: a suite counts tests that have no case of their own.
	CountsMore bool
	// ErrorsFail: a suite counts its errors among its failures, too.
	ErrorsFail bool
	// Teardown: an error behind a test's case is of its teardown, and no further test.
	Teardown bool
	// Passes says of a type whether a test passes that has such an error: it only warns.
	Passes func(class string) bool
	// Expected is the type or the message by which a skipped case is one that was
	// expected to fail, and did.
	Expected string
	// Unrun is the class of a case that stands for a file of tests that could not
	// be run. A second such case behind the first only reports it again.
	Unrun string
	// NotStarted says whether a case that the report calls skipped could not be
	// started, which the tool counts as failed.
	NotStarted func(status, message string) bool
	// Printed: a failure has no text of its own. What the test printed holds the
	// reasons, and is no detail beside them.
	Printed bool

	// ID is the id by which the tool names the test, "" for the general one, and
	// the suites that it is in, nil for the class alone.
	ID func(n *CaseNames) (id string, suites []string)
	// Message mends the attribute message of a failure by what its text says.
	Message func(message string, text []string) string
	// Explain makes a finding of what the test printed; false where none of it
	// is a reason.
	Explain func(name string, printed []string) (result.Finding, bool)
	// Repeats says whether the tool says in a line no more than that tests failed,
	// or where to read more, so that beside the report nothing is lost with it.
	Repeats func(line string) bool
	// Sources is the directory of the sources of tests, without that of their
	// language, seen from where the paths of findings are. base is what the
	// property "basedir" says, report the path of the document.
	Sources func(base, report string) (dir string, known bool)
}

// SuiteTag is the tag of a suite, or of all suites of a document.
type SuiteTag struct {
	All           bool // <testsuites>
	Name, Package string
	Schema        string   // noNamespaceSchemaLocation
	Attrs         []string // the names of its attributes, in order
}

// Has says whether the tag has all of these attributes.
func (t *SuiteTag) Has(attrs ...string) bool {
	return !slices.ContainsFunc(attrs, func(a string) bool { return !slices.Contains(t.Attrs, a) })
}

// CaseNames are the names that a report gives a case that failed.
type CaseNames struct {
	File, Class, Name string
	Owner             string   // the attribute class, beside classname
	Host              string   // of the suite
	Titles            []string // of the suites inside the root
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
	Owner                    string // the attribute class, beside classname
	Line                     int
	Took                     int64     // milliseconds
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
