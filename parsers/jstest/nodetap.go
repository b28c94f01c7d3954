package jstest

import (
	"cmp"
	"strings"

	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// nodeTAP reads the tap reporter. Its last lines are node's own counts. They leave out suites, which are points of
// TAP, and count a test as failed if a test inside failed.
func nodeTAP(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	if rep == nil {
		return nil
	}
	n := &tapSaid{counts: map[string]int{}, crashes: crashes{}}
	for l := range in.LinesOf(tool.Stdout) {
		n.line(l)
		if f, low := nodeUncovered(strings.TrimPrefix(l.Text, "# ")); low && n.closed {
			f.RawSpan = &result.Span{Start: l.Start, End: l.End}
			rep.Add(f)
		}
	}
	if rep.Complete = rep.Complete && n.closed; n.closed {
		n.total.again(n.counts)
		rep.Counts = n.total.counts
	} else if rep.Counts["passed"] -= n.suites; rep.Counts["passed"] <= 0 {
		delete(rep.Counts, "passed")
	}
	for i := range rep.Findings {
		f := &rep.Findings[i]
		if _, crashed := n.crashes[f.ID]; crashed || f.At != nil && (f.At.Path == f.ID || strings.HasSuffix(f.At.Path, "/"+f.ID)) {
			n.crashes.explain(f)
		}
	}
	leaveOutParents(rep, n.parents)
	n.total.settle(rep)
	return rep
}

// notNodes is a reader of TAP for another runner, which may run in one command with node's: node's TAP is not its own.
func notNodes(parse func(in *tool.Input) *tool.Report) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		for l := range in.LinesOf(tool.Stdout) {
			if strings.HasPrefix(l.Text, "# Subtest: ") {
				return nil
			}
		}
		return parse(in)
	}
}

// tapSaid has the parts of TAP that only node prints.
type tapSaid struct {
	closed  bool // the last of node's counts was read
	total   nodeTotal
	counts  map[string]int // node's counts, which follow the plan
	ok      bool           // the last point is ok
	suites  int            // number of ok points that are suites
	parents int            // number of points that failed because a point inside failed
	crash   crash          // crash of a file's process, printed in comments above the file's point
	thrown  *result.Finding
	crashes crashes
}

func (n *tapSaid) line(l tool.Line) {
	text := strings.TrimLeft(l.Text, " ")
	said, comment := strings.CutPrefix(l.Text, "# ")
	switch {
	case comment && nodeCount(n.counts, said):
		n.total.count(said)
		n.closed = strings.HasPrefix(said, "duration_ms ")
	case comment:
		if said = strings.TrimRight(said, " "); n.crash.take(tool.Line{Text: said, Start: l.Start, End: l.End}) {
			f := n.crash.finding()
			n.thrown = &f
		}
	case strings.HasPrefix(l.Text, "TAP version ") && n.closed: // another run begins
		n.total.again(n.counts)
		n.closed = false
	case tap.IsLine(l.Text):
		clear(n.counts)
	case strings.HasPrefix(text, "ok "):
		n.ok = true
		n.total.rows++
	case strings.HasPrefix(text, "not ok "):
		n.ok = false
		n.total.rows++
		if _, name, ok := strings.Cut(l.Text, " - "); ok && text == l.Text && n.thrown != nil {
			n.crashes[name], n.thrown = *n.thrown, nil
		}
	case text == "type: 'suite'" && n.ok:
		n.suites++
	case text == "failureType: 'subtestsFailed'":
		n.parents++
	}
}

// nodeCount reads one of node's final counts, "pass 3" or "duration_ms 12.5", which follow "# " in TAP and "ℹ "
// elsewhere. It reports whether text is one.
func nodeCount(counts map[string]int, text string) bool {
	name, value, _ := strings.Cut(text, " ")
	words := map[string]string{"pass": "passed", "fail": "failed", "skipped": "skipped", "todo": "todo", "cancelled": "cancelled"}
	switch {
	case name == "duration_ms", name == "tests", name == "suites":
		return true
	case words[name] == "" || !lex.IsDigits(value):
		return false
	}
	if n := lex.Atoi(value); n > 0 {
		counts[words[name]] = n
	}
	return true
}

// leaveOutParents notes the failed tests in node's counts that have no finding: those that failed because a test
// inside failed. node's list of failures leaves them out, too. parents may include suites, which node does not count.
func leaveOutParents(rep *tool.Report, parents int) {
	if n := rep.Counts["failed"] + rep.Counts["cancelled"] - rep.Failures(); n > 0 && n <= parents {
		rep.Suppressed = append(rep.Suppressed, result.Suppressed{Kind: "parents", Count: n, Reason: "failed since a test in it failed"})
	}
}

// crashes maps names of files to the errors that ended their processes.
type crashes map[string]result.Finding

// explain adds the error that ended a file's process to the finding of the file.
func (c crashes) explain(f *result.Finding) {
	f.At = placeOfFile(f.At)
	crash, ok := c[f.ID]
	if !ok {
		return
	}
	if crash.Rule == strings.ToUpper(crash.Rule) { // a code of node's, which the tap reporter does not print separately
		crash.Rule = ""
	}
	f.Rule, f.Message, f.Related, f.Frames = crash.Rule, crash.Message, crash.Related, crash.Frames
	f.At = cmp.Or(crash.At, f.At)
}

// placeOfFile returns the place of a test that is a file. For such a test, even a directory, node prints the first
// character.
func placeOfFile(at *result.Location) *result.Location {
	if at != nil && at.Line == 1 && at.Column == 1 {
		return &result.Location{Path: at.Path}
	}
	return at
}
