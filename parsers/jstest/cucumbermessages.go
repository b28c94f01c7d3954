package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cukeMessages reads what all Cucumbers write with --format message, a message a line:
// features with their steps, pickles, which are scenarios to be run, and what came of
// each step. Everything has an id by which later messages name it.
//
//	{"pickle":{"id":"1","uri":"a.feature","name":"adds","steps":[{"id":"2","text":"it holds 3","astNodeIds":["3"]}]}}
//	{"testCase":{"id":"4","pickleId":"1","testSteps":[{"id":"5","pickleStepId":"2"}]}}
//	{"testCaseStarted":{"id":"6","testCaseId":"4"}}
//	{"testStepFinished":{"testCaseStartedId":"6","testStepId":"5","testStepResult":{"status":"FAILED","message":"…"}}}
//	{"testCaseFinished":{"testCaseStartedId":"6","willBeRetried":false}}
type cukeMessages struct {
	nodes   map[string]gherkinNode // of the features, by id
	pickles map[string]*pickle
	steps   map[string]string // of test cases: what they are called
	cases   map[string]*pickle
	running map[string]*cukeRun
	hooks   map[string]string
}

// gherkinNode is a part of a feature that has an id.
type gherkinNode struct {
	ID, Keyword string
	Location    struct{ Line int }

	Background, Scenario, Rule *gherkinNode
	Children, Steps, Examples  []gherkinNode
	TableBody                  []gherkinNode
}

type pickle struct {
	ID, URI, Name string
	Location      struct{ Line int }
	AstNodeIDs    []string `json:"astNodeIds"`
	Steps         []struct {
		ID, Text   string
		AstNodeIDs []string `json:"astNodeIds"`
	}
}

// cukeRun is one try of a test case.
type cukeRun struct {
	*pickle
	status, step, message string
	took                  float64     // seconds
	span                  result.Span // of the step that failed
}

func parseCukeMessages(in *tool.Input) *tool.Report {
	m := &cukeMessages{
		nodes: map[string]gherkinNode{}, pickles: map[string]*pickle{}, steps: map[string]string{},
		cases: map[string]*pickle{}, running: map[string]*cukeRun{}, hooks: map[string]string{},
	}
	return read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{
		"/gherkinDocument/feature": read.Item(func(_ *read.Sink, v *gherkinNode) { m.learn(v) }),
		"/pickle":                  read.Item(func(_ *read.Sink, v *pickle) { p := *v; m.pickles[p.ID] = &p }),
		"/hook": read.Item(func(_ *read.Sink, v *struct{ ID, Type string }) {
			when, _, _ := strings.Cut(v.Type, "_")
			m.hooks[v.ID] = when
		}),
		"/testCase":            read.Item(m.testCase),
		"/testCaseStarted":     read.Item(m.started),
		"/testStepFinished":    read.Item(m.step),
		"/testCaseFinished":    read.Item(m.finished),
		"/testRunHookFinished": read.Item(cukeRunHook),
		"/testRunFinished":     read.Item(func(s *read.Sink, _ *struct{}) { s.EndHere() }),
	}}.Parse(in)
}

// cukeRunHook reads what came of a hook around all scenarios. Its place is in the stack of its error.
func cukeRunHook(s *read.Sink, v *struct {
	Result struct{ Status, Message string }
}) {
	if v.Result.Status == "FAILED" {
		f := result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Message: "a hook around all scenarios failed"}
		jserror.Explain(&f, strings.Split(v.Result.Message, "\n"))
		s.FindHere(f)
	}
}

// learn keeps what pickles name: steps, scenarios, rows of examples.
func (m *cukeMessages) learn(n *gherkinNode) {
	if n == nil {
		return
	}
	if n.ID != "" {
		m.nodes[n.ID] = gherkinNode{Keyword: n.Keyword, Location: n.Location}
	}
	for _, part := range [...]*gherkinNode{n.Background, n.Scenario, n.Rule} {
		m.learn(part)
	}
	for _, parts := range [...][]gherkinNode{n.Children, n.Steps, n.Examples, n.TableBody} {
		for i := range parts {
			m.learn(&parts[i])
		}
	}
}

func (m *cukeMessages) testCase(_ *read.Sink, v *struct {
	ID, PickleID string
	TestSteps    []struct{ ID, PickleStepID, HookID string }
}) {
	p := m.pickles[v.PickleID]
	if p == nil {
		return
	}
	m.cases[v.ID] = p
	called := map[string]string{}
	for _, step := range p.Steps {
		name := step.Text
		if len(step.AstNodeIDs) > 0 {
			name = m.nodes[step.AstNodeIDs[0]].Keyword + name
		}
		called[step.ID] = name
	}
	for _, step := range v.TestSteps {
		name := called[step.PickleStepID]
		if when := m.hooks[step.HookID]; when != "" {
			name = when[:1] + strings.ToLower(when[1:])
		}
		m.steps[step.ID] = name
	}
}

func (m *cukeMessages) started(_ *read.Sink, v *struct{ ID, TestCaseID string }) {
	if p := m.cases[v.TestCaseID]; p != nil {
		m.running[v.ID] = &cukeRun{pickle: p, status: "passed"}
	}
}

func (m *cukeMessages) step(s *read.Sink, v *struct {
	TestCaseStartedID, TestStepID string
	TestStepResult                struct {
		Status, Message string
		Duration        struct{ Seconds, Nanos float64 }
	}
}) {
	run, got := m.running[v.TestCaseStartedID], v.TestStepResult
	if run == nil {
		return
	}
	run.took += got.Duration.Seconds + got.Duration.Nanos/1e9
	switch {
	case run.status == "failed":
	case lex.IsOneOf(got.Status, "FAILED UNDEFINED AMBIGUOUS"):
		run.status, run.step, run.message, run.span = "failed", m.steps[v.TestStepID], got.Message, s.Here()
		if got.Status == "UNDEFINED" {
			run.message = "undefined step"
		}
	case lex.IsOneOf(got.Status, "PENDING SKIPPED"):
		run.status = "skipped"
	}
}

func (m *cukeMessages) finished(s *read.Sink, v *struct {
	TestCaseStartedID string
	WillBeRetried     bool
}) {
	run := m.running[v.TestCaseStartedID]
	delete(m.running, v.TestCaseStartedID)
	if run == nil || v.WillBeRetried {
		return
	}
	id := run.URI + " › " + run.Name
	if run.status == "failed" {
		line := run.Location.Line
		if n := len(run.AstNodeIDs); line == 0 && n > 0 {
			line = m.nodes[run.AstNodeIDs[n-1]].Location.Line
		}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: run.Name, Message: "failed", At: &result.Location{Path: run.URI, Line: line}}
		cukeExplain(&f, strings.TrimSpace(run.step), "", strings.Split(run.message, "\n"))
		if s.FindHere(f); s.Last() != nil {
			s.Last().RawSpan = &run.span
		}
	}
	s.Counted(tool.Test{ID: id, Outcome: read.Outcome(run.status), DurationMS: lex.OfSeconds(run.took)})
}
