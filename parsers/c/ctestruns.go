package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// ctestRow is the row that ctest prints when a test has ended.
type ctestRow struct {
	number, name, status string
	run                  int // index of the run in the output
}

// test returns the name of a test within a run, as the list of failures has it: "3 fails".
func (r *ctestRow) test() string { return r.number[1:] + " " + r.name }

// cutCTestRow reads "3/10 Test  #3: fails ......***Failed    0.00 sec". The name may contain blanks and dots.
func cutCTestRow(text string) (r ctestRow, ok bool) {
	of, rest, ok := strings.Cut(text, "Test ")
	if of = strings.TrimRight(of, " "); !ok || of != "" && !strings.Contains(of, "/") || strings.Trim(of, "0123456789/") != "" {
		return r, false
	}
	r.number, rest, ok = strings.Cut(rest, ": ")
	r.number = strings.TrimLeft(r.number, " ")
	if !ok || !strings.HasPrefix(r.number, "#") || !lex.IsDigits(r.number[1:]) {
		return r, false
	}
	i := strings.LastIndex(rest, "***")
	if i < 0 {
		i = strings.LastIndex(rest, "   Passed ")
	}
	if i < 0 {
		return r, false
	}
	r.name = strings.TrimSuffix(strings.TrimRight(strings.TrimRight(rest[:i], " "), "."), " ")
	if dots := rest[:i]; !strings.Contains(dots, " .") { // the name fills the column
		r.name = strings.TrimRight(dots, " ")
	} else if k := strings.LastIndex(dots, " ."); strings.Trim(dots[k:], " .") == "" {
		r.name = dots[:k]
	}
	if r.status = strings.TrimLeft(rest[i:], " "); strings.HasPrefix(r.status, "***Exception") {
		r.name = cutCTestSignal(r.name)
	}
	return r, r.name != ""
}

// cutCTestSignal removes the way in which a test was killed, which follows the dots or, if the name fills the column,
// the name: "crashes .......Subprocess aborted***Exception:".
func cutCTestSignal(name string) string {
	for _, how := range [...]string{"Subprocess aborted", "Child aborted", "Subprocess terminated", "Child terminated"} {
		if rest, ok := strings.CutSuffix(name, how); ok {
			return strings.TrimRight(strings.TrimRight(rest, "."), " ")
		}
	}
	return name
}

// came returns the outcome of the test.
func (r *ctestRow) came() read.Outcome {
	switch status := strings.TrimPrefix(r.status, "***"); {
	case strings.HasPrefix(status, "Passed"):
		return tool.Passed
	case strings.HasPrefix(status, "Skipped"), strings.HasPrefix(status, "Not Run (Disabled)"):
		return tool.Skipped
	case strings.HasPrefix(status, "Failed"):
		return tool.Failed
	}
	return tool.Errored
}

func (r *ctestRow) took() (ms int64) {
	if i := strings.LastIndex(r.status, "  "); i > 0 {
		ms, _ = lex.Millis(r.status[i:])
	}
	return ms
}

// defects reads "2/9 MemCheck: #4: smoke ......   Defects: 3", which "ctest -T memcheck" says of a test that passed and
// exits with 0, and the kinds of defects below all rows: "Memory Leak - 1".
func (c *ctest) defects(s *read.Sink, l tool.Line, text string) bool {
	if c.memory = c.memory || text == "Memory checking results:"; c.memory {
		_, n, ok := strings.Cut(text, " - ")
		return ok && lex.IsDigits(n) && s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Message: text})
	}
	_, row, ok := strings.Cut(text, " MemCheck: #")
	if _, name, has := strings.Cut(row, ": "); ok && has {
		name, n, _ := strings.Cut(name, "   Defects: ")
		name = strings.TrimRight(name, " .")
		return n != "0" && lex.IsDigits(n) && s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: name, Message: "defects of memory: " + n})
	}
	return false
}

// end records the tests. If a test was run again, its last row has the verdict.
func (c *ctest) end(s *read.Sink) {
	c.total(s)
	last := map[string]int{}
	for i := range c.rows {
		last[c.runs.key(c.rows[i].run, c.rows[i].test())] = i
	}
	skipped, disabled := 0, 0
	for i := range c.rows {
		r := &c.rows[i]
		t := tool.Test{ID: r.name, Outcome: r.came(), DurationMS: r.took()}
		if last[c.runs.key(r.run, r.test())] != i {
			t.Outcome = tool.Rerun
		}
		switch {
		case t.Outcome == tool.Skipped && strings.Contains(r.status, "(Disabled)"):
			disabled++
		case t.Outcome == tool.Skipped:
			skipped++
		}
		s.Ran(t)
	}
	if s.Tested {
		failed, all := c.runs.once(s, c.rows)
		s.Counts["failed"], s.Counts["passed"] = failed, max(0, all-failed-skipped)
		s.Claim(failed)
	}
	if skipped+disabled > 0 { // ctest counts skipped tests as passed, and disabled ones not at all
		s.Counts["skipped"] = skipped + disabled
	}
	c.unrun.end(s)
}

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
