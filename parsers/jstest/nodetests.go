package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// nodeTests reads the row that the spec reporter prints for each test, in its tree:
//
//	▶ cart
//	  ✔ adds (6.1ms)
//	  ﹣ ships (0.2ms) # SKIP
//	✖ cart (60.6ms)
//
// A suite, or a test with tests inside, has a row above them and another one below; node 18 has "▶" in both.
type nodeTests struct {
	suites []nodeSuite // the suites around the next row
	total  nodeTotal
}

// nodeSuite is a suite whose second row is still to come.
type nodeSuite struct {
	name string
	bad  bool // a row in it failed
}

// nodeRow is a row of the tree.
type nodeRow struct {
	mark, text string
	name       string // text without the duration and the directive
	took       string // "6.1ms"; "" without a duration
	directive  string // "SKIP", or the reason
}

// cutNodeRow reads "✔ adds (6.1ms) # soon".
func cutNodeRow(text string) (r nodeRow, ok bool) {
	r.mark, r.text, ok = strings.Cut(text, " ")
	if !ok || r.mark != "▶" && r.mark != "✖" && r.mark != "✔" && r.mark != "﹣" && r.mark != "⚠" {
		return r, false
	}
	r.name = r.text
	for i := len(r.text); i > 0; {
		if i = strings.LastIndex(r.text[:i], " ("); i < 0 {
			break
		}
		took, rest, closed := strings.Cut(r.text[i+len(" ("):], "ms)")
		directive, directed := strings.CutPrefix(rest, " # ")
		if _, timed := lex.Millis(took); closed && timed && (rest == "" || directed) {
			r.name, r.took, r.directive = r.text[:i], took+"ms", directive
			break
		}
	}
	r.name = strings.TrimSpace(r.name)
	return r, true
}

// outcome returns the outcome and the duration of the row's test. A failure of a test that is expected to fail does
// not count.
func (r *nodeRow) outcome() tool.Test {
	t := tool.Test{Outcome: tool.Failed}
	switch {
	case r.mark == "﹣":
		t.Outcome = tool.Skipped
	case r.directive != "", r.mark == "⚠", strings.HasSuffix(r.text, "# TODO"):
		t.Outcome = tool.Todo
	case r.mark == "✔", r.mark == "▶":
		t.Outcome = tool.Passed
	}
	t.DurationMS, _ = lex.Millis(r.took)
	return t
}

// row takes a row, and returns the id and the outcome of its test; "" for the first row of a suite.
func (n *nodeTests) row(s *read.Sink, r *nodeRow, depth int) (id string, came read.Outcome) {
	closes := depth < len(n.suites) && (n.suites[depth].name == r.name || n.suites[depth].name == r.text)
	if r.mark == "▶" && !closes {
		n.suites = append(n.suites[:min(depth, len(n.suites))], nodeSuite{name: strings.Clone(r.text)})
		return "", ""
	}
	t := r.outcome()
	if t.Parent = closes; closes && r.mark == "▶" && n.suites[depth].bad {
		t.Outcome = tool.Failed
	}
	whole := r.took != "" || closes // otherwise a test printed the row, or its name continues below
	around := n.suites[:min(depth, len(n.suites))]
	if whole {
		n.suites = around
	}
	var b strings.Builder
	for i := range around {
		around[i].bad = around[i].bad || t.Outcome.Bad()
		b.WriteString(around[i].name + " › ")
	}
	t.ID = b.String() + r.name
	if closes {
		n.total.closed = append(n.total.closed, t.ID)
	}
	if r.name == "" || r.mark == "✔" && r.took == "" {
		s.Unread("the name of a test has several lines")
	} else {
		s.Ran(t)
	}
	n.total.rows++
	return t.ID, t.Outcome
}

// nodeTotal compares the rows, or the points of TAP, with node's own counts. node counts a test with tests inside,
// but not a suite, and their rows look the same. If there are as many rows as tests and suites, no row is missing.
type nodeTotal struct {
	rows, counted, suites int
	closed                []string // rows of suites, and of tests with tests in them

	counts     map[string]int // sums over the runs that have ended
	all, holds int            // sums of counted and suites over these runs
}

// again adds node's counts of a run that has ended, and clears them for the next run.
func (n *nodeTotal) again(counts map[string]int) {
	if n.counts == nil {
		n.counts = map[string]int{}
	}
	for name, count := range counts {
		n.counts[name] += count
	}
	clear(counts)
	n.all, n.holds = n.all+n.counted, n.holds+n.suites
	n.counted, n.suites = 0, 0
}

// count takes one of node's counts: "tests 9", then "suites 2".
func (n *nodeTotal) count(text string) {
	name, value, _ := strings.Cut(text, " ")
	switch {
	case name == "tests":
		n.counted = lex.Atoi(value)
	case name == "suites":
		n.suites = lex.Atoi(value)
		n.counted += n.suites
	}
}

func (n *nodeTotal) settle(rep *tool.Report) {
	for _, id := range n.closed { // a suite whose hook or own code failed is no test beside those inside
		if len(n.closed) == n.holds || slices.ContainsFunc(rep.Findings, func(f result.Finding) bool { return f.ID == id && ofSuite(&f) }) {
			rep.NoTest(id)
		}
	}
	switch {
	case n.all == 0 || rep.Tests == nil:
	case n.rows == n.all:
		rep.Agree()
	default:
		rep.Unread("there are not as many rows as tests and suites that node counts")
	}
}

// ofSuite reports whether a failure comes from a hook of a suite, rather than of a test with tests inside.
func ofSuite(f *result.Finding) bool {
	return f.At != nil && strings.HasPrefix(f.At.Function, "SuiteContext.")
}
