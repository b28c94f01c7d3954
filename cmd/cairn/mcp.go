package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/agents/shell"
)

const mcpLong = `Serve the Model Context Protocol on standard input and output, with two tools:
capture_run runs a command and records it, recall asks the record. A host starts
it in the project's directory; "cairn init" tells it to.

The server is the program cairn-mcp, which is installed beside cairn.

Exit status:
  0  the input ended
  1  cairn-mcp is not there, or the protocol failed`

func newMCP(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "the tools capture_run and recall, for agents",
		Long:  mcpLong,
		Example: `  claude mcp add cairn -- cairn mcp
  codex mcp add cairn -- cairn mcp`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			server, err := companion("cairn-mcp")
			if err != nil {
				return err
			}
			return shell.Exec([]string{server}, a.environ)
		},
	}
}

// companion finds a program that is installed with this one: beside it, or on
// PATH.
func companion(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is not installed beside cairn, nor on PATH: go install cairn/cmd/%s", name, name)
	}
	return path, err
}
