package parsers

// junitSuite is an open suite. A count that it does not give is -1.
type junitSuite struct {
	name, file, pkg, host   string
	tests, failures, errors int
	seen                    junitTally // cases in it and in its suites
	own                     junitTally // cases directly in it
	claimed                 int        // failures that its suites count
}

// junitTally counts cases.
type junitTally struct {
	tests int
	bad   int // cases that did not pass
	whys  int // failures and errors: a case may have several
}

func (t *junitTally) join(o junitTally) {
	t.tests += o.tests
	t.bad += o.bad
	t.whys += o.whys
}

func (r *junitReader) openSuite(kind junitKind) {
	x := r.x
	s := junitSuite{
		name: x.attr("name"), file: x.attr("file"), pkg: x.attr("package"), host: x.attr("hostname"),
		tests: x.number("tests"), failures: x.number("failures"), errors: x.number("errors"),
	}
	r.counted = r.counted || s.tests >= 0
	if s.file == "" {
		s.file = x.attr("filepath")
	}
	r.suites = append(r.suites, s)
	r.learn(dialectOfSuite(x, kind, &s))
	if s.pkg == "org.eslint" || kind == junitSuites && s.name == "ruff" {
		r.run.foreign = true
	}
}

// endSuite compares what the suite says of itself with its cases.
func (r *junitReader) endSuite() {
	n := len(r.suites) - 1
	s := &r.suites[n]
	r.suites = r.suites[:n]
	if r.style == byGo && r.run.golang != nil {
		r.run.golang.suiteEnds()
	}
	if n > 0 {
		r.suites[n-1].seen.join(s.seen)
	}
	if r.style != byPytest && s.tests > s.seen.tests && s.tests != s.own.tests { // pytest counts passing subtests, which have no case
		r.run.doubt("the report counts %d tests in %q and shows %d", s.tests, s.name, s.seen.tests)
	}
	claimed := max(s.failures, 0) + max(s.errors, 0)
	if r.style == byGo && n == 0 && r.run.golang != nil && len(r.run.golang.run.buildFailed) > 0 {
		claimed = max(s.failures, 0) // gotestsum counts lines of the compiler as errors, and does not show them
	}
	shown := max(s.seen.whys, s.seen.bad)
	if claimed > shown {
		r.run.doubt("the report counts %d failures in %q and shows %d", claimed, s.name, s.seen.bad)
	}
	if claimed = max(claimed, s.claimed); n > 0 {
		r.suites[n-1].claimed += claimed
	} else {
		r.run.unseen += max(0, claimed-shown)
	}
}
