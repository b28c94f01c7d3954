package parsers

import (
	"io"
	"strings"

	"cairn/result"
)

// JUnit XML: what most test runners write for machines, and no two alike.
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
// suites.
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
// (junitDialect): ids, places and messages are then those that this tool prints
// for people, so that both are one finding. Every finding names that tool as
// its source.
//
// A case that passed after it had failed (surefire's flakyFailure) is a warning
// with the tag "flaky".
var _ = register(&Parser{
	Tool: "junit", Kind: result.Test, Version: 2,
	About: "JUnit XML of pytest, surefire, gradle, jest-junit, vitest, go-junit-report, gotestsum, phpunit, playwright, ctest, GoogleTest, cargo-nextest, node, mocha, bats and others",
	Formats: []Format{{
		Name:   "junit",
		Starts: []string{"<testsuite", "<?xml…<testsuite"},
		Sniff:  isJUnitLine,
		Parse:  parseJUnitOutput,
	}},
})

// isJUnitLine: the tag is whole, and not of a linter that has a parser.
func isJUnitLine(line string) bool {
	_, tag, ok := strings.Cut(line, "<testsuite")
	tag = strings.TrimPrefix(tag, "s")
	return ok && (tag == "" || isXMLSpace(tag[0]) || tag[0] == '>' || tag[0] == '/' || tag[0] == 0x1b) &&
		!strings.HasPrefix(tag, ` name="ruff"`)
}

// parseJUnitOutput reads the documents in an output, on either stream.
func parseJUnitOutput(in *Input) *Report {
	run := newJUnitRun(in, "")
	for _, stream := range [...]Stream{Stdout, Stderr} {
		s := newJUnitStream(in, stream)
		r := newJUnitReader(run, s)
		r.stream = s
		r.read()
		s.stop()
	}
	return run.finish()
}

// parseJUnit reads one JUnit document from r; path is the file it came from,
// "" for the tool's own output. It returns nil to decline.
func parseJUnit(in *Input, r io.Reader, path string) *Report {
	run := newJUnitRun(in, path)
	newJUnitReader(run, asUTF8(r)).read()
	return run.finish()
}
