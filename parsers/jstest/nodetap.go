package jstest

import (
	"strings"

	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// nodeTAP reads the tap reporter. Its last lines are node's own counts: a suite is a point of TAP and no test, and a test
// that failed since a test in it did counts as failed.
func nodeTAP(in *tool.Input) *tool.Report {
	rep := tap.Tests(in)
	if rep == nil {
		return nil
	}
	n := &tapSaid{counts: map[string]int{}, crashes: crashes{}}
	for l := range in.LinesOf(tool.Stdout) {
		n.line(l)
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

// tapSaid is what node says in TAP that other tools do not.
type tapSaid struct {
	closed  bool // all was counted
	total   nodeTotal
	counts  map[string]int // by node, behind the plan
	ok      bool           // the last point
	suites  int            // points that are ok and no tests
	parents int            // points that are not ok since one in them is not
	crash   crash          // of the process of a file, told in comments before the file's point
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
	case strings.HasPrefix(l.Text, "TAP version ") && n.closed: // of another run
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

// nodeCount adds one of the counts that node prints last, in TAP behind "# " and elsewhere behind "ℹ ": "pass 3",
// "duration_ms 12.5".
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

// leaveOutParents says which of the failed tests that node counts are no findings: those that failed since a test in them
// did. Node lists them nowhere else either. Suites, which are not counted, are among the parents.
func leaveOutParents(rep *tool.Report, parents int) {
	if n := rep.Counts["failed"] + rep.Counts["cancelled"] - rep.Failures(); n > 0 && n <= parents {
		rep.Suppressed = append(rep.Suppressed, result.Suppressed{Kind: "parents", Count: n, Reason: "failed since a test in it failed"})
	}
}

// crashes are the errors that ended the processes of files, by the names of the files.
type crashes map[string]result.Finding

// explain adds to a file whose process ended why it did.
func (c crashes) explain(f *result.Finding) {
	f.At = placeOfFile(f.At)
	crash, ok := c[f.ID]
	if !ok {
		return
	}
	if crash.Rule == strings.ToUpper(crash.Rule) { // a code of node's, which the tap reporter does not tell apart
		crash.Rule = ""
	}
	f.Rule, f.Message, f.Related, f.Frames = crash.Rule, crash.Message, crash.Related, crash.Frames
	if crash.At != nil {
		f.At = crash.At
	}
}

// placeOfFile is the place of a test that is a file, as node tells it: always the
// first character, though it may be a directory.
func placeOfFile(at *result.Location) *result.Location {
	if at != nil && at.Line == 1 && at.Column == 1 {
		return &result.Location{Path: at.Path}
	}
	return at
}
