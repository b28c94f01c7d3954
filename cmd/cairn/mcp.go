package main

import (
	"github.com/spf13/cobra"

	"cairn/agents/shell"
	"cairn/internal/build"
)

const mcpLong = `Serve the Model Context Protocol on standard input and output, with the tool recall,
which asks the record and changes nothing. A host starts it in the project's
directory; "cairn init" tells it to.

With --run-tool there is the tool capture_run, too: it runs a shell command and
records it. Your host's rules for shell commands (deny, ask, sandbox) do not apply
to it: it is a tool of its own, and whether it may run is asked for that tool, once
or never. Where your agent's shell is captured it is not needed.

The server is the program cairn-mcp, which is installed beside cairn.`

func newMCP(a *app) *cobra.Command {
	var runTool bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "the tool recall, and capture_run where asked for, for agents",
		Long:  mcpLong + exitHelp("the input ended", "cairn-mcp is not there, or the protocol failed"),
		Example: `  claude mcp add cairn -- cairn mcp
  codex mcp add cairn -- cairn mcp --run-tool`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			server, err := build.Companion("cairn-mcp")
			if err != nil {
				return err
			}
			argv := []string{server}
			if runTool {
				argv = append(argv, "--run-tool")
			}
			return shell.Exec(argv, a.environ)
		},
	}
	cmd.Flags().BoolVar(&runTool, "run-tool", false, "offer capture_run, to which rules for shell commands do not apply")
	return cmd
}
