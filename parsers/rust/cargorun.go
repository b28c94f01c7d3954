package rust

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargoRun is the content of one output of cargo or rustc: diagnostics, tests, and errors of cargo itself. Each stream
// is read separately, since the order between the two is not known.
type cargoRun struct {
	in      *tool.Input
	report  *tool.Report
	streams map[tool.Stream]*cargoStream
	lints   rustcLints

	diags      []result.Finding  // of the compiler and of cargo itself
	seen       map[lex.Hash]bool // hashes of diagnostics, at most maxSeen
	duplicates int
	dropped    int

	notBuilt map[string]int // by crate: the number of errors that cargo reports
	targets  []*cargoTarget
	listing  []cargoTarget // those in the list of failed targets at the end
	blocks   []*libtestBlock
	named    int    // failures in those
	crashed  int    // processes that died
	root     string // absolute directory of the workspace, if known
	relative bool   // headers name binaries relative to the working directory
	above    bool   // headers name binaries in a target directory that lies above the workspace

	checking, compiling, finishedTest, clippy, cargo, usage, ended bool
	aborts                                                         int  // JSON messages "aborting due to …", which older versions count as errors
	listed                                                         bool // --list: no test was run
	nextest                                                        bool // nextest ran the tests
	testing                                                        bool // the command is cargo test
	runs                                                           bool // the command is cargo run
	program                                                        rustLoose
	whole                                                          bool
}

func newCargoRun(in *tool.Input) *cargoRun {
	return &cargoRun{in: in, testing: cargoToolNamed(in) == "cargo-test" || listsTool(in, "cargo-test"), runs: isCargoRun(in), report: in.NewReport(), streams: map[tool.Stream]*cargoStream{}, seen: map[lex.Hash]bool{}, notBuilt: map[string]int{}, whole: true}
}

// read goes through the whole output.
func (run *cargoRun) read() {
	for l := range run.in.LentLines() {
		run.whole = l.Ended || run.whole && strings.TrimSpace(l.Text) == ""
		s := run.streams[l.Stream]
		if s == nil {
			s = &cargoStream{run: run}
			run.streams[l.Stream] = s
		}
		if !s.passing(l.Text) {
			l.Text = strings.Clone(l.Text)
		}
		if s.line(l) {
			run.report.Cover(l)
		}
		if s.block != nil && s.block.cutAt == l.End {
			run.whole = true // the process died in the middle of this line; the record is not cut off
		}
	}
	for _, stream := range []tool.Stream{tool.Stdout, tool.Stderr} {
		if s := run.streams[stream]; s != nil {
			s.closeDiag()
			s.endBlock()
		}
	}
}

// placeRoot learns the workspace's directory, to which rustc's paths are relative, wherever cargo was started. A target
// directory above the checkout may be shared by several projects: then the paths must also agree.
func (run *cargoRun) placeRoot(binary string) {
	if i := strings.Index(binary, "/target/"); i > 0 && result.IsAbsolute(binary) {
		w, beside := run.in.Workspace, binary[:i]
		switch {
		case strings.HasPrefix(w.Root, beside+"/"):
			run.above = true
		case w.Dir == beside || strings.HasPrefix(w.Dir, beside+"/"):
			run.root = beside
		}
	} else if binary != "" && !result.IsAbsolute(binary) {
		run.relative = true
	}
}

// addUnfinished reports the tests that were running when the output ended, because the run was stopped or
// its record was cut off.
func (run *cargoRun) addUnfinished(b *libtestBlock) {
	names := b.slow
	if b.running != "" && !slices.Contains(names, b.running) {
		names = append(slices.Clone(names), b.running)
	}
	for _, name := range names[:min(len(names), maxRustcRelated)] {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevWarning, Name: name, Message: "was still running when the output ended", Tags: []string{"unfinished"}}
		f.RawSpan = &result.Span{Start: b.start, End: b.end}
		run.identify(&f, b)
		run.report.Add(f)
	}
}

// endedEarly is the finding for a process that ended before its tests did: killed by a signal, aborted, or left by
// process::exit.
func (run *cargoRun) endedEarly(t *cargoTarget, b *libtestBlock) result.Finding {
	f := result.Finding{Kind: result.Panic, Severity: result.SevFailure, Tags: []string{"crash"}, RawSpan: &result.Span{Start: t.start, End: t.end}}
	if t.causeSpan.End > 0 {
		span := t.causeSpan
		f.RawSpan = &span
	}
	panics, last, loose := t.loose.everyPanic(), t.loose.last, &t.loose
	if b != nil {
		if loose.dead == "" { // both streams in one
			loose = &b.loose
		}
		panics = append(b.loose.everyPanic(), panics...)
		f.Name = b.running
	}
	if t.loose.fillStopped(&f) || b != nil && b.loose.fillStopped(&f) || t.loose.sanitizer.fill(&f) {
		run.identifyEnded(&f, t, b)
		run.crashed++
		return f
	}
	switch {
	case loose.dead != "":
		f.Message, f.Name = loose.dead, loose.thread
		span := loose.span
		f.RawSpan = &span
	case len(panics) > 0:
		fillRustPanics(&f, panics, panics[0].thread)
		f.Name = testOf(b, panics[0].thread)
		f.RawSpan = &result.Span{Start: panics[0].start, End: panics[0].end}
	case t.loose.fatal != "":
		f.Message = t.loose.fatal
	case b != nil && b.loose.fatal != "":
		f.Message = b.loose.fatal
	case t.cause != "" && b != nil: // libtest's process, which printed no reason of its own
	case last != "":
		f.Message = last
	case t.cause == "":
		f.Message = "the test binary failed and did not say why"
	}
	if b != nil && !t.failed {
		f.RawSpan = &result.Span{Start: b.start, End: b.end}
		f.Message = "running " + strconv.Itoa(b.announced) + " tests: the test binary ended without a closing line"
	}
	f.Message = withCause(f.Message, t.cause)
	if t.cause == "" && b == nil {
		f.Kind, f.Tags = result.TestFailure, []string{"exit"}
	}
	if strings.HasPrefix(t.cause, "process didn't exit successfully (exit ") {
		f.Kind, f.Tags = result.TestFailure, []string{"exit"}
	}
	if usage, ok := strings.CutPrefix(f.Message, "error: "); ok {
		f.Message = usage
	}
	run.identifyEnded(&f, t, b)
	run.crashed++
	return f
}

func withCause(message, cause string) string {
	switch {
	case message == "":
		return cause
	case cause == "":
		return message
	}
	return message + ": " + cause
}

// testOf returns a thread's name if the block may have a test of that name, else "".
func testOf(b *libtestBlock, thread string) string {
	if b == nil || thread == "main" || strings.HasPrefix(thread, "<") {
		return ""
	}
	return thread
}

func (run *cargoRun) identifyEnded(f *result.Finding, t *cargoTarget, b *libtestBlock) {
	if f.Name != "" && b != nil {
		run.identify(f, b)
		return
	}
	f.Name = ""
	if f.ID = t.id(run.in); f.ID != "" {
		f.Suite = []string{f.ID}
	}
	t.again(f)
	if b != nil {
		for _, name := range b.slow {
			f.Related = append(f.Related, result.Related{Message: "was running for over 60 seconds: " + name})
		}
	}
}
