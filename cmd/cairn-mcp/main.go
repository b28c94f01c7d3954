// Command cairn-mcp is what "cairn mcp" becomes: a server of the Model Context
// Protocol on standard input and output. It starts "cairn rpc", of the program
// that stands beside it, and translates between the two.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"cairn/agents/mcp"
	"cairn/agents/rpc/wire"
	"cairn/internal/build"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("cairn-mcp", build.Version())
		return
	}
	if err := serve(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "cairn-mcp: %v\n", err)
		os.Exit(1)
	}
}

// patience is how long cairn may take, at the end, to write down what it
// captured.
const patience = 15 * time.Second

func serve(ctx context.Context) (err error) {
	cmd := exec.CommandContext(ctx, cairn(), "rpc")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting cairn rpc: %w", err)
	}
	defer func() {
		in.Close()
		late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer late.Stop()
		err = errors.Join(err, cmd.Wait())
	}()
	client := wire.NewClient(out, in)
	hello := map[string]any{"version": wire.Version, "client": "cairn-mcp"} // a session: when the host is gone, its runs end
	if err := client.Call(ctx, "hello", hello, &struct{}{}, nil); err != nil {
		return fmt.Errorf("starting cairn rpc: %w", err)
	}
	return mcp.Serve(ctx, mcp.Options{Version: build.Version(), Environ: os.Environ(), Cairn: client}, os.Stdin, os.Stdout)
}

// cairn is the program beside this one, or the one on PATH.
func cairn() string {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "cairn"+filepath.Ext(self))
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	return "cairn"
}
