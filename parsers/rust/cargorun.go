package rust

import (
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
	short      bool

	notBuilt map[string]int // by crate: the number of errors that cargo reports
	targets  []*cargoTarget
	blocks   []*libtestBlock
	named    int    // failures in those
	crashed  int    // processes that died
	root     string // absolute directory of the workspace, if known
	relative bool   // headers name binaries relative to the working directory
	above    bool   // headers name binaries in a target directory that lies above the workspace

	checking, compiling, finished, finishedTest, clippy, running bool

	json, cargo, usage, ended bool
	aborts                    int  // JSON messages "aborting due to …", which older versions count as errors
	listed                    bool // --list: no test was run
	nextest                   bool // nextest ran the tests
	testing                   bool // the command is cargo test
	runs                      bool // the command is cargo run
	program                   rustLoose
	whole                     bool
}

func newCargoRun(in *tool.Input) *cargoRun {
	return &cargoRun{in: in, testing: cargoToolNamed(in) == "cargo-test", runs: isCargoRun(in), report: in.NewReport(), streams: map[tool.Stream]*cargoStream{}, seen: map[lex.Hash]bool{}, notBuilt: map[string]int{}, whole: true}
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
