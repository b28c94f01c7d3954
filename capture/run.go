package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"cairn/capture/child"
	"cairn/internal/place"
	"cairn/internal/redact"
	"cairn/internal/streams"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// Options say what to run and how to show it.
type Options struct {
	Command child.Command // Dir is the absolute working directory
	Env     place.Env
	By      *manifest.By
	Now     func() time.Time

	// LiveOut and LiveErr, when set, get the output as it comes.
	LiveOut, LiveErr io.Writer
	// Progress, when set, is a terminal that gets a status line.
	Progress io.Writer
	// Warn is told what the user should know but what changes nothing.
	Warn func(string)
}

// Outcome is what came of a capture.
type Outcome struct {
	Status int // to exit with
	Exit   child.Exit
	Result *result.ToolResult
	Raw    []byte // the output, secrets taken out, when short enough to be shown instead of a compact form
	Record *manifest.Record
	// Trouble says what could not be kept or recorded; nil when all was.
	Trouble error

	site *place.Site
}

// Run runs the command, keeps its output, and records it. The outcome is
// complete whatever happens; the status is the child's in any case.
func Run(ctx context.Context, o Options) *Outcome {
	id, err := manifest.NewID(o.Now())
	if err != nil {
		return &Outcome{Status: child.StatusOwnTrouble, Trouble: err}
	}
	defer shield()()
	p, startErr := child.Start(ctx, o.Command)
	gate, ended := newGate(), make(chan child.Exit, 1)
	if startErr == nil {
		go func() {
			exit, _ := p.Wait(gate) // its errors are in exit
			ended <- exit
		}()
	} else {
		ended <- child.Exit{Code: -1, StartErr: startErr, Started: o.Now()}
	}
	c := begin(context.WithoutCancel(ctx), o, id, startErr)
	if startErr == nil {
		c.rec.Time = p.Started().UTC()
	}
	c.trouble(gate.open(c.sink))
	exit := <-ended
	c.trouble(exit.ReadErr)
	return c.finish(exit)
}

// capture is a run in flight.
type capture struct {
	ctx       context.Context
	o         Options
	rec       *manifest.Record
	site      *place.Site       // nil when there is no place to keep anything
	spool     *objects.Incoming // nil when the output goes to memory
	journal   *journal          // nil as spool is
	sink      *keeper
	workspace result.Workspace
	progress  *progress
	session   *parsers.Session
	scanned   chan struct{}
	dirty     <-chan bool
	cancel    []context.CancelFunc
	red       redact.Redactor // for what is recorded
	errs      []error
}

func (c *capture) trouble(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

// begin finds the place while the child already runs, and gets ready to keep
// its output.
func begin(ctx context.Context, o Options, id string, startErr error) *capture {
	c := &capture{ctx: ctx, o: o, scanned: make(chan struct{})}
	c.rec = &manifest.Record{V: manifest.Version, ID: id, Time: o.Now(), By: o.By}
	setArgv(c.rec, o.Command.Argv, o.Command.Shell, &c.red)
	setRedacted(c.rec, &c.red)
	site, err := place.Open(ctx, o.Command.Dir, o.Env, func(w manifest.Warning) { o.Warn(w.String()) })
	if err != nil {
		c.trouble(err)
	} else {
		c.at(site)
	}
	c.sink = c.keep(startErr == nil)
	c.watch()
	c.parse()
	return c
}

// at takes the facts of the place into the record.
func (c *capture) at(site *place.Site) {
	c.site = site
	if site.Note != "" {
		c.o.Warn(site.Note)
	}
	c.rec.Dir = site.Rel
	if r := site.Repo; r != nil {
		c.rec.Git = &manifest.Git{Commit: r.Commit, Tree: r.Tree, Branch: c.red.String(r.Branch)}
		c.dirty = c.askDirty()
	}
	site.Prepare(c.ctx)
}

// keep opens the journal and the spool. Without a place, or where it cannot be
// written to, the output goes to memory as far as it fits.
func (c *capture) keep(runs bool) *keeper {
	if c.site == nil || !runs {
		return newMemoryKeeper()
	}
	var err error
	if c.journal, err = openJournal(c.site.Dir, c.rec); err == nil {
		c.spool, err = c.site.Objects.Receive(c.rec.ID)
	}
	if err != nil {
		c.trouble(err)
		return newMemoryKeeper()
	}
	return newKeeper(c.spool, c.journal)
}

// parse begins to understand the output as it comes.
func (c *capture) parse() {
	c.workspace = result.Workspace{Root: c.o.Command.Dir, Dir: c.o.Command.Dir, Home: c.o.Env.Home, Tmp: c.o.Env.Tmp}
	if c.site != nil {
		c.workspace = c.site.Workspace
	}
	c.session = parsers.New(parsers.Input{
		Argv: c.o.Command.Argv, Shell: c.o.Command.Shell, Workspace: c.workspace,
		Source: c.sink.tail, Redact: c.red.String,
	})
	go func() {
		defer close(c.scanned)
		c.session.Scan()
	}()
}

func (c *capture) watch() {
	if c.o.LiveOut != nil {
		c.sink.watch = append(c.sink.watch, &passer{stdout: c.o.LiveOut, stderr: c.o.LiveErr})
	}
	if c.o.Progress != nil {
		c.progress = newProgress(c.o.Progress, c.o.Now)
		c.sink.watch = append(c.sink.watch, c.progress)
	}
}

// finish turns what happened into a record and an outcome. The output is made
// an object last, since until then it can be read back.
func (c *capture) finish(exit child.Exit) *Outcome {
	c.progress.stop()
	c.sink.tail.close()
	c.trouble(c.sink.err)
	<-c.scanned
	if c.sink.lost || exit.ReadErr != nil {
		c.session.Truncate()
	}
	out := &Outcome{Status: statusOf(exit), Exit: exit, Record: c.rec, site: c.site}
	out.Result = c.session.Result(exitOf(exit))
	out.Raw = shown(c.sink.tail, out.Result.Raw.Bytes)
	c.describe(out.Result, exit)
	if c.site != nil {
		c.trouble(c.record(out.Result))
	}
	for _, cancel := range c.cancel {
		cancel()
	}
	out.Trouble = errors.Join(c.errs...)
	return out
}

// StatusTimeout is what a command that was ended by its timeout exits with if
// it answered the signal with success; the same as timeout(1).
const StatusTimeout = 124

// statusOf is the command's own status. A success that came of being told to
// end is not the command's word.
func statusOf(e child.Exit) int {
	if s := e.Status(); s != 0 || !e.TimedOut {
		return s
	}
	return StatusTimeout
}

// exitOf is the exit as the status rule takes it.
func exitOf(e child.Exit) result.Exit {
	if e.StartErr != nil {
		return result.Exit{Observed: true, Code: e.Status()}
	}
	return result.Exit{Observed: e.Code >= 0, Code: max(e.Code, 0), Signal: e.Signal, TimedOut: e.TimedOut}
}

// commit makes objects of the output and its order.
func (c *capture) commit() (*manifest.Raw, error) {
	raw := new(manifest.Raw)
	order := make(chan error, 1)
	go func() { order <- c.commitOrder(raw) }()
	info, err := c.spool.Commit()
	if err = errors.Join(err, <-order); info.ID.IsZero() {
		return nil, err
	}
	raw.OID, raw.Size, raw.Lines = info.ID.String(), info.Size, info.Lines
	return raw, err
}

// commitOrder keeps the stream order: a short one in the record itself.
func (c *capture) commitOrder(raw *manifest.Raw) error {
	order := io.NewSectionReader(c.journal, 0, c.journal.Size())
	if order.Size() <= maxInlineOrder {
		text, err := io.ReadAll(order)
		raw.Order = streams.Inline(text)
		return err
	}
	info, err := c.site.Objects.Put(order)
	if err != nil {
		return fmt.Errorf("keeping the stream order: %w", err)
	}
	raw.Order = info.ID.String()
	return nil
}

// describe adds to the result what the parsers do not know, and to the record
// how the command ended.
func (c *capture) describe(r *result.ToolResult, exit child.Exit) {
	if exit.StartErr != nil {
		r.Body = c.red.String(result.Clean("cairn: " + exit.StartErr.Error()))
	}
	if exit.OpenPipes {
		r.Extra = withExtra(r.Extra, "open_pipes", true)
	}
	rec := c.rec
	if exit.Code >= 0 || exit.StartErr != nil {
		code := exit.Status()
		rec.Exit = &code
	}
	rec.Signal, rec.TimedOut, rec.DurationMS = exit.Signal, exit.TimedOut, exit.Duration.Milliseconds()
	rec.Key = keyOf(c.workspace, rec, "")
	rec.Partial = r.Truncated.Raw || c.sink.err != nil
	c.takeDirty()
}

// record makes everything durable, in order: objects, record, and only then
// the journal goes.
func (c *capture) record(r *result.ToolResult) (err error) {
	if c.spool != nil {
		var kept error
		if c.rec.Raw, kept = c.commit(); kept != nil {
			c.trouble(kept)
		}
		if c.rec.Raw != nil {
			r.RawOID = c.rec.Raw.OID
		}
	}
	if c.journal != nil {
		defer func() { err = errors.Join(err, c.journal.end(err == nil)) }()
	}
	setRedacted(c.rec, &c.red)
	if err := setResult(c.rec, c.site.Objects, r); err != nil {
		return err
	}
	return c.site.Manifest.Append(c.ctx, c.rec)
}

// shown is a short output as it may be shown; nil when it is not short.
func shown(source parsers.Source, size int64) []byte {
	if size > render.RawLimit {
		return nil
	}
	raw := make([]byte, 0, size)
	for chunk := range source.Chunks() {
		raw = append(raw, chunk.Data...)
	}
	var red redact.Redactor
	return []byte(red.String(string(raw)))
}

func withExtra(extra map[string]any, key string, value any) map[string]any {
	if extra == nil {
		extra = map[string]any{}
	}
	extra[key] = value
	return extra
}

// Settle does what can wait until the answer has been given: see the function
// Settle.
func (o *Outcome) Settle(ctx context.Context) (notes []string) {
	if o.site == nil {
		return nil
	}
	defer o.site.Close()
	return Settle(ctx, o.site, false)
}
