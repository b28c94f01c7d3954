package junit

import "cmp"

// junitSuite is an open suite. A count that it does not state is -1.
type junitSuite struct {
	name, file, pkg, host   string
	tests, failures, errors int
	seen                    junitTally // cases in it and in its suites
	own                     junitTally // cases directly in it
	claimed                 int        // failures that its inner suites count
}

// suite is the innermost open suite, an empty one without any.
func (r *junitReader) suite() junitSuite {
	if n := len(r.suites); n > 0 {
		return r.suites[n-1]
	}
	return junitSuite{}
}

// junitTally counts cases.
type junitTally struct {
	tests int
	bad   int // cases that did not pass
	whys  int // failures and errors; a case may have several
}

func (t *junitTally) join(o junitTally) {
	t.tests += o.tests
	t.bad += o.bad
	t.whys += o.whys
}

func (r *junitReader) openSuite(kind junitKind) {
	x := r.x
	s := junitSuite{
		name: x.Attr("name"), file: x.Attr("file"), pkg: x.Attr("package"), host: x.Attr("hostname"),
		tests: x.Number("tests"), failures: x.Number("failures"), errors: x.Number("errors"),
	}
	r.counted = r.counted || s.tests >= 0
	s.file = cmp.Or(s.file, x.Attr("filepath"))
	r.suites = append(r.suites, s)
	r.learn(r.writerBySuite(x, kind, &s))
}

// endSuite compares the suite's counts with its cases.
func (r *junitReader) endSuite() {
	n := len(r.suites) - 1
	s := &r.suites[n]
	r.suites = r.suites[:n]
	owner := r.run.owner(r.style, false)
	if owner != nil {
		owner.EndSuite(r.run.printed.lines())
		r.run.printed = junitText{}
	}
	if n > 0 {
		r.suites[n-1].seen.join(s.seen)
	}
	if !r.run.known(r.style).CountsMore && s.tests > s.seen.tests && s.tests != s.own.tests {
		r.run.doubt("the report counts %d tests in %q and shows %d", s.tests, s.name, s.seen.tests)
	}
	claimed := max(s.failures, 0) + max(s.errors, 0)
	if n == 0 && owner != nil && owner.OverCounts() || r.run.known(r.style).ErrorsFail {
		claimed = max(s.failures, 0)
	}
	shown := max(s.seen.whys, s.seen.bad)
	if s.failures == s.errors && r.run.isLinters() {
		claimed = max(s.failures, 0) // stylelint's formatter gives one number twice
	}
	if claimed > shown {
		r.run.doubt("the report counts %d failures in %q and shows %d", claimed, s.name, s.seen.bad)
	}
	if claimed = max(claimed, s.claimed); n > 0 {
		r.suites[n-1].claimed += claimed
	} else {
		r.run.unseen += max(0, claimed-shown)
	}
}
