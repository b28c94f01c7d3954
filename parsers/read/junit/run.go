package junit

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// junitRun collects all documents of one output or file.
type junitRun struct {
	in      *tool.Input
	writers []string // tools that have a dialect
	path    string   // the file that they came from; "" for a stream
	rep     *tool.Report
	files   *place.Files
	room    int          // bytes of detail that may still be kept
	owners  []junitOwner // readers of cases that tools read themselves

	documents int
	foreign   bool // a linter's documents, which its own parser reads
	cut       bool // a document did not end
	cases     int
	unseen    int       // failures that suites count but that have no case
	dialects  []string  // the writers of the documents so far
	printed   junitText // output of the open suite, for its owner

	badCases, lintCases int          // failed cases, and how many of them are findings of a linter
	linted              tool.Report  // the findings of these cases
	report              *tool.Report // made by finish
}

func newJUnitRun(in *tool.Input, path string) *junitRun {
	return &junitRun{in: in, writers: writersOf(in), path: path, rep: in.NewReport(), linted: *in.NewReport(), files: place.NewFiles(in.Workspace), room: lex.DetailBudget}
}

// doubt notes a reason not to trust the report; the first one is kept.
func (run *junitRun) doubt(format string, args ...any) {
	run.rep.Doubt = cmp.Or(run.rep.Doubt, fmt.Sprintf(format, args...))
}

func (run *junitRun) finish() *tool.Report {
	if run.documents == 0 || run.foreign {
		return nil
	}
	if run.path == "" && run.isLinters() { // see Lints
		return nil
	}
	rep := run.rep
	rep.Claimed = rep.Counts["failed"] + rep.Counts["error"]
	for _, o := range run.owners {
		rep.Claimed += o.reader.Finish()
	}
	rep.Claimed += run.unseen
	rep.Complete = !run.cut
	rep.Tested = run.cases > 0
	rep.NoTests = run.cases == 0 && len(rep.Findings) == 0 && rep.Complete
	if len(run.dialects) > 0 {
		rep.Extra = map[string]any{"dialect": strings.Join(run.dialects, ", ")}
	}
	if run.path != "" {
		for i := range rep.Findings { // their spans would not be in the output
			rep.Findings[i].RawSpan = nil
		}
	}
	return rep
}

// junitOwner is a tool's own reader of cases, which replaces this package's.
type junitOwner struct {
	style  string
	reader tool.CaseReader
}

// owner is the tool's own reader for the cases of a dialect, or nil; it is made at the first case.
func (run *junitRun) owner(d string, first bool) tool.CaseReader {
	for _, o := range run.owners {
		if o.style == d {
			return o.reader
		}
	}
	if start := run.known(d).Cases; start != nil && first {
		run.owners = append(run.owners, junitOwner{d, start(run.in, run.rep)})
		return run.owners[len(run.owners)-1].reader
	}
	return nil
}
