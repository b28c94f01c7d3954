package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents/hook"
	"cairn/agents/setup"
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
