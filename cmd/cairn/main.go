// Command cairn is the honest record of what was run. It has only flags, calls and exit
// codes; the logic is in the packages it calls.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/recall/filter"
	"cairn/redact"
)

func main() { os.Exit(run(os.Args[1:])) }

// app is what commands share: the environment, read once.
type app struct {
	in               *os.File
	stdout, stderr   io.Writer // for captured bytes, unchanged
	outFile, errFile *os.File  // their files, for a terminal and for a shell that replaces this process
	out, err         *output   // for all other text
	dir              string    // absolute working directory
	env              place.Env
	environ          []string
	visiting         bool // the repository is another's, as in a fleet: it is read, and nothing is written that others see
}

// status is an exit status that is not an error of cairn's: a child's own status.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Exit statuses for cairn's own errors. For errors in starting a command, those of
// package child are used.
const (
	statusTrouble  = 125 // capture run: cairn itself failed
	statusError    = 1   // any other command failed
	statusUsage    = 2
	statusNotFound = 3 // nothing matched: recall
)

func run(args []string) int {
	a := &app{in: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, outFile: os.Stdout, errFile: os.Stderr, out: &output{to: os.Stdout}, err: &output{to: os.Stderr}, environ: os.Environ()}
	defer a.flush()
	a.env = place.FromEnviron(a.environ)
	redact.Know(a.environ)
	dir, err := os.Getwd()
	if err != nil && !runsAnywhere(args) {
		a.warn(fmt.Sprintf("finding the working directory: %v", err))
		return statusTrouble
	}
	a.dir = dir
	if len(args) > 2 && args[0] == "shell" && args[1] == "--as" { // every command of an agent; it waits for no list of commands
		return a.exit(nil, runShell(a, context.Background(), nil, args[1:]))
	}
	root := newRoot(a, args)
	cmd, err := root.ExecuteContextC(context.Background())
	return a.exit(cmd, err)
}

// runsAnywhere says whether the arguments run a command even if the working directory
// is gone, as any shell does: the command may only be "cd elsewhere".
func runsAnywhere(args []string) bool {
	return len(args) > 0 && args[0] == "shell" || len(args) > 1 && args[0] == "capture" && args[1] == "run"
}

// flush prints incomplete last lines. An error cannot be reported any more.
func (a *app) flush() {
	a.out.Flush()
	a.err.Flush()
}

// command is a command directly below the root.
type command struct {
	name string
	make func(a *app) *cobra.Command
}

// commands lists all commands.
func commands() []command {
	return []command{
		{"capture", func(a *app) *cobra.Command {
			return group("capture", "run a command or take output that exists, and keep it",
				newCaptureRun(a), newCapturePut(a))
		}},
		{"watch", newWatch},
		{"parse", newParse},
		{"recall", func(a *app) *cobra.Command {
			return brief(overFleets(a, group("recall", "ask about what was run",
				newRecallObjects(a), newRecallObject(a), newRecallFinding(a), newRecallDiff(a),
				newRecallLast(a), newRecallTests(a), newRecallTest(a), newRecallSearch(a), newRecallFlaky(a), newRecallBlame(a), newRecallStats(a))))
		}},
		{"report", newReport}, {"ci", newCI}, {"serve", newServe}, {"ui", newUI},
		{"objects", func(a *app) *cobra.Command {
			return group("objects", "look after the store",
				newObjectsFsck(a), newObjectsGC(a), newObjectsPack(a), newObjectsPin(a), newObjectsUnpin(a), newObjectsStats(a),
				newObjectsPush(a), newObjectsPull(a), newObjectsList(a))
		}},
		{"manifest", func(a *app) *cobra.Command {
			return group("manifest", "look after the record",
				newManifestLog(a), newManifestFold(a), newManifestShow(a), newManifestFollow(a))
		}},
		{"timeline", func(a *app) *cobra.Command {
			return group("timeline", "what subagents did, step by step",
				newTimelineList(a), newTimelineShow(a), newTimelineServe(a))
		}},
		{"shell", newShell},
		{"init", newInit}, {"hook", newHook}, {"mcp", newMCP}, {"rpc", newRPC},
		{"sync", newSync},
		{"remote", func(a *app) *cobra.Command {
			return group("remote", "places for the bytes of outputs",
				newRemoteAdd(a), newRemoteList(a), newRemoteRemove(a), newRemoteGC(a))
		}},
		{"export", newExport},
		{"fleet", func(a *app) *cobra.Command {
			return group("fleet", "records of many repositories in a database", newFleetLoad(a), newFleetAsk(a), newFleetMigrate(a))
		}},
		{"parsers", newParsers},
		{"prove", func(a *app) *cobra.Command { return brief(newProve(a)) }}, {"attest", newAttest}, {"verify", newVerify},
		{"schema", newSchema},
		{"textconv", newTextconv},
		{"config", newConfig}, {"doctor", newDoctor},
		{"version", newVersion},
	}
}

// chosen are the commands that a command line needs: the one that it names, none for
// the version, and all for everything else, such as help, completion and a misspelled
// name. Making forty commands with their flags takes a quarter of a millisecond.
func chosen(args []string) []command {
	if len(args) == 1 && args[0] == "--version" {
		return nil
	}
	all := commands()
	for i := range all {
		if len(args) > 0 && args[0] == all[i].name {
			return all[i : i+1]
		}
	}
	return all
}

const rootLong = `cairn is the honest record of what was run.

Start here:
  cairn capture run -- pytest -q    run something: a short answer, and every byte kept
  cairn recall objects              what was run; recall object ID gives the bytes back
  cairn init                        have your coding agents' commands recorded`

// newRoot makes the program's command line, with the commands that args need.
func newRoot(a *app, args []string) *cobra.Command {
	root := group("cairn", "the honest record of what was run")
	root.Long = rootLong
	some := chosen(args)
	for _, c := range some {
		root.AddCommand(c.make(a))
	}
	root.CompletionOptions.DisableDefaultCmd = len(some) < len(commands()) // "completion" is only for all
	root.SetArgs(withValues(args))
	root.Version = build.Version()
	root.SetVersionTemplate("cairn {{.Version}}\n")
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetHelpCommand(newHelp(a))
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 { // the flags are not the problem
			err = noSuchCommand(cmd, words[0])
		}
		return usageError{cmd, suggestFlag(cmd, err)}
	})
	return root
}

// brief is for commands that answer one question and end: collecting garbage as often
// as a long process should takes a third of their time, and on a million records it
// saves 5 MB of 120.
func brief(g *cobra.Command) *cobra.Command {
	g.PersistentPreRun = func(*cobra.Command, []string) { debug.SetGCPercent(400) }
	return g
}

func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return cmd.Help()
	}}
	g.SuggestionsMinimumDistance = 2
	g.AddCommand(commands...)
	return g
}

// noArgs refuses an argument that a command does not take, or a subcommand that does
// not exist.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return usageError{cmd, noSuchCommand(cmd, args[0])}
	}
	return usageError{cmd, fmt.Errorf("%q takes no argument, and %q is one", cmd.CommandPath(), args[0])}
}

// many is the limit for a command that takes any number of arguments.
const many = math.MaxInt

// takes refuses fewer arguments than least, more than most, and an empty first argument if one is required.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most || least > 0 && args[0] == "" {
			return usageError{cmd, errors.New("give " + what)}
		}
		return nil
	}
}

func noSuchCommand(in *cobra.Command, name string) error {
	hint, like := "", in.SuggestionsFor(name)
	if in.Name() == "capture" && len(like) == 0 { // the word may be the name of a program
		hint = "; to run it and keep what it prints: cairn capture run -- " + name
	} else if others := called(newRoot(&app{out: &output{}, err: &output{}}, nil), name); len(others) > 0 {
		like = others
	}
	if len(like) > 0 {
		hint = "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return fmt.Errorf("there is no command %q in %q%s", name, in.CommandPath(), hint)
}

// called are the paths of the commands with this name, in all groups.
func called(in *cobra.Command, name string) (paths []string) {
	for _, c := range in.Commands() {
		if c.Name() == name && c.IsAvailableCommand() {
			paths = append(paths, c.CommandPath())
		}
		paths = append(paths, called(c, name)...)
	}
	return paths
}

// usageError is an error in the command line.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e usageError) Error() string { return e.err.Error() }

// exit prints an error and returns the exit status. No other function chooses one.
func (a *app) exit(cmd *cobra.Command, err error) int {
	var child status
	var usage usageError
	var none notFound
	var meant *filter.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &child):
		return int(child)
	}
	a.warn(err.Error())
	switch {
	case errors.As(err, &usage) && (cmd.Name() == "run" || cmd.Name() == "capture" || cmd.Name() == "ci"):
		fmt.Fprintf(a.err, "see: %s --help\n", cmd.CommandPath())
		return statusTrouble
	case errors.As(err, &usage), errors.As(err, &meant):
		fmt.Fprintf(a.err, "see: %s --help\n", cmd.CommandPath())
		return statusUsage
	case errors.As(err, &none):
		return statusNotFound
	case cmd.Name() == "run":
		return statusTrouble
	}
	return statusError
}

// notFound says that nothing matched, which is an answer.
type notFound struct{ error }
