package otlp

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"cairn/fleet"
)

// receiver is what a collector does with a request: it decodes the message of the protocol.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	got     []*trace.ResourceSpans
	headers http.Header
	answer  func(w http.ResponseWriter, n int) bool // whether the request is answered in another way than by taking it
	n       int
}

func receive(t *testing.T, answer func(http.ResponseWriter, int) bool) *receiver {
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.n++; r.answer != nil && r.answer(w, r.n) {
			return
		}
		var message collector.ExportTraceServiceRequest
		unzip, err := gzip.NewReader(q.Body)
		if err == nil {
			var body bytes.Buffer
			if _, err = io.Copy(&body, unzip); err == nil {
				err = proto.Unmarshal(body.Bytes(), &message)
			}
		}
		if err != nil || q.URL.Path != "/v1/traces" || q.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %v: %v", q.URL, q.Header, err)
		}
		r.got, r.headers = append(r.got, message.ResourceSpans...), q.Header
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) spans() (all []*trace.Span) {
	for _, of := range r.got {
		all = append(all, of.ScopeSpans[0].Spans...)
	}
	return all
}

func sample(id string) *fleet.Rows {
	ms, line, exit := int64(40), int32(7), int32(1)
	begin := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	return &fleet.Rows{
		Run: fleet.Run{Repository: "example.com/team/app", RunID: id, Time: begin, Tool: "pytest", Kind: "test", Status: "failed", ExitCode: &exit, DurationMS: 1500,
			Command: "pytest -q", Commit: strings.Repeat("a", 40), Branch: "main", Says: "pytest failed: 1 failed, 2 passed"},
		Findings: []fleet.Finding{{TestID: "a.py::test_b", Message: "assert 1 == 2"}},
		Outcomes: []fleet.Outcome{
			{Number: 1, TestID: "a.py::test_a", Outcome: "passed", DurationMS: &ms},
			{Number: 2, TestID: "a.py::test_b", Outcome: "failed", Path: "a.py", LineNumber: &line},
			{Number: 3, TestID: "a.py::test_c", Outcome: "skipped"},
		},
		Stages: []fleet.Stage{{Number: 1, Command: "make", Status: "ok"}},
	}
}

func attributesOf(s *trace.Span) string {
	var all []string
	for _, a := range s.Attributes {
		v := a.Value.GetStringValue()
		if n := a.Value.GetIntValue(); n != 0 {
			v = strings.Repeat("i", int(n))
		}
		all = append(all, a.Key+"="+v)
	}
	return " " + strings.Join(all, " ") + " "
}

// TestSpans: a run arrives as a trace of its command, its tests and its stages, in the words of the conventions.
func TestSpans(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer x")
	r := receive(t, nil)
	for range 2 { // the same again
		s, err := Open(t.Context(), r.URL)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"01JD5Z2V6Q8T9W0XABCDEFGHJK", "01JD5Z2V6Q8T9W0XABCDEFGHJM"} {
			if err := s.Put(t.Context(), sample(id)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(t.Context()); err != nil || s.Sent != 10 {
			t.Fatalf("%d spans: %v", s.Sent, err)
		}
	}
	spans := r.spans()
	if len(spans) != 20 || r.headers.Get("Authorization") != "Bearer x" {
		t.Fatalf("%d spans, %v", len(spans), r.headers)
	}
	ids := map[string]bool{}
	for _, s := range spans {
		if ids[string(s.SpanId)] = true; len(s.SpanId) != 8 || len(s.TraceId) != 16 {
			t.Errorf("%s: ids of %d and %d bytes", s.Name, len(s.SpanId), len(s.TraceId))
		}
	}
	if len(ids) != 10 || bytes.Equal(spans[0].TraceId, spans[5].TraceId) || !bytes.Equal(spans[0].TraceId, spans[10].TraceId) {
		t.Errorf("%d ids: the same run sent again is not the same spans, or two runs are one trace", len(ids))
	}
	for i, want := range []string{
		" cicd.pipeline.task.name=pytest -q ¦ cicd.pipeline.task.run.id=01JD5Z2V6Q8T9W0XABCDEFGHJK ¦ cicd.pipeline.task.run.result=failure ¦ vcs.ref.head.revision=aaaaaaaa ¦ vcs.ref.head.name=main ¦ vcs.ref.head.type=branch process.exit.code=i error.type=failed cicd.pipeline.task.type=test test.suite.name=pytest test.suite.run.status=failure ",
		" test.case.name=a.py::test_a test.suite.name=pytest cairn.outcome=passed test.case.result.status=pass ",
		" test.case.name=a.py::test_b test.suite.name=pytest cairn.outcome=failed code.file.path=a.py test.case.result.status=fail error.type=failed code.line.number=iiiiiii ",
		" test.case.name=a.py::test_c test.suite.name=pytest cairn.outcome=skipped ",
		" cicd.pipeline.task.name=make ¦ process.command_line=make cairn.status=ok cairn.stage_number=i ",
	} {
		got := attributesOf(spans[i])
		for part := range strings.SplitSeq(want, "¦") {
			if !strings.Contains(got, strings.TrimRight(part, " ")) {
				t.Errorf("%s has no%s\n%s", spans[i].Name, part, got)
			}
		}
		if i > 0 && !bytes.Equal(spans[i].ParentSpanId, spans[0].SpanId) {
			t.Errorf("%s is not below the command", spans[i].Name)
		}
	}
	took := func(s *trace.Span) time.Duration { return time.Duration(s.EndTimeUnixNano - s.StartTimeUnixNano) }
	if took(spans[0]) != 1500*time.Millisecond || took(spans[1]) != 40*time.Millisecond || took(spans[2]) != 0 {
		t.Error("durations are not those of the rows")
	}
	if s := spans[2].Status; s.Code != trace.Status_STATUS_CODE_ERROR || s.Message != "assert 1 == 2" || spans[1].Status.Code != trace.Status_STATUS_CODE_UNSET {
		t.Errorf("%v", s)
	}
}

// TestRefused: a collector that is busy is asked again; what it refuses is an error, which says that the same command may be given again.
func TestRefused(t *testing.T) {
	send := func(r *receiver) (*Sender, error) {
		s, err := Open(t.Context(), r.URL)
		if err == nil {
			err = s.Put(t.Context(), sample("01JD5Z2V6Q8T9W0XABCDEFGHJK"))
		}
		if err != nil {
			t.Fatal(err)
		}
		return s, s.Close(t.Context())
	}
	r := receive(t, func(w http.ResponseWriter, n int) bool {
		if n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n == 1
	})
	if s, err := send(r); err != nil || s.Sent != 5 || len(r.spans()) != 5 {
		t.Errorf("after a 503: %v", err)
	}
	for name, answer := range map[string]func(w http.ResponseWriter){
		"403": func(w http.ResponseWriter) { http.Error(w, "no token", http.StatusForbidden) },
		"2 spans": func(w http.ResponseWriter) {
			out, _ := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 2, ErrorMessage: "too old"}})
			w.Header().Set("Content-Type", "application/x-protobuf")
			w.Write(out)
		},
	} {
		s, err := send(receive(t, func(w http.ResponseWriter, _ int) bool { answer(w); return true }))
		if err == nil || s.Sent != 0 || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "the same command sends them again") {
			t.Errorf("%s: %d sent, %v", name, s.Sent, err)
		}
	}
	for _, address := range []string{"localhost:4318", "", "ftp://x", "http://"} {
		if _, err := Open(t.Context(), address); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}
