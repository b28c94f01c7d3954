package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents/shell"
)

const shellLong = `The shell that coding agents start. Their host has judged the line before; here
it is run in one real bash (or your zsh), exactly as the host framed it, and the
user's own line is captured. "cairn init" makes hosts start it.

Passed through, unrecorded: lines that have nothing but shell builtins, need a
terminal, follow a file for ever or run cairn; frames around anything but the agent's own line; what already runs inside
a capture.

The output is shown in compact form where a parser knows the tool, it has more
than 512 bytes and the compact form is not longer; else as it was, with a line
"[exit N]" where the host hides the status, and one that says how to read all of
it where hosts cut. A command that no parser is known for is held for 5 seconds
and then passed on as it comes. That is so as well where the host gives its shell a
terminal, as Gemini CLI and Qwen Code do, until the line asks for something there.
What is wrong with the store is said once in a session. What a command printed before another read it is kept
by itself, and where it failed and the reader has cut that off, it follows. The switch is CAIRN_SHOW, or git config
cairn.show: auto, compact or raw. CAIRN_SHELL names another shell to run.

Exit status:
  0-255  the line's own
  128+n  it was ended by signal n
  125    it was not started: cairn's own trouble
  126    the shell could not be executed
  127    the shell was not found`

func newShell(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "shell LINE | -c LINE",
		Short: "the shell that agents start: runs their line, and captures it",
		Long:  shellLong,
		Example: `  cairn shell -c 'cd web && npm test'
  CLAUDE_CODE_SHELL_PREFIX=~/.local/share/cairn/cairn-shell claude`,
		DisableFlagParsing: true, // the arguments are for the shell
		RunE:               func(cmd *cobra.Command, args []string) error { return runShell(a, cmd.Context(), cmd, args) },
	}
}

// runShell runs "cairn shell". cmd is nil with --as, whose arguments need no help.
func runShell(a *app, ctx context.Context, cmd *cobra.Command, args []string) error {
	as := ""
	if len(args) > 1 && args[0] == "--as" {
		as, args = args[1], args[2:]
	}
	switch {
	case as == "" && len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		return cmd.Help()
	case as == "" && len(args) == 0:
		return usageError{cmd, errors.New("give one LINE, or -c LINE")}
	case as == "" && len(args) == 1 && !strings.HasPrefix(args[0], "-") && !shell.IsFrame(args[0]):
		args = []string{"-c", args[0]} // a person typed the line
	}
	if s := shell.Run(ctx, shell.Options{
		Args: args, As: as, Dir: a.dir, Env: a.env, Environ: a.environ, Stdin: a.in, Out: a.outFile, Err: a.errFile, Now: time.Now, Large: boundMemory, Later: a.later(false),
	}); s != 0 {
		return status(s)
	}
	return nil
}
