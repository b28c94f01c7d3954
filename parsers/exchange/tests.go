package exchange

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/tap"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("ctrf", result.Test, 1, "Common Test Report Format 0.0 and 1.0 (ctrf.io), of any test runner")
	p.Reads(tool.Format{
		Name:   "ctrf",
		Starts: []string{`"reportFormat": "CTRF"`, `"reportFormat":"CTRF"`, `{"reportFormat":"CTRF"`},
		Parse: func(in *tool.Input) *tool.Report {
			return read.JSON{Items: map[string]func(*read.Sink, []byte) error{
				"/results/summary": read.Item(ctrfSummary), "/results/tests/*": read.Item(ctrfTest),
			}}.Parse(in)
		},
	})
})

func ctrfSummary(s *read.Sink, v *struct{ Passed, Failed, Skipped, Pending, Other int }) {
	s.Scores(map[string]int{"failed": v.Failed, "passed": v.Passed, "skipped": v.Skipped + v.Pending, "other": v.Other}, "")
}

// ctrfCase is a test. Suite is a string in version 0.0, and a list since.
type ctrfCase struct {
	Name, Status, Message, Trace, FilePath string
	Suite                                  json.RawMessage
	Duration                               float64
	Line                                   int
	Flaky                                  bool
}

func ctrfTest(s *read.Sink, v *ctrfCase) {
	t := tool.Test{ID: v.id(), DurationMS: int64(v.Duration)}
	switch {
	case v.Status == "failed":
		t.Outcome = tool.Failed
	case v.Status == "passed" && v.Flaky:
		t.Outcome = tool.Flaky
	case v.Status == "passed":
		t.Outcome = tool.Passed
	case v.Status == "skipped", v.Status == "pending":
		t.Outcome = tool.Skipped
	default:
		return // "other": the format does not define whether the test passed
	}
	s.Ran(t)
	if v.Status != "failed" {
		return
	}
	first, _, _ := strings.Cut(strings.TrimSpace(cmp.Or(v.Message, v.Trace)), "\n")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: t.ID, Name: v.Name, Message: cmp.Or(first, "failed"), Detail: strings.TrimSpace(v.Message + "\n" + v.Trace)}
	if v.FilePath != "" {
		f.At = &result.Location{Path: v.FilePath, Line: cmp.Or(v.Line, v.traced())}
	}
	s.FindHere(f)
}

// traced returns the first line number of the test's file in the trace, or 0.
func (v *ctrfCase) traced() (line int) {
	name := v.FilePath[strings.LastIndexAny(v.FilePath, `/\`)+1:] + ":"
	if _, rest, ok := strings.Cut(v.Trace, name); ok {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		line, _ = strconv.Atoi(rest[:digits])
	}
	return line
}

// id returns the suites and the name, "Cart > adds", or the name alone if it begins with the first suite.
func (v *ctrfCase) id() string {
	var suites []string
	var one string
	if json.Unmarshal(v.Suite, &suites) != nil && json.Unmarshal(v.Suite, &one) == nil && one != "" {
		suites = []string{one}
	}
	if len(suites) == 0 || strings.HasPrefix(v.Name, suites[0]) {
		return v.Name
	}
	return strings.Join(append(suites, v.Name), " > ")
}

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("junit", result.Test, 2, "JUnit XML of pytest, surefire, gradle, jest-junit, vitest, go-junit-report, gotestsum, phpunit, playwright, ctest, GoogleTest, cargo-nextest, node, mocha, bats and others")
	p.Files = writers()
	p.Reads(tool.Format{
		Name:   "junit",
		Starts: []string{"<testsuite", "<?xml…<testsuite"},
		Sniff:  junit.IsLine,
		Parse:  junit.Parse,
	})
}, tool.WritesFiles)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tap", result.Test, 1, "Test Anything Protocol 12 to 14 of node, ava, mocha, vitest, tape, bats, Test::More and others")
	p.Reads(tool.Format{Name: "tap", Starts: []string{"TAP version 1", "1.."}, Sniff: tap.IsLine, Parse: tap.Tests})
})

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("teamcity", result.Test, 1, "TeamCity service messages: tests, inspections, problems of a build")
	p.Reads(tool.Format{Name: "messages", Evidence: tool.Shape, Starts: []string{"##teamcity["}, Parse: teamcity.Parse})
})

// writers returns where tools write JUnit XML whose printed output has no parser.
func writers() []tool.Files {
	return []tool.Files{
		{
			Flags: append(tool.ReportFlags(
				"--junit-report",          // ginkgo
				"--xunit-output",          // swift
				"--junit-xml-path",        // nose2
				"--xunit-file",            // nose
				"--reporter-junit-export", // newman
				"--junit-output-path",     // platformio
				"--report-junit-path",     // schemathesis
			), tool.FileFlag{Flag: "--output", Of: []string{"xcpretty"}}),
			Variables: []string{"JUNIT_REPORT_PATH", "XUNIT_FILE"},
			Folders:   []string{"CI_REPORTS", "JUNIT_OUTPUT_DIR"},
		},
		{Shared: true, Programs: []string{"cypress", "karma", "wdio"}},
		{
			Places:   []string{"target/test-reports/TEST-*.xml", "*/target/test-reports/TEST-*.xml"},
			Homes:    []string{"build.sbt"},
			Programs: []string{"sbt"},
		},
		{
			Places:   []string{"meson-logs/testlog.junit.xml", "*/meson-logs/testlog.junit.xml"},
			Programs: []string{"meson"},
		},
	}
}
