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
)

// Options are the surroundings.
type Options struct {
	Version string
	Environ []string
	Cairn   *wire.Client // does the work
}

// Serve serves until the input ends.
func Serve(ctx context.Context, o Options, in io.ReadCloser, out io.WriteCloser) error {
	return (&server{o}).build().Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
}

type server struct{ o Options }

func (s *server) build() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "cairn", Version: s.o.Version}, &sdk.ServerOptions{
		Logger: slog.New(slog.DiscardHandler), // a host shows stderr as an error
	})
	server.AddTool(&sdk.Tool{Name: "capture_run", Description: captureRunText, InputSchema: json.RawMessage(captureRunSchema)}, s.captureRun)
	server.AddTool(&sdk.Tool{Name: "recall", Description: recallText, InputSchema: json.RawMessage(recallSchema),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}}, s.recall)
	return server
}

const captureRunText = `Run a shell command and record it: tests, linters, type checkers, builds. Answers the verdict, exit status and one line per finding; every byte is kept under the id in the first line.`

const captureRunSchema = `{"type":"object","properties":{
"command":{"type":"string"},
"cwd":{"type":"string","description":"default: the project"},
"timeout":{"type":"number","description":"seconds"},
"format":{"enum":["compact","json"]}},
"required":["command"],"additionalProperties":false}`

const recallText = `Ask the record of earlier runs before running something again. op: list (newest runs, by the filters), output (exact text of a run or object; give lines or grep if long), result (all findings), finding (history of a fingerprint), diff (new, fixed, still failing; of id and to, or the last two runs), search (text in outputs).`

const recallSchema = `{"type":"object","properties":{
"op":{"enum":["list","output","result","finding","diff","search"]},
"id":{"type":"string","description":"run id, sha256:…, fingerprint, or its beginning"},
"to":{"type":"string"},
"lines":{"type":"string","description":"A:B"},
"grep":{"type":"string","description":"regular expression; text for search"},
"stream":{"enum":["stdout","stderr"]},
"status":{"type":"string","description":"failed, passed, error, …"},
"tool":{"type":"string"},
"file":{"type":"string"},
"since":{"type":"string","description":"2h, 3d or a date"},
"limit":{"type":"integer"}},
"required":["op"],"additionalProperties":false}`

// maxAnswer bounds an answer in bytes; hosts cut what is longer, each in its
// own way.
const maxAnswer = 8 << 10

// answer is text for the model, cut at a line; more says how to get the rest.
func answer(text, more string, failed bool) *sdk.CallToolResult {
	if len(text) > maxAnswer {
		text = cut(text, more)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: failed}
}

// cut keeps whole lines from the beginning, and of one that is too long
// its beginning.
func cut(text, more string) string {
	const room = 200 // for the line that says so
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

// by is who asks: the host's own environment, else the name that the client
// gave itself.
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
