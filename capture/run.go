package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"cairn/capture/child"
	"cairn/internal/own"
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
	// Tool, when set, is the tool whose output it is, whatever the command says.
	Tool string
	// Artifacts are files that the command will write, or patterns with "*" of
	// such, relative to where it starts. Only what this run wrote counts.
	Artifacts []string

	Env place.Env
	By  *manifest.By
	Now func() time.Time

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
func (o Options) said() (argv []string, line string) {
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
	// Later, when set before Settle, is left to bring the record into the branch.
	// Without it Settle does that.
	Later Later

	site   *place.Site
	env    place.Env
	b      *backend
	shield *shield // nil where no command was run
	cancel func()  // ends what git is still doing
}

// Site is where it was kept; nil when there was no place. It is closed by Settle.
func (o *Outcome) Site() *place.Site { return o.site }

// Run runs the command, keeps its output, and records it. The outcome is
// complete whatever happens; the status is the child's in any case.
func Run(ctx context.Context, o Options) *Outcome {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	started := o.Now()
	id, err := manifest.NewID(started)
	if err != nil {
		return &Outcome{Status: child.StatusOwnTrouble, Trouble: err}
	}
	shield := raise()
	c := newCapture(context.WithoutCancel(ctx), o)
	defer c.cancel()
	c.begin(id, started)
	c.find()
	c.ownFor()
	c.keep()
	exit := c.stream(ctx)
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
	rec       *manifest.Record
	site      *place.Site // nil when there is no place to keep anything
	b         *backend    // nil as site is
	spool     incoming    // nil when the output goes to memory
	journal   *journal    // nil when there is none; the order is in memory then
	sink      *keeper
	workspace result.Workspace
	progress  *progress
	session   *parsers.Session
	own       *own.Rule // of the project, for the command; nil as a rule
	search    *search   // nil when the command is not known to write reports
	scanned   chan struct{}
	dirty     *dirtyQuestion  // nil when it is not asked
	red       redact.Redactor // for what is recorded
	errs      []error
}

func newCapture(ctx context.Context, o Options) *capture {
	c := &capture{o: o, scanned: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.gitCtx, c.gitCancel = context.WithCancel(ctx)
	return c
}

func (c *capture) trouble(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

// begin makes the record as it is known at the start.
func (c *capture) begin(id string, started time.Time) {
	c.rec = &manifest.Record{V: manifest.Version, ID: id, Time: started.UTC().Truncate(time.Microsecond)}
	c.rec.By = boundBy(c.o.By, &c.red)
	argv, line := c.o.said()
	setArgv(c.rec, argv, line, &c.red)
	c.rec.ParseAs = c.o.Tool
}

// find learns the place, and takes what it says of the repository into the
// record: the child may change all of that.
func (c *capture) find() {
	c.workspace = result.Workspace{Root: c.o.Command.Dir, Dir: c.o.Command.Dir, Home: c.o.Env.Home, Tmp: c.o.Env.Tmp}
	site, err := openSite(c.gitCtx, c.gitCancel, c.o)
	if err == nil {
		c.site, c.b, c.workspace = site, newBackend(site), site.Workspace
		if c.o.hurt != nil {
			c.o.hurt(c.b)
		}
		if site.Note != "" {
			c.o.Warn(site.Note)
		}
		c.rec.Dir, c.rec.Git = cut(c.red.String(site.Rel), maxName), gitOf(site, &c.red)
	}
	c.trouble(err)
	c.rec.Redacted = addRedacted(nil, &c.red)
}

// keep opens the journal and makes ready for the spool. What cannot be written
// to is done without: the order then stays in memory, and without a place the
// output does too, as far as it fits.
func (c *capture) keep() {
	var spool spooler = new(memory)
	var order orderer = new(memory)
	if c.site != nil {
		var err error
		if c.journal, err = openJournal(c.b, c.site.Dir, c.rec); err != nil {
			c.trouble(err)
		}
		if c.spool, err = c.b.receive(c.rec.ID); err != nil {
			c.trouble(err)
		} else {
			spool = c.spool
		}
		if c.spool != nil && c.journal != nil {
			order = c.journal
		}
	}
	c.sink = newKeeper(spool, order)
}

// stream runs the command and takes in what it prints, to its end.
func (c *capture) stream(ctx context.Context) child.Exit {
	argv, line := c.o.said()
	c.search = lookBefore(c.o.Command.Dir, c.o.Command.Env, argv, line, c.o.Artifacts...)
	p, err := child.Start(ctx, c.o.Command)
	c.watch()
	c.parse()
	if err != nil {
		return child.Exit{Code: -1, StartErr: err, Started: c.o.Now()}
	}
	c.askDirty(p.Started())
	if c.o.Begun != nil {
		c.o.Begun(c.rec.ID)
	}
	exit, _ := p.Wait(c.sink) // its errors are in exit
	return exit
}

// parse begins to understand the output as it comes.
func (c *capture) parse() {
	in := c.input()
	if c.own != nil {
		in.As = c.own.Parser()
	}
	c.session = parsers.New(in)
	go func() {
		defer close(c.scanned)
		c.session.Scan()
	}()
}

// input is what parsers are told of the run.
func (c *capture) input() parsers.Input {
	argv, line := c.o.said()
	return parsers.Input{Tool: c.o.Tool, Argv: argv, Shell: line, Workspace: c.workspace, Source: c.sink.tail, Redact: c.red.String}
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
	out := &Outcome{Status: statusOf(exit), Exit: exit, Record: c.rec, site: c.site, env: c.o.Env, b: c.b, cancel: c.gitCancel}
	c.askOwn(exitOf(exit))
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
	out.Trouble = oneLine(c.errs)
	return out
}

// oneLine is what went wrong, on one line: a full disk makes every later step
// fail for the same reason, which is said once.
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

// Settle does what can wait until the answer has been given: it finishes captures
// that were cut short, and sees to it that the branch follows. A signal ends it
// early; what was not done then, the next command does.
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
	f := newFinisher(o.site, o.b)
	if f.healthy = o.Trouble == nil; !f.healthy && o.Record != nil {
		f.own = o.Record.ID
	}
	if o.Trouble != nil {
		settle(ctx, f, o.later(ctx))
		return nil // what is said of it is enough
	}
	notes = SweepAndTell(ctx, o.site, o.env)
	return append(notes, settle(ctx, f, o.later(ctx))...)
}

// later is Later, unless the configuration wants the branch to follow at once.
func (o *Outcome) later(ctx context.Context) Later {
	if o.Later != nil && FoldsNow(ctx, o.site) {
		return nil
	}
	return o.Later
}
