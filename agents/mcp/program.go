package mcp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cairn/agents/rpc/wire"
)

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
