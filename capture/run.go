package capture

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"cairn/capture/child"
	"cairn/internal/place"
	"cairn/internal/redact"
	"cairn/manifest"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// Options say what to run and how to show it.
type Options struct {
	Command child.Command // Dir is the absolute working directory
	// Line, when set, is the shell line that Command runs within a frame of a
	// host's own: the record, the command key and the parsers are told of the
	// line alone.
	Line string
	Env  place.Env
	By   *manifest.By
	Now  func() time.Time

	// LiveOut and LiveErr, when set, get the output as it comes.
	LiveOut, LiveErr io.Writer
	// Progress, when set, is a terminal that gets a status line.
	Progress io.Writer
	// Warn is told what the user should know but what changes nothing.
	Warn func(string)
	// Begun, when set, is told the run id once the command has been started.
	Begun func(id string)

	hurt func(*backend) // of tests: makes steps fail
}

// said is the command as the user gave it.
func (o Options) said() (argv []string, shell string) {
	if o.Line != "" {
		return nil, o.Line
	}
	return o.Command.Argv, o.Command.Shell
}

// Outcome is what came of a capture. Its Settle must be called, once.
type Outcome struct {
	Status int // to exit with
	Exit   child.Exit
	Result *result.ToolResult
	Raw    []byte // the output, secrets taken out, when short enough to be shown instead of a compact form
	Record *manifest.Record
	// Trouble says what could not be kept or recorded; nil when all was.
	Trouble error

	site   *place.Site
	b      *backend
	shield *shield // nil where no command was run
	cancel func()  // ends what git is still doing
}

// Run runs the command, keeps its output, and records it. The outcome is
// complete whatever happens; the status is the child's in any case.
func Run(ctx context.Context, o Options) *Outcome {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	id, err := manifest.NewID(o.Now())
	if err != nil {
		return &Outcome{Status: child.StatusOwnTrouble, Trouble: err}
	}
	shield := raise()
	c := ask(context.WithoutCancel(ctx), o)
	defer c.cancel()
	argv, shell := o.said()
	c.search = lookBefore(o.Command.Dir, o.Command.Env, argv, shell)
	p, startErr := child.Start(ctx, o.Command)
	gate, ended, started := newGate(), make(chan child.Exit, 1), o.Now()
	if startErr == nil {
		started = p.Started()
		if o.Begun != nil {
			o.Begun(id)
		}
		go func() {
			exit, _ := p.Wait(gate) // its errors are in exit
			close(c.over)
			ended <- exit
		}()
	} else {
		close(c.over)
		ended <- child.Exit{Code: -1, StartErr: startErr, Started: started}
	}
	c.begin(id, started, startErr == nil)
	gate.open(c.sink)
	exit := <-ended
	defer shield.wanted(c.cancel)()
	out := c.finish(exit)
	out.shield = shield
	return out
}

// capture is a run in flight.
type capture struct {
	ctx       context.Context // ends when the user insists on leaving
	cancel    context.CancelFunc
	gitCtx    context.Context // ends with what git is asked, or when it hangs
	gitCancel context.CancelFunc
	o         Options
	opened    <-chan opened // where git says it is to be kept
	over      chan struct{} // closed when the command has ended
	rec       *manifest.Record
	site      *place.Site // nil when there is no place to keep anything
	b         *backend    // nil as site is
	spool     incoming    // nil when the output goes to memory
	journal   *journal    // nil when there is none; the order is in memory then
	sink      *keeper
	workspace result.Workspace
	progress  *progress
	session   *parsers.Session
	search    *search // nil when the command is not known to write reports
	scanned   chan struct{}
	dirty     <-chan bool
	undirty   context.CancelFunc
	red       redact.Redactor // for what is recorded
	errs      []error
}

func (c *capture) trouble(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

// ask starts to find the place. Git takes longer to say than a short command
// runs, so it is asked first.
func ask(ctx context.Context, o Options) *capture {
	c := &capture{o: o, scanned: make(chan struct{}), over: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.gitCtx, c.gitCancel = context.WithCancel(ctx)
	answer := make(chan opened, 1)
	c.opened = answer
	go func() {
		site, err := openSite(c.gitCtx, c.gitCancel, o)
		answer <- opened{site, err}
	}()
	return c
}

type opened struct {
	site *place.Site
	err  error
}

// begin learns the place while the child already runs, and gets ready to keep
// its output.
func (c *capture) begin(id string, started time.Time, runs bool) {
	c.rec = &manifest.Record{V: manifest.Version, ID: id, Time: started.UTC().Truncate(time.Microsecond)}
	c.rec.By = boundBy(c.o.By, &c.red)
	argv, shell := c.o.said()
	setArgv(c.rec, argv, shell, &c.red)
	if answer := <-c.opened; answer.err != nil {
		c.trouble(answer.err)
	} else {
		c.at(answer.site)
	}
	c.rec.Redacted = addRedacted(nil, &c.red)
	c.sink = c.keep(runs)
	c.watch()
	c.parse()
}

// at takes the facts of the place into the record.
func (c *capture) at(site *place.Site) {
	c.site, c.b = site, newBackend(site)
	if c.o.hurt != nil {
		c.o.hurt(c.b)
	}
	if site.Note != "" {
		c.o.Warn(site.Note)
	}
	c.rec.Dir, c.rec.Git = cut(c.red.String(site.Rel), maxName), gitOf(site, &c.red)
	if site.Repo != nil {
		c.askDirty()
	}
	site.Prepare(c.gitCtx)
}

// keep opens the journal and makes ready for the spool. What cannot be written
// to is done without: the order then stays in memory, and without a place the
// output does too, as far as it fits.
func (c *capture) keep(runs bool) *keeper {
	if c.site == nil || !runs {
		return newKeeper(new(memory), new(memory))
	}
	var err error
	if c.journal, err = openJournal(c.b, c.site.Dir, c.rec); err != nil {
		c.trouble(err)
	}
	if c.spool, err = c.b.receive(c.rec.ID); err != nil {
		c.trouble(err)
		return newKeeper(new(memory), new(memory))
	}
	if c.journal == nil {
		return newKeeper(c.spool, new(memory))
	}
	return newKeeper(c.spool, c.journal)
}

// parse begins to understand the output as it comes.
func (c *capture) parse() {
	c.workspace = result.Workspace{Root: c.o.Command.Dir, Dir: c.o.Command.Dir, Home: c.o.Env.Home, Tmp: c.o.Env.Tmp}
	if c.site != nil {
		c.workspace = c.site.Workspace
	}
	argv, shell := c.o.said()
	c.session = parsers.New(parsers.Input{
		Argv: argv, Shell: shell, Workspace: c.workspace,
		Source: c.sink.tail, Redact: c.red.String,
	})
	go func() {
		defer close(c.scanned)
		c.session.Scan()
	}()
}

func (c *capture) watch() {
	if c.o.LiveOut != nil {
		c.sink.watch = append(c.sink.watch, &passer{stdout: c.o.LiveOut, stderr: cmp.Or(c.o.LiveErr, c.o.LiveOut)})
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
	<-c.scanned
	out := &Outcome{Status: statusOf(exit), Exit: exit, Record: c.rec, site: c.site, b: c.b, cancel: c.gitCancel}
	if c.cutShort(exit) {
		c.session.Truncate()
	}
	files := c.gather(exit, c.o.Now())
	defer files.close()
	c.session.AddArtifacts(files.parsed)
	out.Result = c.session.Result(exitOf(exit))
	out.Raw = shown(c.sink.tail, out.Result.Raw.Bytes)
	c.describe(out.Result, exit)
	files.tell(out.Result)
	c.rec.Artifacts = files.kept
	for _, line := range files.missed {
		c.o.Warn("not kept with this capture: " + line)
	}
	if c.site != nil {
		c.trouble(c.record(out.Result, exit))
	}
	out.Trouble = errors.Join(c.errs...)
	return out
}

// cutShort gathers the troubles of keeping and of reading back, and says
// whether a parser missed some of the output.
func (c *capture) cutShort(exit child.Exit) bool {
	unread := c.sink.tail.failed()
	c.trouble(c.sink.err)
	c.trouble(exit.ReadErr)
	c.trouble(unread)
	return c.sink.lost || exit.ReadErr != nil || unread != nil
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

// Settle does what can wait until the answer has been given: see the function
// Settle. A signal ends it early; what was not done then, the next command does.
func (o *Outcome) Settle(ctx context.Context) (notes []string) {
	defer o.shield.lower()
	if o.site == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, settlePatience)
	defer cancel()
	defer o.shield.ends(cancel)()
	if o.cancel != nil {
		defer o.cancel()
		defer context.AfterFunc(ctx, o.cancel)() // git that hangs is not waited for
	}
	defer o.site.Close()
	f := newFinisher(o.site, o.b)
	if f.healthy = o.Trouble == nil; !f.healthy && o.Record != nil {
		f.own = o.Record.ID
	}
	return settle(ctx, f, false)
}
