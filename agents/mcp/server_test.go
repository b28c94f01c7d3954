package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"

	"cairn/agents/rpc"
	"cairn/agents/rpc/wire"
	"cairn/internal/place"
)

// connect is the SDK's own client, this server, and cairn rpc behind it.
func connect(t *testing.T, command func(args []string) (string, string, int), options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	dir := t.TempDir()
	for _, key := range []string{"HOME", "XDG_STATE_HOME"} {
		t.Setenv(key, t.TempDir())
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "XDG_STATE_HOME=" + os.Getenv("XDG_STATE_HOME")}
	requests, toRPC := io.Pipe()
	fromRPC, answers := io.Pipe()
	over := make(chan error, 2)
	go func() {
		over <- rpc.Serve(context.Background(), rpc.Options{
			Program: "test", Dir: dir, Environ: environ, Env: place.FromEnviron(environ), Now: time.Now,
			Shell:   func(line string) []string { return []string{"/bin/sh", "-c", line} },
			Command: func(_ context.Context, _ string, args []string) (string, string, int) { return command(args) },
		}, requests, answers)
		answers.Close()
	}()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go func() {
		over <- Serve(context.Background(), Options{Version: "test", Environ: environ, Cairn: wire.NewClient(fromRPC, toRPC), RunTool: true}, inR, outW)
		toRPC.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "claude-code", Version: "1"}, options)
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		for range 2 {
			select {
			case <-over:
			case <-time.After(30 * time.Second):
				t.Fatal("a server does not end")
			}
		}
	})
	return session
}

func call(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, r), r.IsError
}

func textOf(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	if r.StructuredContent != nil || len(r.Content) != 1 {
		t.Fatalf("want one text and nothing else, got %+v", r)
	}
	text := r.Content[0].(*sdk.TextContent).Text
	if len(text) > maxAnswer {
		t.Errorf("an answer of %d bytes", len(text))
	}
	return text
}

func TestTools(t *testing.T) {
	s := connect(t, nil, nil)
	list, err := s.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 2 || list.Tools[0].Name != "capture_run" || list.Tools[1].Name != "recall" {
		t.Fatalf("%+v", list.Tools)
	}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if tool.Title == "" || a == nil || a.Title != tool.Title || a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s: title %q, annotations %+v", tool.Name, tool.Title, a)
			continue
		}
		if reads := tool.Name == "recall"; a.ReadOnlyHint != reads || a.IdempotentHint != reads || *a.DestructiveHint == reads || *a.OpenWorldHint == reads {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
	if !strings.Contains(list.Tools[0].Description, "rules for shell commands do not apply") {
		t.Errorf("capture_run does not say whose rules it goes by: %q", list.Tools[0].Description)
	}
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		raw, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(enc.Encode(string(raw), nil, nil)); n > 600 {
			t.Errorf("%s costs %d tokens a request; 600 are what it is worth", tool.Name, n)
		}
	}
}

func TestCaptureRun(t *testing.T) {
	s := connect(t, nil, nil)
	text, failed := call(t, s, "capture_run", map[string]any{"command": "echo a.py:1:2: E501 long; exit 3"})
	if failed || !strings.HasPrefix(text, "sh failed: exit 3 sha256:") || !strings.HasSuffix(text, "\na.py:1:2: E501 long\n") || strings.Count(text, "\n") != 2 {
		t.Errorf("%v %q", failed, text)
	}
	text, _ = call(t, s, "capture_run", map[string]any{"command": "echo out", "format": "json"})
	var r struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Status != "ok" {
		t.Errorf("%v %q", err, text)
	}
	text, _ = call(t, s, "capture_run", map[string]any{"command": "sleep 100", "timeout": 0.05})
	if !strings.Contains(text, "timed out") {
		t.Errorf("%q", text)
	}
	for _, args := range []map[string]any{{}, {"command": ""}, {"command": "true", "cwd": "/nonexistent"}, {"command": "true", "timeout": -1}, {"command": "true", "cmd": 1}} {
		if text, failed := call(t, s, "capture_run", args); !failed {
			t.Errorf("%v was taken: %q", args, text)
		}
	}
}

func TestRecall(t *testing.T) {
	var asked []string
	s := connect(t, func(args []string) (string, string, int) {
		asked = args
		switch args[len(args)-1] {
		case "none":
			return "", "cairn: no capture and no object is called \"none\"\n", 3
		case "broken":
			return "", "cairn: its bytes do not match\n", 1
		}
		return strings.Repeat("a line of output\n", 5000), "", 0
	}, nil)
	text, failed := call(t, s, "recall", map[string]any{"op": "output", "id": "01KA", "lines": "3:9"})
	if want := "recall object --lines=3:9 -- 01KA"; strings.Join(asked, " ") != want || failed {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if !strings.Contains(text, " of 5000 lines") || !strings.Contains(text, `give "lines":"A:B"`) {
		t.Errorf("…%q", text[len(text)-200:])
	}
	if text, failed = call(t, s, "recall", map[string]any{"op": "output", "id": "none"}); failed || !strings.Contains(text, "no capture") {
		t.Errorf("%v %q", failed, text)
	}
	if text, failed = call(t, s, "recall", map[string]any{"op": "output", "id": "broken"}); !failed || !strings.Contains(text, "do not match") {
		t.Errorf("%v %q", failed, text)
	}
	for _, args := range []map[string]any{{}, {"op": "x"}, {"op": "output"}, {"op": "search"}, {"op": "output", "id": "a", "stream": "both"}, {"op": "list", "nosuch": 1}, {"op": "list", "to": "a"}} {
		text, failed := call(t, s, "recall", args)
		if !failed {
			t.Errorf("%v was taken: %q", args, text)
		}
		if strings.Contains(text, "recall: recall") {
			t.Errorf("%v: %q says twice who says it", args, text)
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	told := make(chan string, 100)
	s := connect(t, nil, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		told <- r.Params.Message
	}})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-told
		cancel()
	}()
	file := t.TempDir() + "/trapped"
	params := &sdk.CallToolParams{Name: "capture_run", Arguments: map[string]any{"command": "trap 'echo ended > " + file + "; exit 1' TERM; echo on; sleep 100 & wait"}}
	params.SetProgressToken("p1")
	if _, err := s.CallTool(ctx, params); err == nil {
		t.Fatal("the call was not cancelled")
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the command was not ended")
		}
	}
	// The server goes on, and a cancel for what is over changes nothing.
	if text, failed := call(t, s, "capture_run", map[string]any{"command": "echo on"}); failed {
		t.Error(text)
	}
}

func TestCut(t *testing.T) {
	one := strings.Repeat("é", maxAnswer)
	got := textOf(t, answer(one, "more", false))
	if !strings.Contains(got, "bytes shown; more]") || len(got) < maxAnswer/2 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestLines: what is no message is answered with the error of JSON-RPC, and the server
// goes on; so is what comes before initialize.
func TestLines(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	over := make(chan error, 1)
	go func() { over <- Serve(context.Background(), Options{Version: "v7"}, inR, outW) }()
	answers := bufio.NewScanner(outR)
	for _, c := range []struct{ say, want string }{
		{"not json", `"code":-32700`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/li`, `"code":-32700`},
		{`{"foo":1}`, `"code":-32600`},
		{`[1,2]`, `"code":-32600`},
		{`[]`, `"code":-32600`},
		{`42`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, `"id":7,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"version":"v7"`},
		{strings.Repeat("x", maxLine+1), `too long`},
		{"\xff\xfe", `"code":-32700`},
		{`[{"jsonrpc":"2.0","id":9,"method":"ping"}]`, `"id":9,"result":{}`},
		{`{"jsonrpc":"2.0","id":10,"method":"nosuch"}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"capture_run","arguments":{"command":"true"}}}`, `"code":-32602`}, // not asked for
		{`{"jsonrpc":"2.0","id":12,"method":"tools/list"}`, `"name":"recall"`},
	} {
		go io.WriteString(inW, c.say+"\n")
		if !answers.Scan() {
			t.Fatalf("%.60q ended the server: %v", c.say, <-over)
		}
		got := answers.Text()
		if !strings.Contains(got, c.want) || strings.Contains(got, `"name":"capture_run"`) {
			t.Errorf("%.60q is answered with %s, want %s", c.say, got, c.want)
		}
		if strings.Contains(c.want, "32700") && !strings.Contains(got, `"id":null`) {
			t.Errorf("%.60q: %s has an id", c.say, got)
		}
	}
	inW.Close()
	if err := <-over; err != nil {
		t.Error(err)
	}
}
