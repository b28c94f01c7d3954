package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents"
	"cairn/agents/hook"
	"cairn/agents/rpc"
	"cairn/agents/setup"
	"cairn/agents/shell"
	"cairn/internal/build"
	"cairn/internal/githooks"
	"cairn/internal/guard"
	"cairn/result"
)

const hookLong = `Answer a hook of an agent's host: it reads the event on standard input and prints
what the host takes. It gives context and decides nothing: at the start of a
session what failed last, after a command that failed which run it is and whether
its failures are new.

--rewrite also answers the event before a command, with the command put behind
"cairn capture run --": the host then judges the rewritten line, so your own rules
for the command no longer count, and a rule that allows cairn allows everything.

--prove answers where a session begins and where its agent stops, and nothing else: if the files
changed and a check of .cairn/checks.toml is not proven for them, it warns the user (warn)
or sends the agent back with what would prove it (block: twice a session at most, and never
where the host says that the agent goes on because of a hook).

"cairn hook git NAME" is what the hooks of git call that "cairn init --git-hooks" writes:
prepare-commit-msg and commit-msg put a trailer a check into the message of a commit, which
says whether it is proven for the tree that is committed (Checked: NAME RUN STATE); pre-push
says what is not proven of the commits that are pushed, and with --prove=block ends the push.

Whatever goes wrong is said on stderr and exits 0, since some hosts stop a tool
whose hook fails.`

func newHook(a *app) *cobra.Command {
	var rewrite bool
	var mode string
	cmd := &cobra.Command{
		Use:     "hook (HOST | git NAME ARGS...)",
		Short:   "what hosts of agents call: context for the model",
		Long:    hookLong + exitHelp("always, but for", "pre-push with --prove=block: something that is pushed is not proven, or could not be judged"),
		Example: `  echo '{"hook_event_name":"SessionStart","cwd":"."}' | cairn hook claude`,
		Args: func(cmd *cobra.Command, args []string) error {
			isMode := mode == "" || mode == hook.Warn || mode == hook.Block
			if len(args) > 0 && args[0] == "git" && isMode {
				return gitHookArgs(cmd, args[1:])
			}
			known := hook.Hosts
			if mode != "" {
				known = hook.ProveHosts
			}
			switch {
			case len(args) != 1 || !slices.Contains(known, args[0]):
				return usageError{cmd, errors.New("give one HOST of " + strings.Join(known, ", "))}
			case !isMode:
				return usageError{cmd, fmt.Errorf("--prove is %s or %s, and not %q", hook.Warn, hook.Block, mode)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o := hook.Options{Host: args[0], Dir: a.dir, Env: a.env, Now: time.Now, Rewrite: rewrite, Prove: mode, Prefix: "cairn capture run --"}
			if args[0] == "git" {
				return a.gitHook(cmd, o, args[1:])
			}
			if self, err := os.Executable(); err == nil && rewrite {
				o.Prefix = setup.ShellWord(self) + " capture run --"
			}
			answer, err := hook.Answer(cmd.Context(), o, a.in)
			if err != nil {
				a.warn(fmt.Sprintf("hook %s: %v", args[0], err))
			}
			_, err = io.WriteString(a.stdout, answer)
			return err
		},
	}
	cmd.Flags().StringVar(&mode, "prove", "", "where an agent stops, say which checks are not proven: `MODE` is warn or block")
	cmd.Flags().BoolVar(&rewrite, "rewrite", false, "put commands behind cairn; takes them out of your own rules")
	return cmd
}

// gitHookArgs checks the arguments that git gives to a hook.
func gitHookArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || !slices.Contains(githooks.Names, args[0]):
		return usageError{cmd, errors.New("give one hook of git: " + strings.Join(githooks.Names, ", "))}
	case len(args) == 1:
		return usageError{cmd, errors.New("give what git gives to the hook: \"$@\"")}
	}
	return nil
}

// gitHook answers a hook of git. An error of cairn's own never stops a commit, and
// stops a push only if unproven pushes are to be refused.
func (a *app) gitHook(cmd *cobra.Command, o hook.Options, args []string) (err error) {
	text, refuse := "", false
	broken := guard.Do("answering the hook", func() {
		switch args[0] {
		case "prepare-commit-msg":
			err = hook.CommitMessage(cmd.Context(), o, args[1], strings.Join(args[2:min(3, len(args))], ""))
		case "commit-msg":
			err = hook.EditedMessage(cmd.Context(), o, args[1])
		default:
			text, refuse, err = hook.Push(cmd.Context(), o, args[1], a.in)
		}
	})
	if err = cmp.Or(broken, err); err != nil {
		a.warn(fmt.Sprintf("hook git %s: %v", args[0], err))
		if refuse = args[0] == "pre-push" && o.Prove == hook.Block; refuse {
			text = "cairn: nothing was pushed, since it could not be judged; past this hook: git push --no-verify\n"
		}
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(a.errFile, result.CleanLine(strings.TrimRight(line, "\n")))
	}
	if refuse {
		return status(statusError)
	}
	return nil
}

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
