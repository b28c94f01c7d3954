package otlp

import (
	"cmp"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"

	"cairn/fleet"
)

// runAttributes are the attributes of a run: those that the conventions define, and the others as "cairn." and a
// column's name.
func runAttributes(r *fleet.Run) []attribute.KeyValue {
	all := []attribute.KeyValue{
		semconv.CICDPipelineTaskName(r.Command),
		semconv.CICDPipelineTaskRunID(r.RunID),
		resultOf(r),
		semconv.ProcessCommandLine(r.Command),
		semconv.VCSRefHeadRevision(r.Commit),
		semconv.VCSRefHeadName(r.Branch),
		attribute.String("cairn.tool", r.Tool),
		attribute.String("cairn.kind", r.Kind),
		attribute.String("cairn.status", r.Status),
		attribute.String("cairn.worktree", r.Worktree),
		attribute.String("cairn.agent", r.Agent),
		attribute.Int64("cairn.finding_count", int64(r.FindingCount)),
	}
	if r.Branch != "" {
		all = append(all, semconv.VCSRefHeadTypeBranch)
	}
	if r.ExitCode != nil {
		all = append(all, semconv.ProcessExitCode(int(*r.ExitCode)))
	}
	if bad(r.Status) {
		all = append(all, errorType(r.Status, r.Signal, r.TimedOut))
	}
	switch r.Kind {
	case "test":
		all = append(all, semconv.CICDPipelineTaskTypeTest, semconv.TestSuiteName(r.Tool), suiteStatus(r))
	case "build":
		all = append(all, semconv.CICDPipelineTaskTypeBuild)
	}
	return all
}

// errorType is a value with low cardinality, as the conventions require.
func errorType(status, signal string, timedOut bool) attribute.KeyValue {
	switch {
	case timedOut:
		return semconv.ErrorTypeKey.String("timeout")
	case signal != "":
		return semconv.ErrorTypeKey.String(signal)
	}
	return semconv.ErrorTypeKey.String(status)
}

// resultOf is the result of the task; "" if it is not known.
func resultOf(r *fleet.Run) attribute.KeyValue {
	switch {
	case r.TimedOut:
		return semconv.CICDPipelineTaskRunResultTimeout
	case r.Interrupted != "":
		return semconv.CICDPipelineTaskRunResultCancellation
	case r.Status == "passed" || r.Status == "ok":
		return semconv.CICDPipelineTaskRunResultSuccess
	case r.Status == "failed":
		return semconv.CICDPipelineTaskRunResultFailure
	case r.Status == "error":
		return semconv.CICDPipelineTaskRunResultError
	}
	return semconv.CICDPipelineTaskRunResultKey.String("")
}

func suiteStatus(r *fleet.Run) attribute.KeyValue {
	switch {
	case r.TimedOut:
		return semconv.TestSuiteRunStatusTimedOut
	case r.Interrupted != "" || r.Status == "error":
		return semconv.TestSuiteRunStatusAborted
	case r.Status == "passed" || r.Status == "ok":
		return semconv.TestSuiteRunStatusSuccess
	case r.Status == "failed":
		return semconv.TestSuiteRunStatusFailure
	}
	return semconv.TestSuiteRunStatusKey.String("")
}

// testAttributes are a test's attributes. The conventions have only passed and failed; cairn.outcome has every outcome.
func testAttributes(r *fleet.Run, o *fleet.Outcome) []attribute.KeyValue {
	tool := o.Tool
	tool = cmp.Or(tool, r.Tool)
	all := []attribute.KeyValue{semconv.TestCaseName(o.TestID), semconv.TestSuiteName(tool), attribute.String("cairn.outcome", o.Outcome), semconv.CodeFilePath(o.Path)}
	switch o.Outcome {
	case "passed":
		all = append(all, semconv.TestCaseResultStatusPass)
	case "failed", "error":
		all = append(all, semconv.TestCaseResultStatusFail, semconv.ErrorTypeKey.String(o.Outcome))
	}
	if o.LineNumber != nil {
		all = append(all, semconv.CodeLineNumber(int(*o.LineNumber)))
	}
	return all
}

func stageAttributes(r *fleet.Run, st *fleet.Stage) []attribute.KeyValue {
	all := []attribute.KeyValue{
		semconv.CICDPipelineTaskName(st.Command),
		semconv.CICDPipelineTaskRunID(r.RunID),
		semconv.ProcessCommandLine(st.Command),
		attribute.String("cairn.tool", st.Tool),
		attribute.String("cairn.status", st.Status),
		attribute.Int64("cairn.stage_number", int64(st.Number)),
	}
	if st.ExitCode != nil {
		all = append(all, semconv.ProcessExitCode(int(*st.ExitCode)))
	}
	if bad(st.Status) {
		all = append(all, errorType(st.Status, st.Signal, false))
	}
	return all
}
