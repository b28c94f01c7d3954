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
	// Line, if set, is the shell line that the user gave, if Command runs it inside a
	// host's own frame: record, command key and parsers get only the line.
	Line string
	// Frame, if set, returns the host's frame around another line.
	Frame func(line string) string
	// Stager is the path of cairn-stage, by which each command of a line is observed.
	// If it is "", the one beside this program is used, if there is one.
	Stager string
	// Tool, if set, is the tool that printed the output, whatever the command is.
	Tool string
	// Artifacts are files that the command will write, or patterns with "*", relative
	// to its directory. Only files that this run wrote count.
	Artifacts []string

	Env place.Env
	By  *manifest.By
	Now func() time.Time

	// LiveOut and LiveErr, if set, get the output as it comes.
	LiveOut, LiveErr io.Writer
	// Out and Err get the output of jobs that a line has left running; nil drops it.
	Out, Err *os.File
	// Progress, if set, is a terminal that gets a status line.
	Progress io.Writer
	// Warn gets warnings for the user that change nothing.
	Warn func(string)
	// Large, if set, is called once when the output is longer than a megabyte.
	Large func()
	// Begun, if set, gets the run id once the command has been started.
	Begun func(id string)
	// Later, if set, starts a process that brings the record into the branch and
	// settles journals. Without it CatchUp does that.
	Later Later

	asked []string // the command as the user gave it, if Command is another

	hurt  func(*backend)       // in tests: makes steps fail
	enter func(step string)    // in tests: called at the beginning of each step
	read  func(*parsers.Input) // in tests: changes the input of parsers
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

// Outcome is the result of a capture. Its CatchUp must be called once.
type Outcome struct {
	Status int // the exit status for cairn
	Exit   child.Exit
	Result *result.ToolResult
	Raw    []byte // the redacted output, if it is short enough to be shown instead of a compact form
	Record *manifest.Record
	Known  bool // Record is of an earlier import of the same bytes; nothing was recorded
	// Stages are the commands of the line that have facts of their own.
	Stages []*Stage
	// Hidden are the stages' findings that the answer does not show, in the compact form; it follows the answer.
	Hidden string
	// Trouble says what could not be kept or recorded; nil if nothing was lost.
	Trouble error
	// Later is Options.Later; after a Put it may be set before CatchUp.
	Later Later

	site   *place.Site
	env    place.Env
	b      *backend
	shield *shield // nil if no command was run
	cancel func()  // ends git processes that still run
	left   []carried
	stager string
}

// Site is where the capture was kept; nil if there was no place. CatchUp closes it.
func (o *Outcome) Site() *place.Site { return o.site }

// Run runs the command, keeps its output, and records it. The outcome is complete and
// has the child's status even if recording fails.
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

// capture is a running capture.
type capture struct {
	ctx       context.Context // ends when the user insists on leaving
	cancel    context.CancelFunc
	gitCtx    context.Context // ends when no more git processes are needed, or git hangs
	gitCancel context.CancelFunc
	o         Options
	rec       *manifest.Record
	site      *place.Site       // nil if there is no place to keep anything
	b         *backend          // nil if site is
	spool     incoming          // nil if the output goes to memory
	journal   *recovery.Journal // nil if none exists; the order is in memory then
	noted     bool              // the journal says how the command ended
	sink      *keeper
	workspace result.Workspace
	progress  *progress
	session   *parsers.Session
	own       *own.Rule     // the project's rule for the command; usually nil
	stager    *stage.Server // nil if the commands of a line are not observed
	stages    []*Stage
	redacted  []manifest.Redaction // redactions in stages
	left      []carried
	search    *search // nil if the command is not known to write reports
	scanned   chan struct{}
	tree      *treeQuestion   // nil if the tree is not asked for
	red       redact.Redactor // redacts what is recorded
	errs      []error
}

func newCapture(ctx context.Context, o Options) *capture {
	c := &capture{o: o, scanned: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	c.gitCtx, c.gitCancel = context.WithCancel(ctx)
	return c
}

// step runs one step of a capture. If the step panics, that is noted as a trouble, and
// the later steps still run: a bug in cairn must change neither what the command does
// nor how it ends.
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

// begin records what is known at the start.
func (c *capture) begin() {
	c.rec.By = boundBy(c.o.By, &c.red)
	argv, line := c.o.said()
	setArgv(c.rec, argv, line, &c.red)
	if name := filepath.Base(c.o.Command.ShellProgram); line != "" && name != "." && name != "sh" {
		c.rec.ShellIs = cut(c.red.String(result.CleanLine(name)), maxName)
	}
	c.rec.ParseAs = boundName(c.o.Tool, &c.red)
}

// find opens the place for the record, and records the state of the repository. This
// happens before the command starts, since the command may change that state.
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
// output stays in memory too, up to a limit.
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

// stream runs the command and receives its output, to its end.
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
		go FoldsNow(c.gitCtx, c.site) // the repository caches its configuration, which CatchUp will need
	})
	if c.o.Begun != nil {
		c.step("telling that it has begun", func() { c.o.Begun(c.rec.ID) })
	}
	exit, _ := p.Wait(c.sink) // exit has the errors
	return exit
}

// parse starts to parse the output as it comes.
func (c *capture) parse() {
	in := c.input()
	c.step("taking the project's own parser", func() {
		if c.own != nil {
			in.As = c.own.Parser()
		}
	})
	c.session = parsers.New(in) // parsers.New and the methods of a session do not panic
	go func() {
		defer close(c.scanned)
		c.session.Scan()
	}()
}

// input is the input of the parsers for the run.
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
	receive func(name string) (incoming, error)     // makes a spool
	put     func(io.Reader) (objects.Info, error)
	again   func([]byte) (objects.Info, error) // puts without a sync what can be made again
	append  func(context.Context, *manifest.Record) error
	sync    func(f *os.File) error                              // syncs a journal
	add     func(context.Context, *manifest.Record) error       // appends without a sync
	link    func(old, new string) error                         // makes the second name of a spool
	remove  func(path string) error                             // removes a journal, or the second name of a spool
	recover func(objects.Leftover) (objects.Info, error)        // recovers a spool whose process died
	parse   func(parsers.Input, result.Exit) *result.ToolResult // parses what is left of a capture
	now     func() time.Time
}

// incoming is the methods of objects.Incoming that a capture uses.
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

// journals are the functions that write and remove journals.
func (b *backend) journals() recovery.Files {
	return recovery.Files{Write: b.write, Sync: b.sync, Link: b.link, Remove: b.remove}
}
