package capture

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"cairn/capture/child"
	"cairn/capture/recovery"
	"cairn/capture/stage"
	"cairn/internal/durable"
	"cairn/internal/gitrepo"
	"cairn/internal/guard"
	"cairn/internal/own"
	"cairn/internal/place"
	"cairn/internal/recent"
	"cairn/manifest"
	"cairn/objects"
	"cairn/parsers"
	"cairn/redact"
	"cairn/result"
)

// Options say what to run and how to show it.
type Options struct {
	Command child.Command // Dir is the absolute working directory
	// Line, when set, is the shell line that Command runs within a frame of a
	// host's own: the record, the command key and the parsers are given the
	// line alone.
	Line string
	// Frame, when set, is the frame with another line in the place of Line.
	Frame func(line string) string
	// Stager is the path of cairn-stage, by which the commands of a line are known one by one. Without it
	// the one beside this program is taken, if there is one.
	Stager string
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
	// Out and Err are where jobs print to that a line has left running; nil drops it.
	Out, Err *os.File
	// Progress, when set, is a terminal that gets a status line.
	Progress io.Writer
	// Warn gets what the user should know but what changes nothing.
	Warn func(string)
	// Large, when set, is called once when the output is longer than a megabyte.
	Large func()
	// Begun, when set, gets the run id once the command has been started.
	Begun func(id string)
	// Later, when set, is left to bring the record into the branch, and to settle what a
	// journal holds. Without it CatchUp does that.
	Later Later

	asked []string // the command as it was given, where Command is another

	hurt  func(*backend)       // of tests: makes steps fail
	enter func(step string)    // of tests: called at the beginning of each step
	read  func(*parsers.Input) // of tests: changes what parsers are given
}

// said is the command as the user gave it.
func (o Options) said() (argv []string, line string) {
	switch {
	case o.asked != nil:
		return o.asked, ""
	case o.Line != "":
		return nil, o.Line
	}
	return o.Command.Argv, o.Command.Shell
}

// Outcome is what came of a capture. Its CatchUp must be called, once.
type Outcome struct {
	Status int // to exit with
	Exit   child.Exit
	Result *result.ToolResult
	Raw    []byte // the output, secrets taken out, when short enough to be shown instead of a compact form
	Record *manifest.Record
	Known  bool // Record is of an earlier import of the same bytes, and nothing was recorded
	// Stages are the commands of the line of which something of its own is known.
	Stages []*Stage
	// Hidden is what follows the answer, in the compact form: what stages found that is not in it.
	Hidden string
	// Trouble says what could not be kept or recorded; nil when all was.
	Trouble error
	// Later is that of the Options; beside a Put it may be set before CatchUp.
	Later Later

	site   *place.Site
	env    place.Env
	b      *backend
	shield *shield // nil where no command was run
	cancel func()  // ends what git is still doing
	left   []carried
	stager string
}

// Site is where it was kept; nil when there was no place. It is closed by CatchUp.
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
	o.Command.Signals = child.Listen()
	c := newCapture(context.WithoutCancel(ctx), o)
	defer c.cancel()
	c.rec = &manifest.Record{V: manifest.Version, ID: id, Time: started.UTC().Truncate(time.Microsecond)}
	c.step("noting the command", c.begin)
	c.step("finding the place of the record", c.find)
	c.step("reading the project's own parsers", c.ownFor)
	shield.holds()
	c.step("preparing to keep the output", c.keep)
	if c.sink == nil {
		c.spool, c.sink = nil, newKeeper(new(memory), new(memory))
	}
	c.step("reading the line", c.tap)
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
	site      *place.Site       // nil when there is no place to keep anything
	b         *backend          // nil as site is
	spool     incoming          // nil when the output goes to memory
	journal   *recovery.Journal // nil without one; the order is in memory then
	noted     bool              // it says how the command ended
	sink      *keeper
	workspace result.Workspace
	progress  *progress
	session   *parsers.Session
	own       *own.Rule     // of the project, for the command; nil as a rule
	stager    *stage.Server // nil where no command of a line is known by itself
	stages    []*Stage
	redacted  []manifest.Redaction // in stages
	left      []carried
	search    *search // nil when the command is not known to write reports
	scanned   chan struct{}
	tree      *treeQuestion   // nil when it is not asked
	red       redact.Redactor // for what is recorded
	errs      []error
}

func newCapture(ctx context.Context, o Options) *capture {
	c := &capture{o: o, scanned: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.gitCtx, c.gitCancel = context.WithCancel(ctx)
	return c
}

// step does one step of a capture. If it breaks off, that is a trouble, and the steps
// behind it are done all the same: what happens to cairn changes nothing of what the
// command does, nor of how it ends.
func (c *capture) step(doing string, do func()) {
	c.trouble(guard.Do(doing, func() {
		if c.o.enter != nil {
			c.o.enter(doing)
		}
		do()
	}))
}

func (c *capture) trouble(err error) {
	if err != nil {
		c.errs = append(c.errs, err)
	}
}

// begin puts into the record what is known at the start.
func (c *capture) begin() {
	c.rec.By = boundBy(c.o.By, &c.red)
	argv, line := c.o.said()
	setArgv(c.rec, argv, line, &c.red)
	if name := filepath.Base(c.o.Command.ShellProgram); line != "" && name != "." && name != "sh" {
		c.rec.ShellIs = cut(c.red.String(result.CleanLine(name)), maxName)
	}
	c.rec.ParseAs = boundName(c.o.Tool, &c.red)
}

// find looks for the place of the record, and notes in the record what the place says of
// the repository. This happens before the command starts, since the command may change
// all of that.
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
		c.rec.Dir, c.rec.Git = cut(c.red.String(site.Rel), maxName), gitOf(site, c.o.Env.Branch, &c.red)
	}
	c.trouble(err)
	c.rec.Redacted = addRedacted(nil, &c.red)
}

// keep opens the journal and prepares the spool. If the journal cannot be written, the
// order of the streams stays in memory. If there is no place to keep anything, the
// output stays in memory too, as far as it fits.
func (c *capture) keep() {
	var spool spooler = new(memory)
	var order orderer = new(memory)
	if c.site != nil {
		var err error
		if c.journal, err = recovery.Begin(c.b.journals(), c.site.Dir, c.rec); err != nil {
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
	c.sink.large = c.o.Large
}

// stream runs the command and takes in what it prints, to its end.
func (c *capture) stream(ctx context.Context) child.Exit {
	argv, line := c.o.said()
	c.step("looking for reports that are there", func() {
		c.search = lookBefore(c.o.Command.Dir, c.o.Command.Env, argv, line, c.o.Artifacts...)
	})
	before := gitrepo.Now()
	p, err := child.Start(ctx, c.o.Command)
	c.step("showing progress", c.watch)
	c.parse()
	if err != nil {
		return child.Exit{Code: -1, StartErr: err, Started: c.o.Now()}
	}
	c.step("looking at the working tree beside the command", func() {
		c.askTree(before, p.Started())
		go FoldsNow(c.gitCtx, c.site) // the repository remembers its configuration: CatchUp will ask
	})
	if c.o.Begun != nil {
		c.step("telling that it has begun", func() { c.o.Begun(c.rec.ID) })
	}
	exit, _ := p.Wait(c.sink) // its errors are in exit
	return exit
}

// parse begins to understand the output as it comes.
func (c *capture) parse() {
	in := c.input()
	c.step("taking the project's own parser", func() {
		if c.own != nil {
			in.As = c.own.Parser()
		}
	})
	c.session = parsers.New(in) // it does not break off, nor do its methods
	go func() {
		defer close(c.scanned)
		c.session.Scan()
	}()
}

// input is what parsers are given of the run.
func (c *capture) input() parsers.Input {
	argv, line := c.o.said()
	in := parsers.Input{Tool: c.o.Tool, Argv: argv, Shell: line, Workspace: c.workspace, Source: c.sink.source, Redact: c.red.String}
	if c.o.read != nil {
		c.o.read(&in)
	}
	return in
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

// backend has a function for every step in which a capture writes something. Tests make
// each of them fail, or let the process die in it.
type backend struct {
	write   func(f *os.File, p []byte) (int, error) // to a journal
	receive func(name string) (incoming, error)     // a spool
	put     func(io.Reader) (objects.Info, error)
	again   func([]byte) (objects.Info, error) // put without a sync, of what can be made again
	append  func(context.Context, *manifest.Record) error
	sync    func(f *os.File) error                              // a journal
	add     func(context.Context, *manifest.Record) error       // append without a sync
	link    func(old, new string) error                         // the second name of a spool
	remove  func(path string) error                             // a journal, or the second name of a spool
	recover func(objects.Leftover) (objects.Info, error)        // of a spool whose process died
	parse   func(parsers.Input, result.Exit) *result.ToolResult // what is left of a capture
	now     func() time.Time
}

// incoming is what a capture needs of objects.Incoming.
type incoming interface {
	spooler
	Commit() (objects.Info, error)
	CommitUnsynced() (objects.Info, error)
	Share(*recent.Window)
	Leave()
}

func newBackend(s *place.Site) *backend {
	return &backend{
		write:   (*os.File).Write,
		receive: func(name string) (incoming, error) { return s.Objects.Receive(name) },
		put:     s.Objects.Put,
		again:   s.Objects.PutUnsynced,
		append:  s.Manifest.Append,
		sync:    durable.SyncData,
		add:     s.Manifest.AppendUnsynced,
		link:    os.Link,
		remove:  os.Remove,
		recover: objects.Leftover.Recover,
		parse:   parsers.Parse,
		now:     time.Now,
	}
}

// journals are the steps that write and remove journals.
func (b *backend) journals() recovery.Files {
	return recovery.Files{Write: b.write, Sync: b.sync, Link: b.link, Remove: b.remove}
}
