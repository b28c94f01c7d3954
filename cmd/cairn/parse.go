package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/internal/sources"
	"cairn/outcomes"
	"cairn/parsers"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

const parseLong = `Parse output that was recorded elsewhere and print its result. Nothing is
stored, and the command is not run: it says which tool it was.

Without --exit the status is unknown: cairn does not guess how a command ended.
Without --stdout and --stderr, standard input is read as stdout; with --artifact
too, there may be no output at all. A file that the run wrote is given with
--artifact: a JUnit XML report is merged with what the text says, and one that
the command names as where its output goes is read as that output.`

type parseOptions struct {
	format, shell, stdout, stderr, dir, signal string
	artifacts                                  []string
	exit                                       int
	timedOut, cut, tests, asMap                bool
}

func newParse(a *app) *cobra.Command {
	var o parseOptions
	cmd := &cobra.Command{
		Use:   "parse [flags] (--shell LINE | -- CMD ARGS...)",
		Short: "parse recorded output, store nothing",
		Long:  parseLong + exitHelp("the output was parsed, whatever its result says", "the output could not be read"),
		Example: `  cairn parse --exit 1 --stdout out.txt --stderr err.txt -- pytest -q
  cairn parse --exit 1 --stdout out.txt --artifact junit.xml -- pytest -q
  pytest -q | cairn parse --exit 1 --format json -- pytest -q`,
		RunE: func(cmd *cobra.Command, args []string) error { return runParse(a, cmd, o, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&o.format, "format", "compact", "`FORM` of the output: "+listed(captureForms)+" (errors, as editors take them)")
	f.IntVar(&o.exit, "exit", 0, "exit `CODE` of the command")
	f.StringVar(&o.signal, "signal", "", "`NAME` of the signal that ended it, such as SIGKILL")
	f.BoolVar(&o.timedOut, "timed-out", false, "it was ended because its time was up")
	f.BoolVar(&o.cut, "cut", false, "the recording is cut short")
	f.StringVar(&o.stdout, "stdout", "", "`FILE` with its stdout; - is standard input")
	f.StringVar(&o.stderr, "stderr", "", "`FILE` with its stderr")
	artifactFlag(f, &o.artifacts)
	f.StringVar(&o.dir, "dir", "", "`DIR` it ran in (default: here); it need not exist")
	f.BoolVar(&o.tests, "tests", false, "print what every test came to; --format is then "+strings.Join(outcomes.Formats, ", "))
	f.BoolVar(&o.asMap, "map", false, "with --tests, print one JSON object of ids and words such as PASSED: short for --format map")
	f.StringVar(&o.shell, "shell", "", "the command as a shell `LINE`")
	return cmd
}

// isData says whether name is a file that cannot be executed.
func isData(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0
}

func runParse(a *app, cmd *cobra.Command, o parseOptions, args []string) error {
	var form string
	var format render.Format
	var err error
	if o.tests || o.asMap {
		form, err = testsForm(o.format, o.asMap)
	} else {
		err = formFlag{wordFlag[render.Format]{&format, captureForms}}.Set(o.format)
	}
	switch {
	case err != nil:
		return usageError{cmd, fmt.Errorf("--format: %w", err)}
	case len(args) == 1 && cmd.ArgsLenAtDash() < 0 && isData(args[0]):
		return usageError{cmd, fmt.Errorf("%s is a file, and no command: say --stdout %s, and after -- which command printed it", args[0], args[0])}
	case (len(args) == 0) == (o.shell == ""):
		return usageError{cmd, errors.New("say which command it was: after --, or as a line with --shell")}
	}
	if err := checkEnding(o.exit, o.signal); err != nil {
		return usageError{cmd, err}
	}
	if o.stdout == "" && o.stderr == "" && len(o.artifacts) == 0 {
		o.stdout = "-"
	}
	output, err := openRecording(a.in, o.stdout, o.stderr)
	if err != nil {
		return err
	}
	defer output.Close()
	in := parsers.Input{
		Argv: args, Shell: o.shell, Workspace: a.workspace(cmd, o.dir), Truncated: o.cut,
		Source: output, Redact: redact.Text,
	}
	files, err := capture.OpenArtifacts(o.artifacts, args, o.shell, in.Workspace)
	if err != nil {
		return err
	}
	defer capture.CloseArtifacts(files)
	in.Artifacts = files
	session := parsers.New(in)
	session.Scan()
	r := session.Result(result.Exit{Observed: cmd.Flags().Changed("exit"), Code: o.exit, Signal: o.signal, TimedOut: o.timedOut})
	sources.SeePaths(r, in.Workspace)
	if form != "" {
		return cmp.Or(output.Err(), a.parsedTests(session, r, form, args, o.shell))
	}
	if format != render.FormatCompact { // nothing is stored, so an id would be useless
		r.RawOID = output.id().String()
	}
	text, err := render.Result(format, r, []byte(redact.Text(string(output.whole(render.RawLimit)))))
	if err := cmp.Or(output.Err(), err); err != nil {
		return err
	}
	return a.put(format, text)
}

// parsedTests prints the outcome of every test.
func (a *app) parsedTests(s *parsers.Session, r *result.ToolResult, form string, argv []string, line string) error {
	list, said := s.Outcomes()
	said = cmp.Or(said, &result.Outcomes{Reason: "the output tells of no tests"})
	return a.putTests(form, outcomes.Document{Tool: r.Tool, Tests: list, Said: *said, Again: again(r.Tool, argv, line)})
}

// checkEnding refuses exit codes and signals that do not exist.
func checkEnding(exit int, signal string) error {
	if exit < 0 || exit > 255 {
		return fmt.Errorf("--exit %d: exit codes are 0 to 255", exit)
	}
	name, ok := strings.CutPrefix(signal, "SIG")
	if signal != "" && (!ok || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-") != "") {
		return fmt.Errorf("--signal %s: give a signal's name, such as SIGKILL", signal)
	}
	return nil
}

// workspace is the repository around dir if dir exists, else dir itself.
func (a *app) workspace(cmd *cobra.Command, dir string) result.Workspace {
	switch {
	case dir == "":
		dir = a.dir
	case filepath.IsAbs(dir):
	case result.IsAbsolute(dir): // the output is of another operating system
		return result.Workspace{Root: dir, Dir: dir}
	default:
		dir = filepath.Join(a.dir, dir)
	}
	return place.Workspace(cmd.Context(), dir, a.env)
}
