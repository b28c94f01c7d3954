package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"

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
