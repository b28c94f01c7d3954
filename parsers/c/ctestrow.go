package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
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
