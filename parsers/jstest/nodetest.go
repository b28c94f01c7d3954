package jstest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("node | nodejs", func(p *tool.Parser) {
	p.Is("node-test", result.Test, 2, "node --test 18 to 24: spec, dot and tap reporters")
	p.Family, p.ColumnUnit = "node", "utf16"
	p.Filter = tool.Filter{Flag: "--test-name-pattern", Spell: read.LastTitle}
	p.Matches = isNodeTest
	p.Exits = map[int]result.Meaning{9: result.MeansUsage}
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--test-reporter-destination"), Arguments: []string{"NODE_OPTIONS"}, Shared: true}}
	p.JUnit = nodeReports
	p.Reads(tool.Format{Name: "tap", Starts: []string{"# cancelled "}, Named: true, Parse: nodeTAP}) // also printed by a test file that node runs without --test
	p.Reads(tool.Format{Name: "spec", Prints: nodePrints, Starts: []string{"ℹ duration_ms ", "✖ failing tests:", "✖ …ms)"}, Parse: nodeSpec})
	p.Reads(tool.Format{Name: "files", Starts: []string{"failed: … ms)"}, Parse: read.Lines((*byFile).line)})
	p.Reads(tool.Format{Name: "dot", Parse: nodeSpec})
}, tool.WritesFiles)

func nodeSpec(in *tool.Input) *tool.Report {
	n := &spec{named: isNamedBy(in, isNodeTest), ids: map[string]string{}, crashes: crashes{}}
	rep := read.Text{Line: n.line, Turn: n.flush, End: n.flush, Closes: true}.Parse(in)
	if rep != nil && n.dots {
		rep.Tested, rep.Complete = true, true // nothing follows the dots
	}
	if rep != nil && !n.failing && len(rep.Findings) == 0 {
		n.fromTree(rep)
	}
	if rep != nil {
		n.tests.total.again(rep.Counts)
		rep.Counts = n.tests.total.counts
		leaveOutParents(rep, len(n.rows)-rep.Failures())
		n.tests.total.settle(rep)
	}
	return rep
}

// fromTree makes findings from the tree if the list of failures is missing, as behind "| head" or in the log of
// another runner that loaded the file. A test that contains a failed one is left out.
func (n *spec) fromTree(rep *tool.Report) {
	for i, row := range n.rows {
		inner := func(r treeRow) bool { return strings.HasPrefix(r.id, row.id+" › ") }
		if !slices.ContainsFunc(n.rows[:i], inner) {
			f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: row.id, Name: row.name, Message: "failed", RawSpan: &row.at}
			jserror.Explain(&f, row.text.Lines)
			rep.Add(f)
		}
	}
}

// treeRow is a row of the tree with a cross, and the error below it, which node up to 22 prints.
type treeRow struct {
	id    string
	name  string
	at    result.Span
	depth int
	text  jserror.Text
}

// spec reads the spec and dot reporters. While the tests run, a tree names them; below "✖ failing tests:" each failed
// test is reported again:
//
//	test at test/cart.test.js:5:3
//	✖ totals (48.7ms)
//	  AssertionError [ERR_ASSERTION]: …
//	      at TestContext.<anonymous> (/tmp/test/cart.test.js:5:31)
type spec struct {
	named   bool
	tests   nodeTests
	ids     map[string]string // full ids of failed rows of the tree, by the text of the row
	rows    []treeRow         // the failed rows, in order
	told    bool              // the next lines are the error of the last of rows
	failing bool              // below the head of the list of failures
	dots    bool              // that list is the dot reporter's
	placed  bool              // that list has places of tests
	ended   bool              // node's counts of a run are complete
	at      *result.Location  // place of the next test in the list
	text    jserror.Text

	crash   crash // crash of a file's process, printed before the file's row of the tree
	crashes crashes
	thrown  *result.Finding // the last crash, until its row is read
}

func (n *spec) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	switch {
	case !n.failing && l.Text != "" && strings.Trim(l.Text, ".X") == "":
		n.named = true // a row of the dot reporter
		return false
	case l.Text == "✖ failing tests:", l.Text == "Failed tests:" && n.named:
		n.failing, n.dots = true, l.Text[0] == 'F'
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "ℹ "):
		return n.count(s, l, l.Text[len("ℹ "):])
	case n.failing && n.over(l.Text):
		n.flush(s)
		n.failing, n.placed, n.tests.suites = false, false, nil
		return n.tree(s, l, text, 0)
	case n.failing && strings.HasPrefix(l.Text, "test at "):
		n.flush(s)
		n.placed = true
		n.at = place.LastColons(l.Text[len("test at "):])
		return true
	case n.failing && strings.HasPrefix(l.Text, "✖ "):
		n.begin(s, l)
		return true
	case n.failing && (indent >= 2 || text == "" || s.Last() != nil && indent > 0):
		n.text.Add(strings.TrimPrefix(l.Text, "  "))
		return s.More(l)
	case !n.failing:
		return n.tree(s, l, text, indent/2)
	}
	return n.trouble(s, l)
}

// tree takes a line of the tree: "▶ suite", "  ✖ test (3.1ms)".
func (n *spec) tree(s *read.Sink, l tool.Line, text string, depth int) bool {
	if n.crash.take(l) {
		f := n.crash.finding()
		n.thrown = &f
		return true
	}
	row, ok := cutNodeRow(text)
	if !ok {
		return n.below(l, text, depth) || n.trouble(s, l)
	}
	id, came := n.tests.row(s, &row, depth)
	if n.told = false; row.mark == "✖" && len(n.ids) < s.Most() {
		if n.thrown != nil && depth == 0 {
			n.crashes[row.name], n.thrown = *n.thrown, nil
		}
		n.ids[strings.Clone(row.text)] = id
		if came.Bad() {
			n.rows = append(n.rows, treeRow{id: id, name: strings.Clone(row.name), at: result.Span{Start: l.Start, End: l.End}, depth: depth})
			if n.told = true; depth > 0 && len(n.tests.suites) > 0 {
				s.Sign(l)
			}
		}
	}
	return true
}

// below takes a line of the error below a row. An empty line ends the error.
func (n *spec) below(l tool.Line, text string, depth int) bool {
	if n.told = n.told && l.Text != ""; n.told && (text == "" || depth > n.rows[len(n.rows)-1].depth) {
		row := &n.rows[len(n.rows)-1]
		row.text.Add(l.Text)
		row.at.End = max(row.at.End, l.End)
		return true
	}
	return false
}

// begin takes the head of a failed test in the list.
func (n *spec) begin(s *read.Sink, l tool.Line) {
	n.flush(s)
	row, _ := cutNodeRow(l.Text)
	if t := row.outcome(); !t.Outcome.Bad() {
		n.at = nil
		return
	}
	id := cmp.Or(n.ids[row.text], row.name)
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed", At: n.at}
	n.at = nil
	s.Find(l, f)
}

// flush completes the last finding. A test that failed only because tests inside failed has no finding.
func (n *spec) flush(s *read.Sink) {
	f := s.Last()
	lines := n.text.Lines
	n.text = jserror.Text{}
	if s.Break(); f == nil {
		return
	}
	jserror.Explain(f, lines)
	f.Detail = ""
	if inner, ok := strings.CutPrefix(f.Message, "'"); ok {
		f.Message = strings.TrimSuffix(inner, "'")
	}
	if f.Message == "test failed" {
		n.crashes.explain(f)
	}
	if strings.HasSuffix(f.Message, " subtests failed") || f.Message == "1 subtest failed" {
		s.Findings = s.Findings[:len(s.Findings)-1]
	}
}

// count reads "ℹ fail 2"; "ℹ duration_ms" is the last of these lines.
func (n *spec) count(s *read.Sink, l tool.Line, text string) bool {
	if n.ended && strings.HasPrefix(text, "tests ") { // another run begins
		n.tests.total.again(s.Counts)
		n.ended = false
	}
	if f, low := nodeUncovered(text); low && n.ended {
		n.flush(s)
		return s.Find(l, f)
	}
	n.tests.total.count(text)
	if nodeCount(s.Counts, text) && strings.HasPrefix(text, "duration_ms ") {
		s.Tested = true
		n.ended = n.tests.total.rows == n.tests.total.all+n.tests.total.counted // otherwise a test printed the line
		s.Close(l)
	}
	return true
}

// over reports whether a line is a row of the next run's tree, which ends the list of failures.
func (n *spec) over(line string) bool {
	return lex.HasAnyPrefix(line, "✔ ", "▶ ", "﹣ ") || n.placed && n.at == nil && strings.HasPrefix(line, "✖ ")
}

// trouble reads node's messages when it cannot begin.
func (n *spec) trouble(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(l.Text, "node: ")
	if !ok && strings.HasPrefix(l.Text, "Could not find ") {
		rest, ok = l.Text, true
	}
	if !ok || !n.named {
		return false
	}
	s.Find(l, result.Finding{Message: rest})
	s.Close(l)
	s.Meaning = result.MeansUsage
	return true
}
