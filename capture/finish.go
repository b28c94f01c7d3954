package capture

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"cairn/capture/child"
	"cairn/capture/recovery"
	"cairn/internal/sources"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/render"
	"cairn/result"
)

// finish makes a record and an outcome of what happened. The output becomes an object
// in the last step, because earlier steps still read it from the spool.
func (c *capture) finish(exit child.Exit) *Outcome {
	c.step("ending the commands of the line", c.endStages)
	c.step("ending the progress", c.progress.stop)
	c.sink.source.close()
	<-c.scanned
	out := &Outcome{Status: statusOf(exit), Exit: exit, Record: c.rec, Later: c.o.Later, site: c.site, env: c.o.Env, b: c.b, cancel: c.gitCancel}
	c.step("asking the project's own parser", func() { c.askOwn(exitOf(exit)) })
	if c.cutShort(exit) {
		c.session.Truncate()
	}
	files := c.newArtifacts()
	c.step("gathering reports", func() { c.gather(files, exit, c.o.Now()) })
	defer files.close()
	c.session.AddArtifacts(files.parsed)
	ended := exitOf(exit)
	ended.Retried = slices.ContainsFunc(c.stages, func(s *Stage) bool { return retried(c.rec, s.Record.Argv, s.Record.Exit) })
	out.Result = c.session.Result(ended)
	c.step("looking at the files of the workspace", func() { sources.SeeFiles(out.Result, c.workspace) })
	c.step("taking secrets out of the output", func() { out.Raw = shown(c.sink.source, out.Result.Raw.Bytes) })
	c.step("heeding the commands of the line", func() { c.heed(out.Result) })
	c.noteEnd(exit)
	c.step("describing the end", func() { c.describe(out.Result, exit) })
	c.step("telling of reports", func() { c.tellFiles(files, out.Result) })
	if c.site != nil {
		c.step("keeping what each test came to", func() { c.trouble(keepOutcomes(c.b, c.session, &c.red, out.Result)) })
		recorded := false
		c.step("recording", func() {
			err := c.record(out.Result, exit)
			recorded = err == nil
			c.trouble(err)
		})
		c.step("leaving the journal", func() { c.leave(recorded, exit) })
	}
	out.Stages, out.left, out.stager = c.stages, c.left, stageProgram(c.o)
	c.step("telling of the commands of the line", func() {
		out.Hidden = c.hidden()
		for _, s := range c.stages {
			out.Result.Stages = append(out.Result.Stages, s.told())
		}
	})
	out.Trouble = oneLine(c.errs)
	return out
}

// tellFiles adds the files that the run wrote to record and result.
func (c *capture) tellFiles(files *artifacts, r *result.ToolResult) {
	files.tell(r)
	c.rec.Artifacts = files.kept
	for _, line := range files.missed {
		c.o.Warn("not kept with this capture: " + line)
	}
}

// cutShort collects the errors of keeping the output and of reading it back, and
// returns whether the parsers missed some of the output.
func (c *capture) cutShort(exit child.Exit) bool {
	unread := c.sink.source.failed()
	c.trouble(c.sink.err)
	c.trouble(c.sink.unshown)
	c.trouble(exit.ReadErr)
	c.trouble(unread)
	return c.sink.lost || exit.ReadErr != nil || unread != nil
}

// oneLine joins the errors on one line. A full disk makes every later step fail for the
// same reason, which is named once.
func oneLine(errs []error) error {
	var first error
	more := 0
	said := map[syscall.Errno]bool{}
	for _, err := range errs {
		var no syscall.Errno
		switch same := errors.As(err, &no) && said[no]; {
		case same:
			more++
		case first == nil:
			first = err
		default:
			first = fmt.Errorf("%w; %w", first, err)
		}
		said[no] = no != 0
	}
	if more > 0 {
		first = fmt.Errorf("%w (and %d more steps failed so)", first, more)
	}
	return first
}

// noteEnd records how the command ended.
func (c *capture) noteEnd(exit child.Exit) {
	rec := c.rec
	if exit.Code >= 0 || exit.StartErr != nil {
		code := exit.Status()
		rec.Exit = &code
	}
	rec.DurationMS = exit.Duration.Milliseconds()
	setEnd(rec, exit, c.o.Command.Timeout)
	rec.Partial = c.sink.err != nil || exit.ReadErr != nil || c.spool == nil && c.sink.Size() > 0
}

// describe adds facts to the result that the parsers do not know.
func (c *capture) describe(r *result.ToolResult, exit child.Exit) {
	if exit.StartErr != nil {
		r.Body = c.startError(exit.StartErr)
	}
	if exit.OpenPipes {
		result.SetExtra(&r.Extra, "open_pipes", true)
	}
	endOf(c.rec).tell(r)
	c.rec.Key = keyOf(c.workspace, c.rec)
	c.rec.Env = environmentOf(c.o.Command.Env, c.red.String)
	r.Partial = c.rec.Partial
}

// An end is what an exit code does not show: that a user interrupted the command, even
// if it then exited normally, and after how long a timeout ended it.
type end struct {
	timeout     string // the time limit that the command exceeded
	interrupted string // the signal that the user sent
	signal      string // the signal that ended the command
	forced      bool   // a second signal from the user ended it
}

// tell adds the end to a result.
func (e end) tell(r *result.ToolResult) {
	if e.timeout != "" {
		result.SetExtra(&r.Extra, "timeout", e.timeout)
		r.Summary = say(r.Summary, "timed out", "timed out after "+e.timeout)
	}
	if e.interrupted == "" {
		return
	}
	result.SetExtra(&r.Extra, "interrupted", e.interrupted)
	switch {
	case e.forced:
		result.SetExtra(&r.Extra, "forced", true)
		r.Summary = say(r.Summary, "killed by "+e.signal, e.signal+" on the second "+e.interrupted)
	case e.signal != e.interrupted:
		r.Summary = say(r.Summary, "", "interrupted by "+e.interrupted)
	}
}

// setEnd records how the command ended.
func setEnd(rec *manifest.Record, exit child.Exit, timeout time.Duration) {
	rec.Signal, rec.TimedOut = exit.Signal, exit.TimedOut
	rec.Interrupted, rec.Forced = exit.Interrupted, exit.Forced
	if exit.TimedOut {
		rec.TimeoutMS = timeout.Milliseconds()
	}
}

// endOf is the end of a recorded command.
func endOf(rec *manifest.Record) (e end) {
	if rec.TimedOut && rec.TimeoutMS > 0 {
		e.timeout = (time.Duration(rec.TimeoutMS) * time.Millisecond).String()
	}
	e.interrupted, e.signal, e.forced = rec.Interrupted, rec.Signal, rec.Forced
	return e
}

// say adds words to a summary. If the summary contains less, the words replace it;
// otherwise they are appended.
func say(summary, less, words string) string {
	switch {
	case less != "" && strings.Contains(summary, less):
		return strings.Replace(summary, less, words, 1)
	case summary == "":
		return words
	}
	return summary + ", " + words
}

// maxStartError bounds in bytes the text that says why a command did not start, since
// it may quote an argument.
const maxStartError = 1 << 10

// startError is the text of err without the arguments that are secrets by their place
// in the command line.
func (c *capture) startError(err error) string {
	text := "cairn: " + err.Error()
	var red redact.Redactor // not c.red, which has counted these secrets already
	safe := red.Argv(c.o.Command.Argv)
	for i, arg := range c.o.Command.Argv {
		if safe[i] != arg {
			text = strings.ReplaceAll(text, arg, safe[i])
			text = strings.ReplaceAll(text, quoted(arg), safe[i])
		}
	}
	return cut(result.Clean(c.red.String(text)), maxStartError)
}

// record makes the capture durable: as a copy in the journal, or first the objects and
// then the record.
func (c *capture) record(r *result.ToolResult, exit child.Exit) (err error) {
	if err := c.site.Check(); err != nil {
		return err // the journal was moved, and the spool with it
	}
	if copied, err := c.recordCopied(r, exit); copied {
		return err
	}
	c.noteInJournal(exit)
	if c.spool != nil && exit.StartErr == nil {
		if err := c.commit(); err != nil {
			return err
		}
		if c.sink.err == nil { // no id is returned for a part of the output
			r.RawOID = c.rec.Raw.OID
		}
	}
	lost, err := c.complete(r, false)
	if err != nil {
		return err
	}
	c.trouble(lost)
	return c.b.append(c.ctx, c.rec)
}

// noteInJournal writes to the journal, once, how the command ended.
func (c *capture) noteInJournal(exit child.Exit) {
	if c.journal != nil && !c.noted {
		c.noted = true
		c.journal.Ended(c.ending(exit), c.site.Objects.SpoolPath(c.rec.ID))
	}
}

// leave closes the journal and, if the capture is recorded, removes it. Otherwise
// journal and spool hold all that the next command needs to record it.
func (c *capture) leave(recorded bool, exit child.Exit) {
	if !recorded {
		c.noteInJournal(exit)
		if c.spool != nil {
			c.spool.Leave()
		}
	}
	if c.journal != nil {
		c.journal.Close(recorded)
	}
}

// complete adds the facts to the record that are known last.
func (c *capture) complete(r *result.ToolResult, copied bool) (lost, err error) {
	r.Partial = c.rec.Partial
	c.recordStages(copied)
	c.takeTree()
	c.rec.Redacted = addRedacted(slices.Clone(c.redacted), &c.red)
	return setResult(c.rec, c.b, r)
}

// ending is the journal's line on the command's end.
func (c *capture) ending(exit child.Exit) recovery.Ending {
	e := recovery.Ending{
		Exit: c.rec.Exit, Signal: c.rec.Signal, TimedOut: c.rec.TimedOut, DurationMS: c.rec.DurationMS,
		Partial: c.rec.Partial, OpenPipes: exit.OpenPipes, Artifacts: c.rec.Artifacts,
	}
	if c.spool != nil {
		e.Size = c.spool.Size()
	}
	return e
}

// commit makes objects of the output and its order. If the output could not become an
// object, it stays in its spool for recovery, and there is nothing to record yet.
func (c *capture) commit() error {
	info, err := c.spool.Commit()
	if info.ID.IsZero() {
		return err
	}
	if partial := new(objects.PartialError); err != nil && (c.sink.err == nil || !errors.As(err, &partial)) {
		c.trouble(err) // a PartialError only repeats the sink's error
	}
	c.rec.Partial = c.rec.Partial || err != nil
	size := c.sink.order.Size()
	if c.rec.Partial {
		size = orderWithin(io.NewSectionReader(c.sink.order, 0, size), info.Size).length
	}
	raw, err := keepOrder(c.b, info, io.NewSectionReader(c.sink.order, 0, size))
	c.trouble(err)
	c.rec.Raw = raw
	return nil
}

// StatusTimeout is the exit status for a command that its timeout ended and that then
// exited with 0; the same as timeout(1).
const StatusTimeout = 124

// statusOf is the command's own status. A command that exits with 0 because its timeout
// ended it did not succeed.
func statusOf(e child.Exit) int {
	if s := e.Status(); s != 0 || !e.TimedOut {
		return s
	}
	return StatusTimeout
}

// exitOf is the exit in the form that the status rule takes.
func exitOf(e child.Exit) result.Exit {
	if e.StartErr != nil {
		return result.Exit{Observed: true, Code: e.Status()}
	}
	return result.Exit{Observed: e.Code >= 0, Code: max(e.Code, 0), Signal: e.Signal, TimedOut: e.TimedOut}
}

// shown is the output if it is short enough to be shown, else nil.
func shown(source parsers.Source, size int64) []byte {
	if size > render.RawLimit {
		return nil
	}
	raw := make([]byte, 0, size)
	for chunk := range source.Chunks() {
		raw = append(raw, chunk.Data...)
	}
	return []byte(redact.Text(string(raw)))
}
