package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/gitrepo"
	"cairn/internal/watch"
	"cairn/objects"
	"cairn/parsers"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const watchLong = `Run CMD, and again whenever a file changes that git does not ignore, until it is
interrupted. Each run is a capture like any other. The first prints its whole answer, each
later one what is different: what is new, what is fixed, and how many findings are
still there. Enter runs CMD again without a change.

CMD is run again once nothing has changed for a moment, and never while it still runs. A
file that is written again with the content that it had is no change. Files that change while CMD
runs start no other run where CMD itself seems to have written them: in the first run, where
the file is new, or where an earlier run wrote it; they are named. CMD reads no input.

Exit status: that of the last run, once interrupted; else
  2    the command line is not right
  125  the files cannot be watched: there is no git repository, or it cannot be read`

type watchOptions struct {
	shell, color string
	live         bool
	timeout      time.Duration
}

func newWatch(a *app) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch [flags] (--shell LINE | -- CMD ARGS...)",
		Short: "run again when files change, and say what is different",
		Long:  watchLong,
		Example: `  cairn watch -- pytest -q
  cairn watch --shell 'make && ctest'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) == (o.shell == "") {
				return usageError{cmd, errors.New("give one command: after --, or as a line with --shell")}
			}
			return runWatch(a, cmd, o, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&o.shell, "shell", "", "run this `LINE` with your shell instead of CMD")
	f.BoolVar(&o.live, "live", false, "pass the output through as it comes, then print the answer")
	f.DurationVar(&o.timeout, "timeout", 0, "end the command and all it started after this `DURATION`")
	colorFlag(cmd, &o.color)
	return cmd
}

// watching is a running "cairn watch" of one command.
type watching struct {
	a       *app
	cmd     *cobra.Command
	options watchOptions
	args    []string
	last    string // id of the last run
	ended   error  // error of the last run
	runs    int
}

func runWatch(a *app, cmd *cobra.Command, o watchOptions, args []string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	v := &watching{a: a, cmd: cmd, options: o, args: args, ended: status(130)}
	w := &watch.Watcher{Look: v.look, Run: v.run, Left: v.left, Ask: a.enters(), Pause: watch.Rest}
	if err := w.Loop(ctx); err != nil {
		a.warn(fmt.Sprintf("watching the files: %v", err))
		return status(statusTrouble)
	}
	return v.ended
}

// look lists all files that git does not ignore.
func (v *watching) look(ctx context.Context) (watch.Files, error) {
	site, err := v.a.site(ctx)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	_, read, err := recall.PresentTree(ctx, site)
	if errors.Is(err, gitrepo.ErrMoved) {
		return nil, watch.ErrMoving
	}
	if err != nil {
		return nil, err
	}
	return read.Files(), nil
}

// run runs the command once.
func (v *watching) run(changed []string) {
	if v.runs++; v.runs > 1 {
		fmt.Fprintf(v.a.out, "\n[%s: %s]\n", time.Now().Format(time.TimeOnly), someFiles(changed, "asked for"))
	}
	options := captureRunOptions{shell: v.options.shell, timeout: v.options.timeout, live: v.options.live}.capturing(v.a, v.args)
	options.Command.Stdin = nil
	out := capture.Run(v.cmd.Context(), options)
	if v.options.live {
		seen(out)
	}
	v.ended = v.a.showAs(v.cmd, standingOptions{failOn: failOnAny}, out, func() { v.answer(out) })
	if out.Record != nil {
		v.last = out.Record.ID
	}
}

// answer prints what differs from the last run; if that is not known, or if the output
// of a failure was not understood, the whole answer.
func (v *watching) answer(out *capture.Outcome) {
	r := out.Result
	bad := r.Status != result.Passed && r.Status != result.OK
	if v.last == "" || out.Record == nil || bad && len(r.Findings) == 0 || v.difference(out) != nil {
		v.a.printAnswer(render.FormatCompact, out)
	}
}

func (v *watching) difference(out *capture.Outcome) error {
	d, err := recall.Diff(v.cmd.Context(), out.Site(), v.last, out.Record.ID, recall.Filters{})
	if err != nil {
		return err
	}
	screen := v.a.screen(v.options.color, render.FormatCompact)
	head := screens.Verdict(&recall.Hit{Record: out.Record, Result: out.Result})
	if screen == nil {
		return v.a.put(render.FormatCompact, []byte(head+"\n"+screens.CountChanges(d)+"\n"+changesText(screens.Moves(d))))
	}
	v.a.linked(screen, out.Site())
	return v.a.paint(screen.Text(0, head, render.InkOf(out.Result.Status)) + changesScreen(screen, d, screens.Moves(d)))
}

// left reports files that changed during a run and start no other run.
func (v *watching) left(paths []string) {
	fmt.Fprintf(v.a.err, "cairn: changed while it ran, taken for its own writing: %s\n", result.CleanLine(someFiles(paths, "")))
}

// someFiles names a few of the paths, or returns none if there are no paths.
func someFiles(paths []string, none string) string {
	const most = 3
	switch n := len(paths) - most; {
	case len(paths) == 0:
		return none
	case n > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), n)
	}
	return strings.Join(paths, ", ")
}

// enters sends a value for each line that a person types.
func (a *app) enters() <-chan struct{} {
	if !isTerminal(a.in) {
		return nil
	}
	lines := make(chan struct{}, 1)
	go func() {
		for in := bufio.NewReader(a.in); ; {
			if _, err := in.ReadString('\n'); err != nil {
				return
			}
			select {
			case lines <- struct{}{}:
			default:
			}
		}
	}()
	return lines
}

const (
	recordingPiece = 256 << 10 // bytes that one read takes
	recordingHeld  = 1 << 20   // bytes of a pipe in memory; a longer output goes to a temporary file
)

// recording is an output that was recorded in files, or comes on standard input. It can
// be read several times, in pieces, and is never all in memory. Close it; Err returns
// an error of reading.
type recording struct {
	parts []recordedPart
	err   error
}

// recordedPart is one stream.
type recordedPart struct {
	stream  parsers.Stream
	at      int64 // its offset in the merged output
	size    int64
	text    io.ReaderAt
	release func() error
}

// openRecording opens the arguments of --stdout and --stderr: a file, "-" for standard
// input, "" for nothing.
func openRecording(stdin io.Reader, stdout, stderr string) (*recording, error) {
	r := &recording{}
	for _, p := range []struct {
		stream parsers.Stream
		name   string
	}{{parsers.Stdout, stdout}, {parsers.Stderr, stderr}} {
		if p.name == "" {
			continue
		}
		if err := r.add(stdin, p.stream, p.name); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

func (r *recording) add(stdin io.Reader, stream parsers.Stream, name string) error {
	p := recordedPart{stream: stream, at: r.Size(), release: func() error { return nil }}
	if name == "-" {
		if err := p.spool(stdin); err != nil {
			return fmt.Errorf("reading standard input: %w", err)
		}
		r.parts = append(r.parts, p)
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading recorded output: %w", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.Mode().IsRegular():
		p.text, p.size, p.release = f, info.Size(), f.Close
	default: // a named pipe, which can be read only once
		err = errors.Join(p.spool(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("reading recorded output: %w", errors.Join(err, f.Close()))
	}
	r.parts = append(r.parts, p)
	return nil
}

// spool copies input that can be read only once.
func (p *recordedPart) spool(from io.Reader) error {
	head, err := io.ReadAll(io.LimitReader(from, recordingHeld))
	if err != nil {
		return err
	}
	if p.text, p.size = bytes.NewReader(head), int64(len(head)); len(head) < recordingHeld {
		return nil
	}
	f, err := os.CreateTemp("", "cairn-parse-")
	if err != nil {
		return err
	}
	p.release = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	p.size, err = io.Copy(f, io.MultiReader(bytes.NewReader(head), from))
	if p.text = f; err != nil {
		return errors.Join(err, p.release())
	}
	return nil
}

func (r *recording) Close() (err error) {
	for _, p := range r.parts {
		err = errors.Join(err, p.release())
	}
	return err
}

// Err is the first error of reading.
func (r *recording) Err() error { return r.err }

// Size is the bytes of both streams.
func (r *recording) Size() (n int64) {
	for _, p := range r.parts {
		n += p.size
	}
	return n
}

// Chunks is all of stdout, then all of stderr: their order was not recorded.
func (r *recording) Chunks() iter.Seq[parsers.Chunk] {
	return func(yield func(parsers.Chunk) bool) {
		buf := make([]byte, min(recordingPiece, r.Size()))
		for _, p := range r.parts {
			for at := int64(0); at < p.size; {
				n, err := p.text.ReadAt(buf[:min(int64(len(buf)), p.size-at)], at)
				if n > 0 && !yield(parsers.Chunk{Stream: p.stream, Offset: p.at + at, Data: buf[:n]}) {
					return
				}
				if at += int64(n); err != nil && at < p.size {
					r.err = fmt.Errorf("reading recorded output: %w", err)
					return
				}
			}
		}
	}
}

// id is the object id of the whole output.
func (r *recording) id() objects.ID {
	sum := sha256.New()
	for c := range r.Chunks() {
		sum.Write(c.Data)
	}
	return objects.ID(sum.Sum(nil))
}

// whole is the whole output; nil if it has more than limit bytes.
func (r *recording) whole(limit int64) []byte {
	if r.Size() > limit {
		return nil
	}
	var all []byte
	for c := range r.Chunks() {
		all = append(all, c.Data...)
	}
	return all
}
