package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"cairn/agents"
	"cairn/agents/rpc/wire"
	"cairn/internal/guard"
)

// Options are the settings of a server.
type Options struct {
	Version string
	Environ []string
	Cairn   *wire.Client // runs commands and answers questions
	RunTool bool         // also offer capture_run
}

// Serve answers requests until the input ends.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	return (&server{o}).build().Run(ctx, lines{in, out})
}

type server struct{ o Options }

func (s *server) build() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "cairn", Version: s.o.Version}, &sdk.ServerOptions{
		Logger: slog.New(slog.DiscardHandler), // a host shows stderr as an error
	})
	server.AddTool(&sdk.Tool{Name: "recall", Title: "Ask the record of runs", Description: recallText, InputSchema: agents.QuestionSchema(),
		Annotations: &sdk.ToolAnnotations{Title: "Ask the record of runs", ReadOnlyHint: true, DestructiveHint: new(bool), IdempotentHint: true, OpenWorldHint: new(bool)}}, guarded(s.recall))
	if s.o.RunTool {
		all := true
		server.AddTool(&sdk.Tool{Name: runTool, Title: "Run a shell command and record it", Description: captureRunText, InputSchema: json.RawMessage(captureRunSchema),
			Annotations: &sdk.ToolAnnotations{Title: "Run a shell command and record it", DestructiveHint: &all, OpenWorldHint: &all}}, guarded(s.captureRun))
	}
	return server
}

// guarded turns a panic of a tool into the error of this call.
func guarded(tool sdk.ToolHandler) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (r *sdk.CallToolResult, err error) {
		if broken := guard.Do(req.Params.Name, func() { r, err = tool(ctx, req) }); broken != nil {
			return troubled("%v", broken), nil
		}
		return r, err
	}
}

// runTool is the tool that runs commands.
const runTool = "capture_run"

const captureRunText = `Run a shell command and record it: tests, linters, type checkers, builds. Answers the verdict, exit status and one line per finding; every byte is kept under the id in the first line. The host's rules for shell commands do not apply to this tool: what the user forbade there is forbidden here.`

const captureRunSchema = `{"type":"object","properties":{
"command":{"type":"string"},
"cwd":{"type":"string","description":"default: the project"},
"timeout":{"type":"number","description":"seconds"},
"format":{"enum":["compact","json"]}},
"required":["command"],"additionalProperties":false}`

const recallText = `Ask the record of earlier runs before running something again. op: list (newest runs, by the filters), output (exact text; lines or grep if long), result (all findings), diff (of id and to, or the last two runs), search (runs that printed grep), finding, test (its history), tests (of a run), outcomes (of a test by run), blame (the commit since which it fails), flaky, stats.`

// maxAnswer bounds an answer, in bytes; hosts cut longer ones, each in its own way.
const maxAnswer = 8 << 10

// answer is text for the model, cut to maxAnswer at the end of a line; more says how to get the rest.
func answer(text, more string, failed bool) *sdk.CallToolResult {
	if len(text) > maxAnswer {
		text = cut(text, more)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: failed}
}

// cut keeps whole lines from the beginning, or the beginning of a first line that is too long.
func cut(text, more string) string {
	const room = 200 // for the line that says what is missing
	head := strings.ToValidUTF8(text[:maxAnswer-room-len(more)], "")
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i+1]
	} else {
		head += "\n"
	}
	shown := strings.Count(head, "\n")
	return fmt.Sprintf("%s[… %d of %d lines, %d of %d bytes shown; %s]\n", head, shown, strings.Count(text, "\n"), len(head), len(text), more)
}

func troubled(format string, args ...any) *sdk.CallToolResult {
	return answer(fmt.Sprintf(format, args...), "", true)
}

// by is the agent that asks: the host found in the environment, else the name that the client gave.
func (s *server) by(req *sdk.CallToolRequest) (agent string) {
	if by := agents.By(s.o.Environ, "", ""); by != nil {
		return by.Agent
	}
	params := req.Session.InitializeParams()
	if params == nil || params.ClientInfo == nil {
		return ""
	}
	name := params.ClientInfo.Name
	for _, host := range agents.Hosts {
		if strings.HasPrefix(name, host.Name) {
			return host.Name
		}
	}
	return cmp.Or(name, "mcp")
}

// maxLine bounds a request, in bytes: the longest that a host sends is a command line.
const maxLine = 16 << 20

// lines is a transport over two streams. The SDK's own ends the connection at the first line that is no message. This
// one answers such a line with an error and continues, as JSON-RPC requires.
type lines struct {
	in  io.ReadCloser
	out io.WriteCloser
}

func (l lines) Connect(ctx context.Context) (sdk.Connection, error) {
	valid, to := io.Pipe()
	go l.check(to)
	inner, err := (&sdk.IOTransport{Reader: closes{valid, l.in}, Writer: l.out, MaxLineLength: -1}).Connect(ctx)
	return &connection{Connection: inner, out: l.out, open: map[jsonrpc.ID]chan struct{}{}}, err
}

// closes reads from a pipe. Close also closes the stream that feeds the pipe.
type closes struct {
	*io.PipeReader
	behind io.Closer
}

func (c closes) Close() error { return errors.Join(c.PipeReader.Close(), c.behind.Close()) }

// check passes on lines with JSON and refuses others, until the input ends.
func (l lines) check(to *io.PipeWriter) {
	in := bufio.NewReader(l.in)
	for {
		line, tooLong, err := readLine(in)
		switch line = bytes.TrimSpace(line); {
		case tooLong:
			refuse(l.out, jsonrpc.CodeParseError, "the line is too long")
		case len(line) == 0:
		case !json.Valid(line):
			refuse(l.out, jsonrpc.CodeParseError, "the line is not JSON")
		default:
			if _, err := to.Write(append(line, '\n')); err != nil {
				return // the session is over
			}
		}
		if err != nil { // the end of the stream, for whatever reason
			to.Close()
			return
		}
	}
}

// readLine reads a line of at most maxLine bytes. A longer line is skipped, and tooLong is true.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// refuse sends an error for a request whose id could not be read.
func refuse(out io.Writer, code int64, message string) {
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: message}})
	_, _ = out.Write(append(line, '\n')) // if the host is gone, its input ends too
}

// connection refuses JSON that is no message, and gives every error a code. Questions sent before the input ended are
// answered, as for requests that come through a pipe; a running command is not waited for, since
// its host is gone.
type connection struct {
	sdk.Connection
	out io.Writer

	mu   sync.Mutex
	open map[jsonrpc.ID]chan struct{} // questions that have not been answered yet
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		switch {
		case err == nil:
			c.asked(m)
			return m, nil
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || ctx.Err() != nil:
			c.answerAll(ctx)
			return nil, err
		}
		refuse(c.out, jsonrpc.CodeInvalidRequest, err.Error())
	}
}

func (c *connection) asked(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return
	}
	var tool struct {
		Name string `json:"name"`
	}
	if r.Method == "tools/call" && (json.Unmarshal(r.Params, &tool) != nil || tool.Name == runTool) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[r.ID] = make(chan struct{})
}

func (c *connection) answerAll(ctx context.Context) {
	c.mu.Lock()
	open := slices.Collect(maps.Values(c.open))
	c.mu.Unlock()
	for _, answered := range open {
		select {
		case <-answered:
		case <-ctx.Done():
			return
		}
	}
}

// Write sets an error code: the SDK leaves it 0 for a request that comes before initialize.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, m)
	}
	if e := new(jsonrpc.Error); r.Error != nil && (!errors.As(r.Error, &e) || e.Code == 0) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
	err := c.Connection.Write(ctx, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if answered := c.open[r.ID]; answered != nil {
		close(answered)
		delete(c.open, r.ID)
	}
	return err
}
