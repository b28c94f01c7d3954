package main

import (
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/streams"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

const recallObjectLong = `Print what a capture printed, byte for byte, with the digest checked before the
first byte. ID is a run id, an object id, or the beginning of either.

By default both streams come back in the order in which they were read; --stdout
and --stderr give one of them. Files that the run wrote and that were kept, such
as junit.xml, are named on stderr, each with the object that holds it. Bytes that are
not in this clone are fetched from a remote, if there is one that has them. With --follow
a capture that is still running is shown as it goes on, until it ends.`

type recallObjectOptions struct {
	stdout, stderr, result, record, replay, noDelay, follow bool
	format                                                  render.Format
	lines, grep, around, open                               string
	stage                                                   int
	to                                                      *counter // stdout
}

func newRecallObject(a *app) *cobra.Command {
	o := recallObjectOptions{to: &counter{}}
	cmd := &cobra.Command{
		Use:   "object ID",
		Short: "what a capture printed, byte for byte",
		Long:  recallObjectLong + exitHelp("printed", "it could not be read, its bytes do not match their digest, or ID is ambiguous", "nothing is called ID, or --grep found nothing"),
		Example: `  cairn recall object 01KAJ4 | sha256sum
  cairn recall object sha256:9f86d081884c --lines 120:160
  cairn recall object 01KAJ4 --result --format json
  cairn recall object 01KAJ4 --stage 1 --grep FAILED
  cairn recall object 01KAJ4 --follow`,
		Args: takes(1, 1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallObject(a, cmd, o, args[0]) },
	}
	cmd.ValidArgsFunction = a.completeRuns
	f := cmd.Flags()
	f.BoolVar(&o.stdout, "stdout", false, "only what it printed on stdout")
	f.BoolVar(&o.stderr, "stderr", false, "only what it printed on stderr")
	f.IntVar(&o.stage, "stage", 0, "the stage `N` of a shell line, counted from 1: what that command printed, before another read it")
	f.StringVar(&o.lines, "lines", "", "only lines `A:B`, counted from 1, both included")
	f.StringVar(&o.grep, "grep", "", "only lines that match the regular expression `RE`, with their numbers")
	f.StringVar(&o.around, "around", "", "only the lines around the finding of this `FINGERPRINT`")
	f.StringVar(&o.open, "open", "", "open the place of the finding of this `FINGERPRINT` in $VISUAL or $EDITOR")
	f.BoolVar(&o.result, "result", false, "the whole typed result, with --format")
	f.BoolVar(&o.record, "record", false, "the record, with --format json or yaml")
	f.BoolVar(&o.replay, "replay", false, "both streams again, each to its own, at the pace they were read")
	f.BoolVar(&o.noDelay, "no-delay", false, "with --replay: without pauses")
	f.BoolVarP(&o.follow, "follow", "f", false, "go on with a capture that is still running, until it ends")
	formatFlag(cmd, &o.format)
	cmd.RegisterFlagCompletionFunc("around", a.completeFindings)
	cmd.RegisterFlagCompletionFunc("open", a.completeFindings)
	cmd.MarkFlagsMutuallyExclusive("stdout", "stderr", "lines", "grep", "around", "open", "result", "record", "replay", "follow")
	return cmd
}

func runRecallObject(a *app, cmd *cobra.Command, o recallObjectOptions, id string) error {
	pick, err := o.printer(a, o.format)
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	if running, err := capture.FindRunning(site, id); err != nil {
		return err
	} else if running != nil {
		return a.follow(cmd, running, o)
	}
	out, err := recall.Find(cmd.Context(), site, id)
	if err != nil {
		return asNotFound(err)
	}
	if cmd.Flags().Changed("stage") {
		if out, err = out.Stage(o.stage); err != nil {
			return notFound{err}
		}
	}
	if !o.record && !o.result {
		if err := a.fetchOutput(cmd, site, out); err != nil {
			return err
		}
	}
	switch {
	case o.around != "":
		return a.around(out, o.around)
	case o.open != "":
		return a.openPlace(site, out, o.open)
	}
	if !o.record && !o.result {
		a.tellArtifacts(out)
	}
	o.to.to = a.stdout
	err = pick(out)
	a.noteRecalled(site, o.to.n)
	return err
}

// maxArtifactLines is how many files are named beside the output.
const maxArtifactLines = 20

// tellArtifacts lists the files that were kept with a capture: on stderr, since stdout
// has the output.
func (a *app) tellArtifacts(out *recall.Output) {
	if out.Record == nil || !out.ByRun {
		return
	}
	for i, f := range out.Record.Artifacts {
		if i == maxArtifactLines {
			a.warn(fmt.Sprintf("it also wrote %s more: cairn recall object %s --record", result.Count(len(out.Record.Artifacts)-i, "file"), out.Record.ID))
			return
		}
		a.warn(fmt.Sprintf("it also wrote %s (%s, %d bytes): cairn recall object %s", result.CleanLine(f.Path), result.CleanLine(f.Role), f.Size, render.Short(f.OID)))
	}
}

// printer returns the function that prints what the flags ask for.
func (o recallObjectOptions) printer(a *app, format render.Format) (func(*recall.Output) error, error) {
	switch {
	case o.record:
		return func(out *recall.Output) error { return a.printRecordOf(out, format) }, nil
	case o.result:
		return func(out *recall.Output) error { return a.printResultOf(out, format) }, nil
	case o.stdout:
		return func(out *recall.Output) error { return out.Stream(o.to, streams.Stdout) }, nil
	case o.stderr:
		return func(out *recall.Output) error { return out.Stream(o.to, streams.Stderr) }, nil
	case o.replay:
		sleep := time.Sleep
		if o.noDelay {
			sleep = nil
		}
		return func(out *recall.Output) error { return out.Replay(a.stdout, a.stderr, sleep) }, nil
	case o.lines != "":
		want, err := recall.ParseRange(o.lines)
		return func(out *recall.Output) error {
			return read(out, func(r io.Reader) error { return recall.Lines(o.to, r, want) })
		}, err
	case o.grep != "":
		re, err := regexp.Compile(o.grep)
		return func(out *recall.Output) error {
			return read(out, func(r io.Reader) error { return a.grep(r, re) })
		}, err
	}
	return func(out *recall.Output) error {
		return read(out, func(r io.Reader) error {
			_, err := io.Copy(o.to, r)
			return err
		})
	}, nil
}

func read(out *recall.Output, use func(io.Reader) error) error {
	obj, err := out.Open()
	if err != nil {
		return err
	}
	defer obj.Close()
	return use(obj)
}

func (a *app) grep(r io.Reader, re *regexp.Regexp) error {
	n, err := recall.Grep(a.out, r, re.Match)
	if err == nil && n == 0 {
		return notFound{fmt.Errorf("no line matches %s", re)}
	}
	return err
}

func (a *app) printRecordOf(out *recall.Output, format render.Format) error {
	if out.Record == nil {
		return notFound{fmt.Errorf("%s is an object of no capture, so there is no record", out.ID)}
	}
	if format == render.FormatCompact {
		format = render.FormatJSON
	}
	r, _, err := out.Result()
	if err != nil {
		r = nil // the user asked for the record only
	}
	line, err := out.Record.EncodeWhole(r)
	if err != nil {
		return err
	}
	return a.printLine(format, line)
}

func (a *app) printResultOf(out *recall.Output, format render.Format) error {
	r, note, err := out.Result()
	if err != nil {
		return err
	}
	if note != "" {
		a.warn(note)
	}
	text, err := render.Result(format, r, nil)
	if err != nil {
		return err
	}
	if dir := out.Elsewhere(); dir != "" && format == render.FormatCompact {
		text = []byte(render.CompactElsewhere(r, nil, dir))
	}
	return a.put(format, text)
}
