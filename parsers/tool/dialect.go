package tool

import (
	"slices"

	"cairn/result"
)

// Dialect says how one tool's test results look in JUnit XML, written by the tool itself or by a program that turns
// its output into a report. All fields are optional.
//
// Suites, Suite, Property and Wrote tell the tool's documents from others; the first field that matches decides for
// the whole document, Suites before Suite. The other fields say how to read the cases, so that a report gives the
// same findings as the tool's own text.
type Dialect struct {
	// Suites are names of suites that only this writer uses.
	Suites []string
	// Suite reports whether this tool wrote the tag of a suite.
	Suite func(tag *SuiteTag) bool
	// Property reports whether only this writer uses a property of that name.
	Property func(name string) bool
	// Wrote reports whether a test case is the tool's, in a document that does not name its writer. o is nil for a
	// case that did not fail.
	Wrote func(c *Case, o *Outcome) bool

	// Own says that a parser of the tool reads these documents, so they are not test reports.
	Own bool
	// Cases returns a reader for the cases of one output or file that replaces the general reader, so that they
	// give the same findings as the tool's own text; nil keeps the general reader.
	Cases func(in *Input, rep *Report) CaseReader
	// CountsMore says that a suite counts tests that have no case of their own.
	CountsMore bool
	// ErrorsFail says that a suite counts its errors among its failures too.
	ErrorsFail bool
	// Teardown says that an error behind a test's case belongs to the test's teardown, and is no further test.
	Teardown bool
	// Passes reports whether an error of this type only warns, so that its test passed.
	Passes func(class string) bool
	// Expected is the type or the message of a skipped case that was expected to fail, and did.
	Expected string
	// Unrun is the class of a case that stands for a file of tests that could not be run. If a second case of this
	// class follows the first, it repeats the first.
	Unrun string
	// NotStarted reports whether a case that the report calls skipped could not be started, which the tool counts
	// as failed.
	NotStarted func(status, message string) bool
	// Printed says that a failure has no text of its own: its reasons are in what the test printed, which is then
	// not repeated as detail.
	Printed bool

	// ID returns the id by which the tool names the test, "" for the general form, and the suites that contain it,
	// nil for the class alone.
	ID func(n *CaseNames) (id string, suites []string)
	// Message improves the attribute "message" of a failure with what its text says.
	Message func(message string, text []string) string
	// Explain makes a finding of what the test printed; false if that holds no reason.
	Explain func(name string, printed []string) (result.Finding, bool)
	// Repeats reports whether a line of the tool's output only says that tests failed or where to read more: beside
	// the report, the line adds nothing.
	Repeats func(line string) bool
	// Sources is the directory of the test sources, without the part for their language, relative to the directory
	// from which paths of findings count. base is the property "basedir", report the path of the document.
	Sources func(base, report string) (dir string, known bool)
}

// SuiteTag is the tag of a suite, or of a document's root.
type SuiteTag struct {
	All           bool // the tag is <testsuites>
	Name, Package string
	Schema        string   // attribute noNamespaceSchemaLocation
	Attrs         []string // the names of its attributes, in order
}

// Has reports whether the tag has all of these attributes.
func (t *SuiteTag) Has(attrs ...string) bool {
	return !slices.ContainsFunc(attrs, func(a string) bool { return !slices.Contains(t.Attrs, a) })
}

// CaseNames are the names that a report gives a failed case.
type CaseNames struct {
	File, Class, Name string
	Owner             string   // attribute class, which some writers have beside classname
	Host              string   // attribute hostname of the suite
	Titles            []string // names of the suites below the root that contain the case
}

// CaseReader reads the test cases of a report that one tool wrote.
type CaseReader interface {
	// Case takes the next test case.
	Case(c *Case)
	// EndSuite says that the innermost suite was closed; printed is what the suite printed as a whole.
	EndSuite(printed []string)
	// OverCounts says that the document counts errors that have no case, since it reports them in another way.
	OverCounts() bool
	// Finish adds what is left to the report. It returns how many more failures the report claims than its counts
	// say; negative for fewer.
	Finish() int
}

// Case is one test case of a report.
type Case struct {
	Suite, Class, Name, File string
	Owner                    string // attribute class, which some writers have beside classname
	Line                     int
	Took                     int64     // milliseconds
	Outcomes                 []Outcome // why it did not pass; empty if it passed
	Failed, Skipped          bool
	Expected                 bool     // it was expected to fail, and did
	Printed                  []string // what the test printed
	Span                     result.Span
}

// Outcome is one reason why a case did not pass.
type Outcome struct {
	What    string // "failure", "error", "skipped", "rerunFailure", …
	Class   string // of the exception
	Message string
	Text    []string // the trace
}

// IsError reports whether something other than an assertion went wrong.
func (o *Outcome) IsError() bool { return o.What == "error" || o.What == "rerunError" }
