package jstest

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mocha _mocha", func(p *tool.Parser) {
	p.Is("mocha", result.Test, 2, "mocha 8 to 12: spec and all reporters with its list of failures, json, json-stream, tap")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "-g", Spell: read.FullName, Again: mochaAgain}
	p.Files = []tool.Files{{Argument: mochaReport, Variables: []string{"MOCHA_FILE"}, Shared: true}}
	p.JUnit = mochaReports
	p.Reads(tool.Format{Name: "json", Parse: mochaJSON})
	p.Reads(tool.Format{Name: "stream", Starts: []string{`["fail",{"title":`}, Parse: mochaStream})
	p.Reads(tool.Format{Name: "tap", Parse: notNodes(read.Fitted(tap.Tests, mochaTAP))})
	p.Reads(tool.Format{Name: "text", Prints: mochaPrints, Starts: mochaStarts, Named: true, Sniff: isPassing, Parse: mochaText})
	p.Reads(tool.Format{Name: "unended", Parse: read.Unended{
		Ends: func(text string) bool {
			return isPassing(text) || tap.IsLine(text) || lex.HasAnyPrefix(strings.TrimSpace(text), "✔ ", "✓ ", "√ ", "<?", "<testsuite", "{", "[")
		},
		Failed: mochaFailed,
	}.Parse})
}, tool.WritesFiles)

// mochaStarts are the beginnings of "12 passing (34ms)".
var mochaStarts = []string{"0… passing (", "1… passing (", "2… passing (", "3… passing (", "4… passing (", "5… passing (", "6… passing (", "7… passing (", "8… passing (", "9… passing ("}

// mochaPrints leaves out the titles of suites, which are indented.
func mochaPrints(l tool.Line, after bool) bool { return after || !strings.HasPrefix(l.Text, "  ") }

func mochaText(in *tool.Input) *tool.Report {
	reporter := reporterOf(in.Command().Argv)
	m := &mocha{uncounted: lex.IsOneOf(reporter, "doc json markdown xunit")}
	m.tests.under(reporter)
	for l := range in.LentLines() {
		if isPassing(l.Text) {
			m.left++
		}
	}
	rep := read.Text{Line: m.line, Turn: m.flush, End: m.end, Closes: true}.Parse(in)
	if rep != nil && rep.Meaning != "" {
		rep.Complete = true
	}
	return rep
}

// mocha reads the counts, and the numbered list of failures below them. A title in the list has a line for each
// suite:
//
//	3 passing (439ms)
//	1 failing
//
//	1) cart
//	     inner group
//	       is nested:
//	   RangeError: no item 7
//	    at find (src/cart.js:2:84)
type mocha struct {
	listed bool     // the counts were read
	closed int      // how often the counts were read
	left   int      // how often counts are still to come
	failed int      // number of failures in the last counts
	stack  bool     // the last line of the open failure that is not empty is a frame
	blanks int      // number of empty lines after that line
	title  []string // the lines of the title that is being read
	ended  bool     // the last of these ends with a colon
	head   tool.Line
	block
	next int // the number of the next failure
	rows []mochaRow
	tree bool // the tree has a test that passed
	cut  bool // the output begins within the list

	uncounted bool // the reporter prints no counts: such lines are a test's output
	printed   bool // the output of such a reporter was seen: the tests ran

	tests mochaTests
	crash crash // the error that ended the run before a test began
}

// mochaRow is a failed test in the tree.
type mochaRow struct {
	at    tool.Line
	title string
}

// end adds the failures of a run that ended before its list, as by a call of process.exit. With --fail-zero, a run
// without tests is a failure.
func (m *mocha) end(s *read.Sink) {
	m.flush(s)
	m.tests.settle(s)
	if m.cut && len(s.Findings) > 0 { // the last number tells how many there were
		s.Fails(m.next - 1)
	}
	if m.listed && s.NoTests && len(s.Findings) == 0 && slices.Contains(s.In.Command().Argv, "--fail-zero") {
		s.Find(m.head, result.Finding{Kind: result.GenericFinding, Message: "0 passing"})
	}
	if m.crash.open && !m.listed && len(s.Findings) == 0 && !(m.printed && m.crash.first.Stream == tool.Stderr) {
		f := m.crash.finding()
		f.Kind = result.Diagnostic
		s.Find(m.crash.first, f)
		if last := s.Last(); last != nil {
			jestTypes(s, last, m.crash.text.Lines) // type errors, from ts-node
		}
		s.Meaning = result.MeansCrashed
	}
	if m.closed > 1 && len(m.rows) > 0 && s.Counts["failed"] == 0 {
		s.Doubt = cmp.Or(s.Doubt, "there are rows of tests that failed, several counts, and no failure in them")
	}
	if m.listed || !m.tree || !isNamed(s.In, "mocha") {
		return
	}
	for _, row := range m.rows {
		row.at.Text = ""
		m.tests.unlisted(s, row.title)
		s.Find(row.at, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: row.title, Name: row.title, Message: "failed"})
	}
}

func (m *mocha) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	m.printed = m.printed || m.uncounted && lex.HasAnyPrefix(text, "<section ", "# TOC", "<testsuite ")
	if m.ended && !m.isTitle(l.Text) && !(m.cut && text != "" && !strings.HasPrefix(l.Text, "     ")) {
		m.entitle(s)
	}
	switch over := m.over(l.Text, text); {
	case over && m.left > 0:
		m.again(s)
	case over && m.open:
		m.flush(s)
	}
	switch {
	case m.counts(s, l, text):
		return true
	case (m.listed || m.joins(s, l.Text, text)) && m.begins(l.Text, text):
		m.flush(s)
		m.next++
		_, title, _ := strings.Cut(text, ") ")
		m.head = l
		m.addTitle(s, l, title)
		return true
	case m.cut && len(m.title) > 0 && !m.isTitle(l.Text): // it was a row of the tree
		m.rows = append(m.rows, mochaRow{m.head, m.title[0]})
		m.listed, m.cut, m.ended, m.title = false, false, false, nil
		return m.line(s, l)
	case len(m.title) > 0:
		m.addTitle(s, l, text)
		return true
	case m.open && isManager(l.Text):
		m.flush(s)
		return false
	case m.open:
		if m.blanks++; text != "" {
			m.blanks, m.stack = 0, strings.HasPrefix(text, "at ")
		}
		m.text.Add(l.Text)
		return s.More(l)
	case !m.listed && (m.tests.line(s, l.Text, text) || isMochaRow(l.Text, text)):
		if number, title, ok := strings.Cut(text, ") "); ok && lex.IsDigits(number) && len(m.rows) < s.Most() {
			m.rows = append(m.rows, mochaRow{l, strings.Clone(title)})
		} else {
			m.tree = true
		}
		return true
	}
	return m.trouble(s, l, text)
}

// isMochaRow reports whether a line is a row of the tree that spec prints, which the list repeats: "  ✔ adds",
// "    2) fails".
func isMochaRow(line, text string) bool {
	number, _, ok := strings.Cut(text, ") ")
	return strings.HasPrefix(line, "  ") && (lex.HasAnyPrefix(text, "✔ ", "✓ ", "√ ") || ok && lex.IsDigits(number))
}

// begins reports whether a line begins the next failure of the list: "  2) cart".
func (m *mocha) begins(line, text string) bool {
	number, _, ok := strings.Cut(text, ") ")
	return ok && lex.IsDigits(number) && len(number) < 7 && lex.Atoi(number) == m.next && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "      ")
}

// joins reports whether the output begins within the list, as behind "| tail", and the line begins a failure there.
// The list then goes on to the end.
func (m *mocha) joins(s *read.Sink, line, text string) bool {
	number, _, ok := strings.Cut(text, ") ")
	if !ok || !lex.IsDigits(number) || len(number) > 6 || number == "0" || m.tree || len(m.rows)+len(s.Findings) > 0 ||
		!strings.HasPrefix(line, "  "+number) || !isNamed(s.In, "mocha", "_mocha") {
		return false
	}
	m.listed, m.cut, m.next = true, true, lex.Atoi(number)
	return true
}

// isTitle reports whether a line continues a title, by its indent: seven blanks in the second line, two more in each
// further line. The error below has five, or follows an empty line.
func (m *mocha) isTitle(line string) bool {
	indent := 5 + 2*len(m.title)
	return len(line) > indent && line[indent] != ' ' && strings.TrimLeft(line[:indent], " ") == ""
}

// addTitle takes a line of a title. The last line ends with a colon, as the name of a suite may, too.
func (m *mocha) addTitle(s *read.Sink, l tool.Line, text string) {
	m.title, m.head.End = append(m.title, strings.Clone(text)), l.End
	if m.ended = strings.HasSuffix(text, ":"); !m.ended && (len(m.title) == 20 || text == "") {
		m.entitle(s)
	}
}

// entitle makes a finding of the title that was read.
func (m *mocha) entitle(s *read.Sink) {
	last := len(m.title) - 1
	m.title[last] = strings.TrimSuffix(m.title[last], ":")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSpace(strings.Join(m.title, " ")), Message: "failed", Suite: m.title[:last]}
	s.Find(m.head, f)
	s.Ran(tool.Test{ID: f.ID, Outcome: tool.Failed})
	m.title, m.ended, m.open = nil, false, true
}

func (m *mocha) flush(s *read.Sink) {
	if m.ended {
		m.entitle(s)
	}
	m.ended, m.title = false, nil
	if f, lines := m.block.end(s); f != nil {
		mochaExplain(f, lines)
		f.Detail = ""
	}
}

// counts reads "  3 passing (439ms)", "  2 pending", "  8 failing".
func (m *mocha) counts(s *read.Sink, l tool.Line, text string) bool {
	number, word, ok := strings.Cut(text, " ")
	if !ok || !lex.IsDigits(number) || len(number) > 8 || m.open || m.uncounted {
		return false
	}
	n := lex.Atoi(number)
	switch {
	case strings.HasPrefix(word, "passing (") && strings.HasSuffix(word, ")"):
		s.Count("passed", n)
		s.Tested = true
		if m.cut { // the lines so far were rows of the tree
			s.Findings, m.cut, m.title = nil, false, nil
		}
		m.listed, m.next, m.failed = true, 1, 0
		m.closed, m.left = m.closed+1, m.left-1
		s.Close(l)
		s.NoTests, m.head = n == 0, l
	case word == "pending" && m.listed:
		s.Count("skipped", n)
		s.NoTests = false
	case word == "failing" && m.listed:
		s.Fails(n)
		s.NoTests, m.failed = false, n
	default:
		return false
	}
	return s.Cover(l)
}

// over reports whether all failures of the list were read and the line is not one of the counts.
func (m *mocha) over(line, text string) bool {
	if !m.listed || m.cut || m.next <= m.failed || len(m.title) > 0 {
		return false
	}
	if m.open { // a message may have lines of any form, but its stack is the last of it; pnpm prints "Failed" after that
		return m.blanks > 0 && m.stack && text != "" && text != "Failed" && (line[0] != ' ' || m.blanks > 1 && !strings.HasPrefix(line, "    "))
	}
	number, word, _ := strings.Cut(text, " ")
	return !lex.IsDigits(number) || word != "pending" && word != "failing"
}

// again prepares for the next run in the same output.
func (m *mocha) again(s *read.Sink) {
	m.flush(s)
	m.tests.settle(s)
	m.tests = mochaTests{other: m.tests.other, list: m.tests.list}
	if m.listed = false; m.failed > 0 {
		m.rows = nil
	}
}
