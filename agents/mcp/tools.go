package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"cairn/agents"
	"cairn/agents/rpc/wire"
)

type runArgs struct {
	Command string  `json:"command"`
	CWD     string  `json:"cwd"`
	Timeout float64 `json:"timeout"`
	Format  string  `json:"format"`
}

// ran has the fields that this package reads from an answer to "run".
type ran struct {
	Text      string          `json:"text"`
	Cancelled bool            `json:"cancelled"`
	Run       string          `json:"run"`
	Result    json.RawMessage `json:"result"`
	Notes     []string        `json:"notes"`
}

func (s *server) captureRun(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var a runArgs
	if err := wire.Decode(req.Params.Arguments, &a); err != nil {
		return troubled("capture_run: %v", err), nil
	}
	params := map[string]any{
		"command": a.Command, "cwd": a.CWD, "timeout_ms": int64(a.Timeout * 1000), "agent": s.by(req),
		"progress": req.Params.GetProgressToken() != nil,
	}
	var r ran
	if err := s.o.Cairn.Call(ctx, "run", params, &r, s.progress(ctx, req)); err != nil {
		return troubled("%s", explained(err)), nil
	}
	text, notes := r.Text, ""
	for _, note := range r.Notes {
		notes += "cairn: " + note + "\n"
	}
	switch {
	case a.Format != "json":
	case len(r.Result) < maxAnswer:
		text = string(r.Result) + "\n"
	default: // half of a JSON document helps no one
		notes += fmt.Sprintf("cairn: the JSON has more than %d bytes; this is the compact form\n", maxAnswer)
	}
	return answer(notes+text, fmt.Sprintf(`the rest: recall {"op":"result","id":%q} or {"op":"output","id":%[1]q,"lines":"A:B"}`, r.Run), false), nil
}

// beat is how many events of progress, sent four times a second, make one notification. While
// notifications come, two hosts wait longer for a tool.
const beat = 8

// progress notifies the host that the command is still running, if the host asked for it.
func (s *server) progress(ctx context.Context, req *sdk.CallToolRequest) func(string, json.RawMessage) {
	token, n := req.Params.GetProgressToken(), 0
	return func(_ string, data json.RawMessage) {
		var p struct {
			ElapsedMS int64 `json:"elapsed_ms"`
			Lines     int64 `json:"lines"`
			Bytes     int64 `json:"bytes"`
		}
		if n++; token == nil || n%beat != 1 || json.Unmarshal(data, &p) != nil {
			return
		}
		// A host that is gone is noticed at the end of its input.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(n),
			Message: fmt.Sprintf("running for %d s; lines: %d, bytes: %d", p.ElapsedMS/1000, p.Lines, p.Bytes)})
	}
}

func (s *server) recall(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var q agents.Question
	if err := wire.Decode(req.Params.Arguments, &q); err != nil {
		return troubled("recall: %v", err), nil
	}
	var r struct {
		Text  string   `json:"text"`
		Notes []string `json:"notes"`
	}
	err := s.o.Cairn.Call(ctx, "recall", q, &r, nil)
	if e := new(wire.Error); errors.As(err, &e) && e.Code == wire.NotFound {
		return answer(e.Message+"\n", "", false), nil
	}
	if err != nil {
		return troubled("%s", explained(err)), nil
	}
	notes := ""
	if len(r.Notes) > 0 {
		notes = strings.Join(r.Notes, "\n") + "\n"
	}
	return answer(r.Text+notes, more(q), false), nil
}

// more says how to get the rest of a long answer.
func more(q agents.Question) string {
	switch q.Op {
	case "output":
		return `give "lines":"A:B" or "grep"`
	case "list", "search":
		return `give a smaller "limit", or filters`
	}
	return fmt.Sprintf("the rest: cairn recall object %s --result --format json", cmp.Or(q.ID, "ID"))
}

// explained is an error's message without its code, which is for programs.
func explained(err error) string {
	if e := new(wire.Error); errors.As(err, &e) {
		return strings.TrimPrefix(e.Message, "cairn: ")
	}
	return err.Error()
}

const usage = `cairn-mcp [--run-tool]: a server of the Model Context Protocol on standard input
and output, with the tool recall. It is what "cairn mcp" becomes; see: cairn mcp --help

  --run-tool  the tool capture_run, too: a host's rules for shell commands do not apply to it
  --version   which build this is
  --help      this text
`

// Run is the program cairn-mcp: it starts "cairn rpc", serves until the input ends, and returns the exit status that
// "cairn mcp" documents.
func Run(ctx context.Context, version string, args []string, in io.ReadCloser, out, errs io.WriteCloser) int {
	f := flag.NewFlagSet("cairn-mcp", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	withRun := f.Bool("run-tool", false, "")
	showVersion := f.Bool("version", false, "")
	err := f.Parse(args)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("it takes no argument, and %q is one", f.Arg(0))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, usage)
		return 0
	case err != nil:
		fmt.Fprintf(errs, "cairn-mcp: %v\nsee: cairn-mcp --help\n", err)
		return 2
	case *showVersion:
		fmt.Fprintln(out, "cairn-mcp", version)
		return 0
	}
	if err := serveWith(ctx, version, *withRun, in, out, errs); err != nil {
		fmt.Fprintf(errs, "cairn-mcp: %v\n", err)
		return 1
	}
	return 0
}

// patience is how long cairn may take at the end to record what it captured.
const patience = 15 * time.Second

// serveWith starts "cairn rpc", which does the work, and serves.
func serveWith(ctx context.Context, version string, withRun bool, in io.ReadCloser, out, errs io.WriteCloser) (err error) {
	cmd := exec.CommandContext(ctx, cairn(), "rpc")
	cmd.Stderr = errs
	to, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting cairn rpc: %w", err)
	}
	defer func() {
		to.Close()
		late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer late.Stop()
		err = errors.Join(err, cmd.Wait())
	}()
	client := wire.NewClient(from, to)
	hello := map[string]any{"version": wire.Version, "client": "cairn-mcp"} // a session: when the host is gone, its runs end
	if err := client.Call(ctx, "hello", hello, &struct{}{}, nil); err != nil {
		return fmt.Errorf("starting cairn rpc: %w", err)
	}
	return Serve(ctx, Options{Version: version, Environ: os.Environ(), Cairn: client, RunTool: withRun}, in, out)
}

// cairn is the path of the program next to this one, or else the name to look up on PATH.
func cairn() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "cairn"+filepath.Ext(self))
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	return "cairn"
}
