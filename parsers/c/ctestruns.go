package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// ctestRuns are the runs of ctest in one output: a command may run the tests of several builds, or run failed tests
// again, "ctest; ctest --rerun-failed --output-on-failure".
type ctestRuns struct {
	all  []ctestRun
	told []ctestTold
}

type ctestRun struct {
	project     string // the directory of the build; "" where no line names it
	failed, all int    // counts in its closing line
	over        bool   // the closing line was read
}

// ctestTold is a row of a list of failures.
type ctestTold struct {
	run  int
	test string
	at   int // index of its finding
}

// open returns the index of the run that is being read.
func (r *ctestRuns) open() int {
	if len(r.all) == 0 {
		r.all = append(r.all, ctestRun{})
	}
	return len(r.all) - 1
}

// start takes the head of a run, and reports whether another run was over before it.
func (r *ctestRuns) start(project string) (another bool) {
	if another = r.all != nil && r.all[r.open()].over; another {
		r.all = append(r.all, ctestRun{})
	}
	r.all[r.open()].project = strings.Clone(project)
	return another
}

// end takes the closing line of a run.
func (r *ctestRuns) end(failed, all int) {
	if run := &r.all[r.open()]; !run.over {
		run.failed, run.all, run.over = failed, all, true
		return
	}
	r.all = append(r.all, ctestRun{failed: failed, all: all, over: true})
}

// named takes the line below the list of failures that names the build. The head, which also does, may be cut off.
func (r *ctestRuns) named(text string) {
	_, path, _ := strings.Cut(text, ": ")
	if run := &r.all[r.open()]; run.over && run.project == "" {
		run.project, _, _ = strings.Cut(strings.Clone(path), "/Testing/Temporary/")
	}
}

// key returns a key that is the same for a test that is run again in the same build.
func (r *ctestRuns) key(run int, test string) string { return r.all[run].project + "\n" + test }

// tell notes the row of the last finding. Rows on stderr, where older versions list failures, have no known run.
func (r *ctestRuns) tell(s *read.Sink, l tool.Line, test string) {
	if l.Stream == tool.Stdout && s.Last() != nil {
		r.told = append(r.told, ctestTold{r.open(), test, len(s.Findings) - 1})
	}
}

// once removes the second finding of a test that failed again, and keeps the longer output of the two. It returns the
// sums of the counts, without tests that were run again.
func (r *ctestRuns) once(s *read.Sink, rows []ctestRow) (failed, all int) {
	first, known, again := map[string]int{}, map[string]int{}, map[int]bool{} // key to finding, key to run, findings to remove
	for _, t := range r.told {
		key := r.key(t.run, t.test)
		at, is := first[key]
		if !is || r.all[t.run].project == "" || !r.all[t.run].over {
			first[key], known[key] = t.at, t.run
			continue
		}
		again[t.at] = true
		r.all[t.run].failed--
		r.all[t.run].all--
		if t.at >= len(s.Findings) {
			continue // the finding is not kept
		}
		if f, g := &s.Findings[at], &s.Findings[t.at]; len(f.Detail) < len(g.Detail) {
			g.RawSpan, *f = f.RawSpan, *g
		}
	}
	for i := range rows {
		key := r.key(rows[i].run, rows[i].test())
		if run, is := known[key]; !is {
			known[key] = rows[i].run
		} else if run < rows[i].run && rows[i].came() != tool.Failed && rows[i].came() != tool.Errored {
			r.all[rows[i].run].all--
		}
	}
	i := -1
	s.Findings = slices.DeleteFunc(s.Findings, func(result.Finding) bool { i++; return again[i] })
	for _, run := range r.all {
		failed, all = failed+run.failed, all+run.all
	}
	return failed, all
}
