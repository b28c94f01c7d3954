package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cairn/agents/prune"
	"cairn/agents/rpc/wire"
	"cairn/internal/place"
)

// peer is a caller that checks every line, of both directions, with the schema.
type peer struct {
	t        *testing.T
	in       io.WriteCloser
	out      *json.Decoder
	requests *jsonschema.Schema
	answers  map[string]*jsonschema.Schema
	methods  map[string]string // of ids
	over     chan error
}

func definition(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rpc.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("rpc.json#/$defs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func serve(t *testing.T, edit ...func(*Options)) *peer {
	t.Helper()
	dir := t.TempDir()
	for _, key := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(key, t.TempDir())
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
	cmd := exec.Command("git", "init", "-q", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	o := Options{
		Program: "test", Dir: dir, Environ: os.Environ(), Env: place.FromEnviron(os.Environ()), Now: time.Now,
		Shell: func(line string) []string { return []string{"/bin/sh", "-c", line} },
		Command: func(context.Context, string, []string) (string, string, int) {
			return "an answer\n", "", 0
		},
	}
	for _, e := range edit {
		e(&o)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: json.NewDecoder(outR), requests: definition(t, "request"), methods: map[string]string{}, over: make(chan error, 1)}
	p.answers = map[string]*jsonschema.Schema{"": definition(t, "message")}
	for _, m := range []string{"hello", "run", "recall", "put", "prune", "inherit", "timeline", "report", "agent"} {
		p.answers[m] = definition(t, m+".result")
	}
	go func() { p.over <- Serve(context.Background(), o, inR, outW); outW.Close() }()
	t.Cleanup(p.end)
	return p
}

func (p *peer) end() {
	p.in.Close()
	go io.Copy(io.Discard, p.out.Buffered())
	select {
	case err := <-p.over:
		if err != nil {
			p.t.Error(err)
		}
	case <-time.After(30 * time.Second):
		p.t.Error("the server does not end")
	}
}

func value(raw []byte) any {
	v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	return v
}

func (p *peer) ask(id, method, params string) {
	p.t.Helper()
	line := `{"id":"` + id + `","method":"` + method + `","params":` + params + `}`
	if err := p.requests.Validate(value([]byte(line))); err != nil {
		p.t.Errorf("request %s: %v", line, err)
	}
	p.methods[id] = method
	p.raw(line)
}

func (p *peer) raw(line string) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Error(err)
	}
}

// next is the next answer that is no event; events counts those before it.
func (p *peer) next() (m wire.Message, events int) {
	p.t.Helper()
	for ; ; events++ {
		var raw json.RawMessage
		if err := p.out.Decode(&raw); err != nil {
			p.t.Fatal(err)
		}
		if err := p.answers[""].Validate(value(raw)); err != nil {
			p.t.Errorf("answer %s: %v", raw, err)
		}
		m = wire.Message{}
		if err := json.Unmarshal(raw, &m); err != nil {
			p.t.Fatal(err)
		}
		if m.Event != "" {
			continue
		}
		if s := p.answers[p.methods[m.ID]]; m.Error == nil && s != nil {
			if err := s.Validate(value(m.Result)); err != nil {
				p.t.Errorf("result %s: %v", m.Result, err)
			}
		}
		return m, events
	}
}

func (p *peer) call(id, method, params string, to any) {
	p.t.Helper()
	p.ask(id, method, params)
	m, _ := p.next()
	if m.Error != nil || m.ID != id {
		p.t.Fatalf("%s: %+v", method, m.Error)
	}
	if err := json.Unmarshal(m.Result, to); err != nil {
		p.t.Fatal(err)
	}
}

func TestMethods(t *testing.T) {
	p := serve(t)
	var hello helloResult
	p.call("1", "hello", `{"version":1,"client":"pi 0.87.1","agent":"pi","session":"s"}`, &hello)
	if hello.Version != 1 || len(hello.Methods) != 9 {
		t.Errorf("%+v", hello)
	}
	var run runResult
	p.call("2", "run", `{"command":"echo out; echo err >&2; exit 3"}`, &run)
	if run.Status != 3 || run.Run == "" || run.OID == "" || run.Bytes != 8 || !run.Recorded || !strings.HasPrefix(run.Text, "sh failed: exit 3 sha256:") {
		t.Errorf("%+v", run)
	}
	var put putResult
	p.call("3", "put", `{"text":"a\nb\n","keep":"a test"}`, &put)
	if put.OID != prune.OID("a\nb\n") || put.Lines != 2 {
		t.Errorf("%+v", put)
	}
	var recall recallResult
	p.call("4", "recall", `{"op":"output","id":"`+put.OID+`"}`, &recall)
	if recall.Text != "an answer\n" {
		t.Errorf("%+v", recall)
	}
	var block struct{ Text string }
	p.call("5", "inherit", `{"messages":[{"role":"user","text":"q"},{"role":"toolResult","tool":"read","text":"t"},{"role":"user","text":"r"},{"role":"user","text":"s"}]}`, &block)
	if !strings.Contains(block.Text, "[tool output omitted — "+prune.OID("t")) {
		t.Error(block.Text)
	}
}

func TestPrune(t *testing.T) {
	p := serve(t)
	big := strings.Repeat("output ", 30_000)
	messages := `[{"id":"u","role":"user"},{"id":"a","role":"toolResult","tool":"bash","args":{"command":"make"},"text":"` + big + `"},` +
		`{"id":"b","role":"toolResult","tool":"bash","text":"` + strings.Repeat("other ", 30_000) + `"},{"id":"v","role":"user"},{"id":"w","role":"user"}]`
	var d prune.Decision
	p.call("1", "prune", `{"messages":`+messages+`,"session":"s1"}`, &d)
	if len(d.New) != 1 || d.New[0].ID != "a" || len(d.Edits) != 1 || !strings.HasPrefix(d.Edits[0].Text, "["+prune.OID(big)[:19]) {
		t.Fatalf("%+v", d)
	}
	remembered, err := json.Marshal(d.New)
	if err != nil {
		t.Fatal(err)
	}
	var again prune.Decision
	p.call("2", "prune", `{"messages":`+messages+`,"pruned":`+string(remembered)+`}`, &again)
	if len(again.New) != 0 || len(again.Edits) != 1 || again.Edits[0] != d.Edits[0] || again.Saved != d.Saved {
		t.Errorf("%+v", again)
	}
}

func TestTimeline(t *testing.T) {
	p := serve(t)
	var r timelineResult
	p.call("1", "timeline", `{"op":"start","id":"a1","ts":1000,"meta":{"subagentType":"Explore"}}`, &r)
	p.call("2", "timeline", `{"op":"add","id":"a1","ts":2000,"events":[{"type":"tool_execution_start","toolCallId":"c","toolName":"bash","args":{"command":"ls"}},`+
		`{"type":"tool_execution_end","toolCallId":"c","result":{"content":[{"type":"text","text":"files"}]}}]}`, &r)
	if f := r.Frame; f.EntryCount != 1 || f.Entries[0].Output.OID != prune.OID("files") || f.DurationMS != 1000 {
		t.Errorf("%+v", f)
	}
	p.call("3", "timeline", `{"op":"end","id":"a1","ts":2000,"status":"completed"}`, &r)
	if r.Frame.Status != "completed" || r.OID == "" {
		t.Errorf("%+v", r)
	}
	p.ask("4", "timeline", `{"op":"add","id":"a1"}`)
	if m, _ := p.next(); m.Error == nil || m.Error.Code != wire.NotFound {
		t.Errorf("%+v", m)
	}
}

func TestProgressAndCancel(t *testing.T) {
	p := serve(t)
	p.ask("1", "run", `{"command":"echo begun; sleep 100 & echo $!; wait","progress":true}`)
	var m wire.Message
	for { // until it has printed
		if err := p.out.Decode(&m); err != nil {
			t.Fatal(err)
		}
		if m.Event == "progress" && strings.Contains(string(m.Data), "begun") {
			break
		}
	}
	p.raw(`{"method":"cancel","params":{"id":"nobody"}}`)
	p.raw(`{"method":"cancel","params":{"id":"1"}}`)
	m, _ = p.next()
	var run runResult
	if m.Error != nil || json.Unmarshal(m.Result, &run) != nil || !run.Cancelled || run.Status != 143 || !run.Recorded || run.Lines != 2 {
		t.Fatalf("%+v %s", m.Error, m.Result)
	}
	p.raw(`{"method":"cancel","params":{"id":"1"}}`) // too late: ignored
	p.raw(`{"id":"2","method":"run","params":{"command":"sleep 100"},"deadline_ms":50}`)
	p.methods["2"] = "run"
	if m, _ = p.next(); m.ID != "2" || json.Unmarshal(m.Result, &run) != nil || !run.Cancelled {
		t.Errorf("%+v", m)
	}
}

func TestBadRequests(t *testing.T) {
	p := serve(t, func(o *Options) {
		o.Command = func(_ context.Context, _ string, args []string) (string, string, int) {
			if args[1] == "finding" {
				panic("a bug")
			}
			return "", "cairn: nothing is called so\n", 3
		}
	})
	for line, code := range map[string]string{
		`not json`:                     wire.BadRequest,
		`{"id":"1","method":"nosuch"}`: wire.BadRequest,
		`{"method":"run","params":{"command":"true"}}`:                               wire.BadRequest,
		`{"id":"1","method":"run","params":{"command":"true","cmd":"x"}}`:            wire.BadRequest,
		`{"id":"1","method":"run","params":{"command":""}}`:                          wire.BadRequest,
		`{"id":"1","method":"run","params":{"command":"true","cwd":"/nonexist"}}`:    wire.BadRequest,
		`{"id":"1","method":"hello","params":{"version":99}}`:                        wire.BadRequest,
		`{"id":"1","method":"recall","params":{"op":"what"}}`:                        wire.BadRequest,
		`{"id":"1","method":"recall","params":{"op":"output","id":"x"}}`:             wire.NotFound,
		`{"id":"1","method":"recall","params":{"op":"finding","id":"x"}}`:            wire.Failed,
		`{"id":"1","method":"prune","params":{"messages":[],"config":{"mode":"x"}}}`: wire.BadRequest,
	} {
		p.raw(line)
		if m, _ := p.next(); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v", line, m.Error)
		}
	}
}

// TestRunsBesideEachOther: a slow run keeps no other request waiting, and the
// end of a session's input ends it.
func TestRunsBesideEachOther(t *testing.T) {
	var asked atomic.Int32
	p := serve(t, func(o *Options) {
		o.Command = func(context.Context, string, []string) (string, string, int) { asked.Add(1); return "", "", 0 }
	})
	p.call("0", "hello", `{"version":1}`, &helloResult{})
	p.ask("1", "run", `{"command":"sleep 100"}`)
	p.ask("2", "recall", `{"op":"list"}`)
	if m, _ := p.next(); m.ID != "2" || asked.Load() != 1 {
		t.Errorf("%+v", m)
	}
	p.raw(`{"id":"1","method":"recall","params":{"op":"list"}}`)
	if m, _ := p.next(); m.Error == nil || m.Error.Code != wire.BadRequest {
		t.Errorf("an id that is in use was taken: %+v", m)
	}
	p.in.Close()
	m, _ := p.next()
	var run runResult
	if json.Unmarshal(m.Result, &run) != nil || !run.Cancelled {
		t.Errorf("%+v", m)
	}
}
