package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/render"
	"cairn/result"
)

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
