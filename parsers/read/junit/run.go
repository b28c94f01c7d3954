package junit

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// junitRun is what all documents of one output or file add up to.
type junitRun struct {
	in      *tool.Input
	writers []string // that know a dialect
	path    string   // of the file they came from; "" on a stream
	rep     *tool.Report
	files   *place.Files
	room    int          // bytes of detail that may still be kept
	owners  []junitOwner // of cases that are not read here

	documents int
	foreign   bool // a linter's, which its own parser reads
	cut       bool // a document did not end
	cases     int
	unseen    int       // failures that suites count and that are no case
	dialects  []string  // the writers of the documents so far
	printed   junitText // by the suite that is open, for its owner

	badCases, lintCases int          // that failed, and those of them that are findings of a linter
	linted              tool.Report  // these findings
	report              *tool.Report // what finish made
}

func newJUnitRun(in *tool.Input, path string) *junitRun {
	return &junitRun{in: in, writers: writersOf(in), path: path, rep: in.NewReport(), linted: *in.NewReport(), files: place.NewFiles(in.Workspace), room: lex.DetailBudget}
}

// doubt keeps the first reason not to believe the report.
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
		for i := range rep.Findings { // there is no place in the output to point at
			rep.Findings[i].RawSpan = nil
		}
	}
	return rep
}

// junitOwner reads the cases of one tool in place of this reader.
type junitOwner struct {
	style  string
	reader tool.CaseReader
}

// owner is who reads the cases of a dialect, if a tool does that itself; it is
// made at its first case.
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
