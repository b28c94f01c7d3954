package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cairn/agents"
	"cairn/agents/shell"
	"cairn/capture"
	"cairn/capture/child"
	"cairn/internal/guard"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

const captureRunLong = `Run a command, keep every byte it prints, print one typed result, and exit as
the command did.

A run that failed is compared with an earlier one of its command, and a last
line says what is new, what still fails and what is fixed, where that is certain.
In JSON every finding has a "baseline".

The result is recorded in the repository's manifest; the exact bytes stay in the
local store and come back with "cairn recall object". The branch "cairn" follows
within two seconds, by a process of its own that ends when nothing waits; with
--fold, CI=true or git config cairn.fold=now it has the record at the exit.

The line of --shell is run by your shell: $CAIRN_SHELL, or $SHELL where that is bash,
zsh, sh, dash or ksh, else /bin/sh. --shell-program names another. The record says
which it was ("shell_is") where it was not sh.

Ctrl-C is passed on to the command; a second one kills it and all it started.

Reports that the command writes are kept and merged with what it printed: those
it names (--junitxml=F, --junitfile F, -o F, "> F" in a line, ...), and JUnit XML
where maven, gradle, jest and others leave it. Only files that this run wrote
count.

Exit status:
  0-255  the command's own
  128+n  the command was ended by signal n
  124    --timeout ended the command, and it then exited 0
  125    cairn itself failed before the command ran
  126    the command could not be executed
  127    the command was not found
With --fail-on new, 0 takes the place of the command's own where all that failed
is known from the run compared with; stderr says so.
A record that could not be written is reported on stderr and changes nothing.`

type captureRunOptions struct {
	format         render.Format
	shell          string
	shellProgram   string
	live, tty      bool
	fold           bool
	timeout        time.Duration
	agent, session string
	standing       standingOptions
}

func newCaptureRun(a *app) *cobra.Command {
	var o captureRunOptions
	cmd := &cobra.Command{
		Use:   "run [flags] (--shell LINE | -- CMD ARGS...)",
		Short: "run, keep, print the result, exit as CMD did",
		Long:  captureRunLong,
		Example: `  cairn capture run -- pytest -q
  cairn capture run --format json -- go test ./...
  cairn capture run --against main --fail-on new -- eslint src
  cairn capture run --live --timeout 10m --shell 'make test | tail -50'`,
		RunE: func(cmd *cobra.Command, args []string) error { return runCapture(a, cmd, o, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // the flags of the captured command are not cairn's, with or without "--"
	o.format = render.FormatCompact
	oneOfForms(cmd, &o.format, captureForms...).Usage += " (errors, as editors take them)"
	f.StringVar(&o.shell, "shell", "", "run this `LINE` with your shell ($SHELL) instead of CMD")
	f.StringVar(&o.shellProgram, "shell-program", "", "the `SHELL` that runs the line of --shell: bash, /bin/sh, ...")
	f.BoolVar(&o.live, "live", false, "pass the output through as it comes, then print the result")
	f.BoolVar(&o.tty, "tty", false, "give the command a pseudo-terminal")
	f.BoolVar(&o.fold, "fold", false, "bring the record into the branch before exiting, as where CI=true")
	f.DurationVar(&o.timeout, "timeout", 0, "end the command and all it started after this `DURATION`, such as 90s or 10m")
	f.StringVar(&o.agent, "agent", "", "`NAME` of who runs this, for the record (default $CAIRN_AGENT)")
	f.StringVar(&o.session, "session", "", "`ID` of the session this belongs to (default $CAIRN_SESSION)")
	o.standing.flags(cmd)
	return cmd
}

// mostMemory is the memory in bytes from which a capture collects garbage more often:
// with the program itself, a flood of failures then takes less than 64 MB.
const mostMemory = 46 << 20

// boundMemory sets the limit mostMemory, unless the user has set another one. All
// threads stop for it, which a short capture would notice.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(mostMemory)
	}
}

// shellOf is the shell that runs the line of --shell; "" if there is no line. If the
// user's own shell has another language, a warning says that the line is not in it.
func (o captureRunOptions) shellOf(a *app) string {
	if o.shell == "" || o.shellProgram != "" {
		return o.shellProgram
	}
	path, other := shell.Users(a.environ)
	if other != "" {
		a.warn(fmt.Sprintf("the line is run by /bin/sh and not by %s, whose language cairn does not read; --shell-program %s runs it all the same", other, other))
	}
	return path
}

// capturing are the options to capture a command or the line of --shell.
func (o captureRunOptions) capturing(a *app, args []string) capture.Options {
	options := capture.Options{
		Command: child.Command{Argv: args, Shell: o.shell, ShellProgram: o.shellOf(a), Dir: a.dir, Env: a.environ, Stdin: a.in, TTY: o.tty, Timeout: o.timeout},
		Out:     a.outFile, Err: a.errFile, Env: a.env, By: a.by(o.agent, o.session), Now: time.Now, Warn: a.warn, Large: boundMemory, Later: a.later(o.fold),
	}
	switch {
	case o.live:
		options.LiveOut, options.LiveErr = a.stdout, a.stderr
	case isTerminal(a.stderr):
		options.Progress = a.stderr
	}
	return options
}

func runCapture(a *app, cmd *cobra.Command, o captureRunOptions, args []string) error {
	switch {
	case (len(args) == 0) == (o.shell == ""):
		return usageError{cmd, errors.New("give one command: after --, or as a line with --shell")}
	case o.shellProgram != "" && o.shell == "":
		return usageError{cmd, errors.New("--shell-program chooses the shell of --shell, which is not given")}
	case o.timeout < 0:
		return usageError{cmd, fmt.Errorf("--timeout %s is in the past", o.timeout)}
	}
	options := o.capturing(a, args)
	if a.dir == "" {
		a.warn("NOT RECORDED: the working directory is gone")
		return a.passThrough(cmd, options)
	}
	if parsers.IsRecall(args, o.shell) { // the output of recall is on record already
		return a.passThrough(cmd, options)
	}
	out := capture.Run(cmd.Context(), options)
	if o.live {
		seen(out)
	}
	return a.show(cmd, o.format, o.standing, out)
}

// seen removes from the answer the output that the user has seen live.
func seen(out *capture.Outcome) {
	if out.Result != nil {
		without := *out.Result
		without.Body, out.Raw, out.Result = "", nil, &without
	}
}

// show prints the answer first and then brings the store up to date.
func (a *app) show(cmd *cobra.Command, format render.Format, o standingOptions, out *capture.Outcome) error {
	return a.showAs(cmd, o, out, func() { a.printAnswer(format, out) })
}

// showAs is show with another function to print the answer.
func (a *app) showAs(cmd *cobra.Command, o standingOptions, out *capture.Outcome, answer func()) error {
	if err := guard.Do("comparing with an earlier run", func() { a.stand(cmd, o, out) }); err != nil {
		a.warn(err.Error())
	}
	if out.Result != nil {
		answer()
	}
	if out.Trouble != nil {
		a.warn("NOT FULLY RECORDED: " + strings.ReplaceAll(out.Trouble.Error(), "\n", "; "))
	}
	for _, note := range out.CatchUp(cmd.Context()) {
		a.warn(note)
	}
	if s := a.statusOf(o, out); s != 0 {
		return status(s)
	}
	return nil
}

// printAnswer prints the answer or, if that panics, the output unchanged.
func (a *app) printAnswer(format render.Format, out *capture.Outcome) {
	var text []byte
	var err error
	if broken := guard.Do("printing the result", func() { text, err = answer(format, out) }); broken != nil {
		a.warn(fmt.Sprintf("%v; the command ended with exit status %d and printed:", broken, out.Status))
		io.WriteString(a.out, cmp.Or(string(out.Raw), out.Result.Body))
		return
	}
	if err == nil {
		err = a.put(format, text)
	}
	if err != nil {
		a.warn(fmt.Sprintf("printing the result: %v", err))
	}
}

// passThrough runs a command without keeping anything.
func (a *app) passThrough(cmd *cobra.Command, o capture.Options) error {
	p, err := child.Start(cmd.Context(), o.Command)
	if err != nil {
		a.warn(err.Error())
		return status(child.Exit{Code: -1, StartErr: err}.Status())
	}
	exit, err := p.Wait(through{a.stdout, a.stderr})
	if err != nil {
		a.warn(err.Error())
	}
	if s := exit.Status(); s != 0 {
		return status(s)
	}
	return nil
}

// through is a sink that passes the output on and keeps nothing.
type through struct{ out, err io.Writer }

func (t through) Chunk(s child.Stream, _ time.Duration, p []byte) error {
	to := t.out
	if s == child.Stderr {
		to = t.err
	}
	_, err := to.Write(p)
	return err
}

// by says who runs this, or nil: from flags, CAIRN_AGENT and CAIRN_SESSION, or the
// environment that the agent's host set.
func (a *app) by(agent, session string) *manifest.By { return agents.By(a.environ, agent, session) }

// warn prints a text; further lines are indented: an error quotes names, and a line
// break in a name must not begin what looks like a line of cairn's.
func (a *app) warn(text string) {
	fmt.Fprintf(a.err, "cairn: %s\n", strings.ReplaceAll(result.Clean(text), "\n", "\n  "))
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

const capturePutLong = `Keep output that exists already, from FILE or standard input, and record it as
a capture. Say which command made it after --, and how it ended with --exit;
without --exit its status is unknown. Files that the run wrote, such as a JUnit
XML report, are kept with it when given with --artifact.

--from imports what CI has kept already: github-log and gitlab-log (the log of a job), junit,
sarif, ctrf, go-json and teamcity. The bytes are kept as they are. The same file is one record,
however often it is imported. The record says that it was imported: it has the time of the import, is of no tree and
no commit, and proves nothing.`

type capturePutOptions struct {
	format                                    render.Format
	tool, from, shell, signal, agent, session string
	artifacts                                 []string
	exit                                      int
}

func newCapturePut(a *app) *cobra.Command {
	var o capturePutOptions
	cmd := &cobra.Command{
		Use:   "put [flags] [FILE|-] [-- CMD ARGS...]",
		Short: "keep output that already exists",
		Long:  capturePutLong + exitHelp("kept and recorded, whatever its result says", "it could not be read, kept or recorded"),
		Example: `  cairn capture put --exit 1 ci.log -- pytest -q
  cairn capture put --exit 1 --artifact junit.xml ci.log -- pytest -q
  gh run view 1234 --log | cairn capture put --from github-log
  cairn capture put --from junit build/test-results/junit.xml
  curl -s https://ci.example/log | cairn capture put --tool go-test`,
		RunE: func(cmd *cobra.Command, args []string) error { return runCapturePut(a, cmd, o, args) },
	}
	f := cmd.Flags()
	formatFlag(cmd, &o.format)
	f.StringVar(&o.tool, "tool", "", "`TOOL` that printed it, when no command is given")
	oneOf(cmd, &o.from, "from", "import a file of this `KIND`: ", capture.ImportKinds()...)
	f.StringVar(&o.shell, "shell", "", "the command as a shell `LINE`")
	f.IntVar(&o.exit, "exit", 0, "exit `CODE` of the command")
	f.StringVar(&o.signal, "signal", "", "`NAME` of the signal that ended it, such as SIGKILL")
	artifactFlag(f, &o.artifacts)
	f.StringVar(&o.agent, "agent", "", "`NAME` of who ran it, for the record (default $CAIRN_AGENT)")
	f.StringVar(&o.session, "session", "", "`ID` of the session it belongs to (default $CAIRN_SESSION)")
	return cmd
}

func runCapturePut(a *app, cmd *cobra.Command, o capturePutOptions, args []string) error {
	if err := checkEnding(o.exit, o.signal); err != nil {
		return usageError{cmd, err}
	}
	file, argv, err := splitPutArgs(cmd, args)
	if err != nil {
		return usageError{cmd, err}
	}
	data, err := a.open(file)
	if err != nil {
		return err
	}
	defer data.Close()
	site, err := a.site(cmd.Context())
	if err != nil {
		return err
	}
	out, err := capture.Put(cmd.Context(), site, capture.PutOptions{
		Tool: o.tool, Argv: argv, Shell: o.shell, By: a.by(o.agent, o.session), Data: data, Artifacts: o.artifacts, From: o.from,
		Exit: result.Exit{Observed: cmd.Flags().Changed("exit"), Code: o.exit, Signal: o.signal},
	})
	if err != nil {
		site.Close()
		return err
	}
	if out.Known {
		a.warn("imported before, as " + out.Record.ID + "; its record stays as it is")
	}
	out.Later = a.later(false)
	return a.show(cmd, o.format, standingOptions{failOn: failOnAny}, out)
}

// splitPutArgs splits "[FILE] [-- CMD ARGS…]".
func splitPutArgs(cmd *cobra.Command, args []string) (file string, argv []string, err error) {
	n := len(args)
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		n, argv = dash, args[dash:]
	}
	switch n {
	case 0:
		return "-", argv, nil
	case 1:
		return args[0], argv, nil
	}
	return "", nil, errors.New("give one FILE at most, and the command after --")
}

// open opens a file for reading; "-" is standard input.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading output to keep: %w", err)
	}
	return f, nil
}
