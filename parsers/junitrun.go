package parsers

import (
	"cmp"
	"fmt"
	"strings"
)

// junitRun is what all documents of one output or file add up to.
type junitRun struct {
	in     *Input
	path   string // of the file they came from; "" on a stream
	rep    *Report
	places *places
	room   int // bytes of detail that may still be kept

	documents int
	foreign   bool // a linter's, which its own parser reads
	cut       bool // a document did not end
	cases     int
	unseen    int // failures that suites count and that are no case
	parents   int // failures of tests that only say that their subtests failed
	dialects  []string
	golang    *junitGo // set where a document is go's
}

func newJUnitRun(in *Input, path string) *junitRun {
	return &junitRun{in: in, path: path, rep: NewReport(), places: newPlaces(in.Workspace), room: detailBudget}
}

// doubt keeps the first reason not to believe the report.
func (run *junitRun) doubt(format string, args ...any) {
	run.rep.Doubt = cmp.Or(run.rep.Doubt, fmt.Sprintf(format, args...))
}

func (run *junitRun) finish() *Report {
	if run.documents == 0 || run.foreign {
		return nil
	}
	rep := run.rep
	rep.Claimed = rep.Counts["failed"] + rep.Counts["error"] - run.parents
	if run.golang != nil {
		run.golang.finish(run)
		rep.Claimed += run.golang.run.claimed
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
