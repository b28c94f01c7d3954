package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// ginkgoSpot gives the line that tells where a spec failed its usual form, where
// --github-output wrote a command for GitHub in its place:
//
//	::error file=/src/a_test.go,line=15::It 11/26/26 23:31:16.241
//	In [It] at: /src/a_test.go:15 @ 11/26/26 23:31:16.241
func ginkgoSpot(s string) string {
	text := strings.TrimLeft(s, " ")
	rest, ok := strings.CutPrefix(text, "::error file=")
	path, rest, _ := strings.Cut(rest, ",line=")
	line, rest, both := strings.Cut(rest, "::")
	node, when, _ := strings.Cut(rest, " ")
	if !ok || !both {
		return s
	}
	return s[:len(s)-len(text)] + "In [" + node + "] at: " + path + ":" + line + " @ " + when
}

// ginkgoSource is a place in the report.
type ginkgoSource struct {
	FileName       string
	LineNumber     int
	FullStackTrace string
}

func (p ginkgoSource) at() *result.Location {
	if p.FileName == "" {
		return nil
	}
	return &result.Location{Path: p.FileName, Line: p.LineNumber}
}

// ginkgoReported is a spec in the report, or what runs before and after all of them.
type ginkgoReported struct {
	ContainerHierarchyTexts       []string
	LeafNodeType, LeafNodeText    string
	LeafNodeLocation              ginkgoSource
	State                         string
	RunTime                       int64 // in nanoseconds
	NumAttempts, MaxFlakeAttempts int
	Failure                       struct {
		Message, ForwardedPanic, FailureNodeType string
		Location                                 ginkgoSource
	}
}

// parseGinkgoReport reads what --json-report writes: a list of suites.
func parseGinkgoReport(in *tool.Input) *tool.Report {
	return read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{
		"/*/SpecReports/*": read.Item(ginkgoReportedSpec),
		"/*/SpecialSuiteFailureReasons/*": read.Item(func(s *read.Sink, why *string) {
			s.FindHere(result.Finding{Kind: result.GenericFinding, Message: *why})
		}),
	}}.Parse(in)
}

// ginkgoOutcomes are what the states of a spec mean; every other state is a failure.
var ginkgoOutcomes = [...]struct {
	state   string
	outcome read.Outcome
	count   string
}{{"passed", tool.Passed, "passed"}, {"pending", tool.Todo, "todo"}, {"skipped", tool.Skipped, "skipped"}}

func ginkgoReportedSpec(s *read.Sink, v *ginkgoReported) {
	head := strings.TrimSpace(strings.Join(v.ContainerHierarchyTexts, " ") + " [" + v.LeafNodeType + "] " + v.LeafNodeText)
	t := tool.Test{ID: specName(head), Outcome: tool.Failed, DurationMS: v.RunTime / 1e6}
	count := "failed"
	for _, o := range ginkgoOutcomes {
		if v.State == o.state {
			t.Outcome, count = o.outcome, o.count
		}
	}
	bad := t.Outcome == tool.Failed
	if t.Outcome == tool.Passed && v.NumAttempts > 1 && v.MaxFlakeAttempts > 1 {
		t.Outcome = tool.Flaky
	}
	if v.LeafNodeType == "It" {
		s.Tested = true
		s.Count(count, 1)
		s.Ran(t)
	}
	if !bad {
		return
	}
	p := &ginkgoSpec{head: head, at: v.Failure.Location.at(), text: strings.Split(v.Failure.Message, "\n"), paniced: v.State == "panicked"}
	if v.LeafNodeType == "It" && v.Failure.FailureNodeType != "It" {
		p.it = v.LeafNodeLocation.at()
	}
	if p.paniced {
		for line := range strings.SplitSeq(v.Failure.ForwardedPanic+"\n"+v.Failure.Location.FullStackTrace, "\n") {
			p.after(strings.TrimSpace(line))
		}
	}
	f := p.finding()
	if f.ID, f.Name = t.ID, t.ID; f.At == nil {
		f.At = read.Own(s.In, f.Frames)
	}
	s.FindHere(f)
}
