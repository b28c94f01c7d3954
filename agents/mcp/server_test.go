package mcp

import (
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
		over <- Serve(context.Background(), Options{Version: "test", Environ: environ, Cairn: wire.NewClient(fromRPC, toRPC)}, inR, outW)
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
	if a := list.Tools[0].Annotations; a != nil && a.ReadOnlyHint {
		t.Error("capture_run runs commands")
	}
	if a := list.Tools[1].Annotations; a == nil || !a.ReadOnlyHint {
		t.Error("recall only reads")
	}
	raw, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader())
	enc, err := tiktoken.GetEncoding("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(enc.Encode(string(raw), nil, nil)); n > 600 {
		t.Errorf("the tools cost %d tokens a request; 600 are what they are worth", n)
	}
}

func TestCaptureRun(t *testing.T) {
	s := connect(t, nil, nil)
	text, failed := call(t, s, "capture_run", map[string]any{"command": "echo out; exit 3"})
	if failed || !strings.HasPrefix(text, "sh failed: exit 3 sha256:") {
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
	for _, args := range []map[string]any{{}, {"op": "x"}, {"op": "output"}, {"op": "search"}, {"op": "output", "id": "a", "stream": "both"}, {"op": "list", "nosuch": 1}} {
		if text, failed := call(t, s, "recall", args); !failed {
			t.Errorf("%v was taken: %q", args, text)
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
