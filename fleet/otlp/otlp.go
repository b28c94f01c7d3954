// Package otlp sends runs as OpenTelemetry spans, by OTLP over HTTP.
//
// # Spans
//
// A run is a trace. Its root span is the command and has its name: a pipeline task in the CI/CD conventions, with
// commit and branch in those of version control. Child spans are the tests that the run names, in the conventions of
// tests, and the stages of a shell line. If a run, test or stage failed, its span has the status error, with its
// message.
//
// For a test only its duration is known, not when it began: its span begins with the run. If the duration is not known
// either, the span also ends there.
//
// The ids of a trace and its spans are digests of repository, run and row number. A run that is sent twice has the same
// spans, so sending may be repeated.
//
// What may go in: how rows become spans. Protocol, compression, headers, certificates and retries are
// those of OpenTelemetry's own client, which reads the variables OTEL_EXPORTER_OTLP_….
package otlp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"

	"cairn/fleet"
	"cairn/internal/build"
)

// mostSpans bounds the spans of a request with several runs: well below the 4 MiB that collectors accept.
const mostSpans = 2000

// Sender sends to one address.
type Sender struct {
	address string
	client  otlptrace.Client
	batch   map[string]*trace.ScopeSpans // by repository
	spans   int
	Sent    int // spans
}

// Open returns a sender for an address such as http://localhost:4318; without a path, /v1/traces is used.
func Open(ctx context.Context, address string) (*Sender, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a collector, such as http://localhost:4318", address)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	s := &Sender{address: u.Redacted(), client: otlptracehttp.NewClient(otlptracehttp.WithEndpointURL(u.String()), otlptracehttp.WithCompression(otlptracehttp.GzipCompression)), batch: map[string]*trace.ScopeSpans{}}
	return s, s.client.Start(ctx)
}

// Put adds a run. Runs are sent when there are enough for a request, and by Close.
func (s *Sender) Put(ctx context.Context, rows *fleet.Rows) error {
	of := s.batch[rows.Run.Repository]
	if of == nil {
		of = &trace.ScopeSpans{Scope: &common.InstrumentationScope{Name: "cairn", Version: build.Version()}, SchemaUrl: semconv.SchemaURL}
		s.batch[rows.Run.Repository] = of
	}
	spans := spansOf(rows)
	of.Spans = append(of.Spans, spans...)
	if s.spans += len(spans); s.spans >= mostSpans {
		return s.flush(ctx)
	}
	return nil
}

func (s *Sender) flush(ctx context.Context) error {
	var all []*trace.ResourceSpans
	for repository, spans := range s.batch {
		all = append(all, &trace.ResourceSpans{
			Resource:   &resource.Resource{Attributes: attributes(semconv.ServiceName(repository), semconv.VCSRepositoryName(repository[strings.LastIndexByte(repository, '/')+1:]))},
			ScopeSpans: []*trace.ScopeSpans{spans}, SchemaUrl: semconv.SchemaURL,
		})
	}
	if len(all) == 0 {
		return nil
	}
	if err := s.client.UploadTraces(ctx, all); err != nil {
		return fmt.Errorf("sending %d spans to %s: %w; the same command sends them again, under the same ids", s.spans, s.address, err)
	}
	s.Sent += s.spans
	s.batch, s.spans = map[string]*trace.ScopeSpans{}, 0
	return nil
}

// Close sends the remaining runs.
func (s *Sender) Close(ctx context.Context) error {
	return errors.Join(s.flush(ctx), s.client.Stop(ctx))
}

// spansOf are the spans of a run; the first is the command's.
func spansOf(rows *fleet.Rows) []*trace.Span {
	r := &rows.Run
	whole := sha256.Sum256([]byte(r.Repository + "\x00" + r.RunID))
	span := func(kind string, number int32, name string, ms int64) *trace.Span {
		id := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", r.Repository, r.RunID, kind, number))
		begin := uint64(r.Time.UnixNano())
		return &trace.Span{
			TraceId: whole[:16], SpanId: id[:8], Name: name, Kind: trace.Span_SPAN_KIND_INTERNAL, Status: &trace.Status{},
			StartTimeUnixNano: begin, EndTimeUnixNano: begin + uint64(max(ms, 0))*uint64(time.Millisecond),
		}
	}
	command := span("run", 0, cmp.Or(r.Command, r.Tool, "command"), r.DurationMS)
	command.Attributes = attributes(runAttributes(r)...)
	fail(command, bad(r.Status), r.Says)
	spans := []*trace.Span{command}
	said := map[string]string{}
	for _, f := range rows.Findings {
		if f.TestID != "" && said[f.TestID] == "" {
			said[f.TestID] = f.Message
		}
	}
	for i := range rows.Outcomes {
		o := &rows.Outcomes[i]
		test := span("test", o.Number, o.TestID, value(o.DurationMS))
		test.ParentSpanId = command.SpanId
		test.Attributes = attributes(testAttributes(r, o)...)
		fail(test, o.Outcome == "failed" || o.Outcome == "error", said[o.TestID])
		spans = append(spans, test)
	}
	for i := range rows.Stages {
		st := &rows.Stages[i]
		stage := span("stage", st.Number, cmp.Or(st.Command, st.Tool, "command"), r.DurationMS)
		stage.ParentSpanId = command.SpanId
		stage.Attributes = attributes(stageAttributes(r, st)...)
		fail(stage, bad(st.Status), "")
		spans = append(spans, stage)
	}
	return spans
}

func fail(s *trace.Span, failed bool, says string) {
	if failed {
		s.Status.Code, s.Status.Message = trace.Status_STATUS_CODE_ERROR, says
	}
}

func bad(status string) bool { return status == "failed" || status == "error" }

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func attributes(all ...attribute.KeyValue) (out []*common.KeyValue) {
	for _, a := range all {
		v := &common.AnyValue{}
		switch a.Value.Type() {
		case attribute.INT64:
			v.Value = &common.AnyValue_IntValue{IntValue: a.Value.AsInt64()}
		case attribute.BOOL:
			v.Value = &common.AnyValue_BoolValue{BoolValue: a.Value.AsBool()}
		default:
			if a.Value.AsString() == "" {
				continue // the value is not known
			}
			v.Value = &common.AnyValue_StringValue{StringValue: a.Value.AsString()}
		}
		out = append(out, &common.KeyValue{Key: string(a.Key), Value: v})
	}
	return out
}

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
