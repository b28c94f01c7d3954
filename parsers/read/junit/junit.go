// Package junit reads JUnit XML: what most test runners write for machines, and
// no two alike.
//
// # The format
//
// There is no specification; this is what producers agree on. The root is
// <testsuites> or a <testsuite>; suites may nest; a <testcase> lies in one. A
// case holds <failure> (an assertion), <error> (anything else that went wrong),
// <skipped>, or nothing where it passed; several failures are several reasons.
// Their message and type are attributes, their text is the trace. surefire adds
// <rerunFailure> and <rerunError> (further attempts that failed too) and
// <flakyFailure> and <flakyError> (attempts before one that passed). A suite
// may fail as a whole: it holds a failure itself. Counts are attributes of
// suites. Reports in other XML with the same facts (TRX, xUnit.net, NUnit, TestNG: see form) are translated and read as that.
//
// # What is believed
//
// The cases. Counts come from them; where the attributes of a suite count other
// failures or more tests than there are cases, the report says so (Doubt). A
// document is complete when its root was closed; of one that was cut, what
// came is kept.
//
// # What a finding is
//
// One per case that did not pass. Which tool wrote the document shows in it
// (tool.Dialect): ids, places and messages are then those that this tool prints
// for people, so that both are one finding. Every finding names that tool as
// its source.
//
// A case that passed after it had failed (surefire's flakyFailure) is a warning
// with the tag "flaky".
//
// What a tool knows of the reports in its name is its own (tool.Dialect); only
// what several writers share belongs here.
package junit

import (
	"io"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
)

// IsLine reports whether a line holds a whole opening tag of a suite.
func IsLine(line string) bool {
	_, tag, ok := strings.Cut(line, "<testsuite")
	tag = strings.TrimPrefix(tag, "s")
	return ok && (tag == "" || xmltext.IsSpace(tag[0]) || tag[0] == '>' || tag[0] == '/' || tag[0] == 0x1b)
}

// Parse reads the documents in an output, on either stream.
func Parse(in *tool.Input) *tool.Report {
	rep := runOf(in).report
	if rep == nil {
		return nil
	}
	own := *rep
	own.Findings, own.Counts = slices.Clone(rep.Findings), maps.Clone(rep.Counts)
	return &own
}

// runOf reads the documents in an output, once for both Parse and Lints.
func runOf(in *tool.Input) *junitRun {
	read := in.Once("junit", func() any {
		run := newJUnitRun(in, "")
		for _, stream := range [...]term.Stream{term.Stdout, term.Stderr} {
			s := newJUnitStream(in, stream)
			r := newJUnitReader(run, s)
			r.stream = s
			r.read()
			s.stop()
		}
		run.report = run.finish()
		return run
	})
	return read.(*junitRun)
}

// Read reads one document from r, in JUnit XML or another form with the same facts (see form). path is the file
// that it came from, "" for the tool's own output. It returns nil if r holds no report.
func Read(in *tool.Input, r io.Reader, path string) *tool.Report {
	run := newJUnitRun(in, path)
	newJUnitReader(run, asJUnit(r)).read()
	return run.finish()
}
