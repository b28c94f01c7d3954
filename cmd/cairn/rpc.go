package main

import (
	"bytes"
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents"
	"cairn/agents/rpc"
	"cairn/agents/shell"
	"cairn/internal/build"
)

const rpcLong = `Answer requests, JSON lines on standard input, on standard output: the way in for
extensions of agents, which start it once a session. Methods are hello, run (with
progress and cancel), recall, put, prune, inherit, timeline, agent and report.
--schema prints the JSON Schema of the protocol. When the input ends, a caller that
has said hello is taken to be gone, and its runs are ended; without hello, what was
asked is finished first.`

func newRPC(a *app) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "rpc",
		Short: "requests and answers in JSON lines, for extensions of agents",
		Long:  rpcLong + exitHelp("the input ended", "it could not be read, or the answers could not be written"),
		Example: `  echo '{"id":"1","method":"recall","params":{"op":"list"}}' | cairn rpc
  echo '{"id":"1","method":"run","params":{"command":"pytest -q"}}' | cairn rpc`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				_, err := a.stdout.Write(rpc.Schema())
				return err
			}
			return rpc.Serve(cmd.Context(), rpc.Options{
				Program: build.Version(), Dir: a.dir, Env: a.env, Environ: a.environ, Now: time.Now,
				Shell:   func(line string) []string { return []string{shell.Real(a.environ), "-c", line} },
				Command: a.command,
				Later:   a.later(false),
			}, a.in, a.stdout)
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the protocol")
	return cmd
}

// command runs another command of cairn in this process: see agents.Command.
func (a *app) command(ctx context.Context, dir string, args []string) (stdout, stderr string, code int) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return "", err.Error(), statusError
	}
	defer null.Close()
	var out, errs bytes.Buffer
	inner := &app{in: null, stdout: &out, stderr: &errs, out: &output{to: &out}, err: &output{to: &errs}, dir: dir, env: a.env, environ: a.environ}
	root := newRoot(inner, args)
	cmd, err := root.ExecuteContextC(ctx)
	code = inner.exit(cmd, err)
	inner.flush()
	return out.String(), errs.String(), code
}

var _ agents.Command = (*app)(nil).command
