package c

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("cmocka", result.Test, 2, "cmocka 1.1 and 2.0, C: standard output; the reasons are on the other stream; subunit version 1, of Check too")
	p.Reads(tool.Format{Name: "text", Starts: []string{"[==========] …test(s)"}, Parse: read.Fresh(func(m *cmocka) read.Text { return read.Text{Line: m.line, End: m.end, Closes: true} })})
	p.Reads(tool.Format{Name: "subunit", Starts: []string{"success: ", "failure: … [", "error: … ["}, Parse: parseSubunitText})
})

// cmocka reads the rows of tests, and the list of failed tests at the end. It gives these tests the reasons, which
// are printed in the order of the failures.
type cmocka struct {
	reasons []cmockaReason
	setup   *cmockaReason // why the next test could not run
	running tool.Line     // "[ RUN      ] adds", until the test has ended
	test    string
	before  int            // number of reasons when the test began
	marked  []cmockaFailed // failed tests of the program, by their rows
	listed  bool           // the program's list of failed tests follows
	passed  int
	open    bool // the line above is a reason, which may continue
	closed  bool // the program has printed how many tests it ran
}

type cmockaReason struct {
	text string
	at   *result.Location
}

// place reads "t.c:10: error: Failure!", which may be followed by the failure of a set-up or tear-down.
func (r *cmockaReason) place(text string) {
	at, rest, ok := place.Cut(text)
	if ok {
		r.at = &at
	}
	if rest = strings.TrimPrefix(rest, "error: Failure!"); ok && rest != "" {
		r.text = strings.TrimPrefix(r.text+"; "+rest, "; ")
	}
}

type cmockaFailed struct {
	test string
	row  tool.Line
	why  *cmockaReason // nil unless both streams are one
}

func (m *cmocka) line(s *read.Sink, l tool.Line) bool {
	mark, rest, ok := cutMark(l.Text)
	message := strings.TrimPrefix(rest, "--- ")
	m.open = m.open && !ok
	switch {
	case strings.HasPrefix(l.Text, "Could not run test: "):
		m.setup = &cmockaReason{text: strings.TrimPrefix(l.Text, "Could not run test: ")}
		if _, placed, ok := strings.Cut(m.setup.text, "--- "); ok {
			m.setup.text = ""
			m.setup.place(placed)
		}
	case !ok:
		return m.goesOn(l.Text) || strings.HasSuffix(l.Text, " FAILED TEST(S)")
	case mark == "FAILED" && strings.HasPrefix(rest, "GROUP "): // SETUP or TEARDOWN; the next row has the name of the group
		m.setup = &cmockaReason{text: "the group's " + strings.ToLower(rest[len("GROUP "):]) + " failed"}
	case mark == "RUN":
		m.test, m.running, m.before = strings.Clone(rest), l, len(m.reasons)
	case mark == "ERROR" && m.setup != nil: // the row has the name of the test
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: rest, At: m.setup.at, Message: m.setup.text})
		s.Break()
		s.Count("error", 1)
		s.Claim(1)
		m.setup, m.test = nil, ""
	case mark == "==========" && strings.HasPrefix(rest, "Running "):
		m.over(s) // the program above has ended
	case mark == "==========" && strings.HasSuffix(rest, "run."):
		m.test, m.closed = "", true
		s.Ended(l)
	case mark == "ERROR" && message != rest:
		_, placed, _ := strings.Cut(message, "[   LINE   ] --- ") // without a reason, the place is in the same line
		m.reasons = append(m.reasons, cmockaReason{text: strings.TrimSuffix(message, "[   LINE   ] --- "+placed)})
		m.reasons[len(m.reasons)-1].place(placed)
		m.open = true
	case mark == "LINE" && m.setup != nil && m.setup.at == nil:
		m.setup.place(message)
	case mark == "LINE" && len(m.reasons) > 0:
		m.reasons[len(m.reasons)-1].place(message)
	case mark == "PASSED":
		s.Count("passed", lex.LeadingNumber(rest))
	case strings.HasSuffix(rest, "listed below:"):
		if n := lex.LeadingNumber(rest); mark == "FAILED" {
			s.Fails(n)
			m.listed = true
		} else {
			s.Count("skipped", n)
		}
	case m.listed && mark == "FAILED":
		m.fail(s, l, strings.TrimPrefix(rest, "tests: "))
	case rest == m.test && rest != "":
		m.ended(s, l, mark, rest)
	}
	return true
}

// goesOn takes a further line of a reason; the place is in a later line.
func (m *cmocka) goesOn(text string) bool {
	if m.open = m.open && text != "" && len(m.reasons) > 0; m.open {
		r := &m.reasons[len(m.reasons)-1]
		r.text = lex.Clip(r.text + " " + strings.TrimSpace(text))
	}
	return m.open
}

// ended takes the row with which a test ends.
func (m *cmocka) ended(s *read.Sink, l tool.Line, mark, test string) {
	switch mark {
	case "OK":
		m.passed++
		s.Ran(tool.Test{ID: test, Outcome: tool.Passed})
	case "SKIPPED":
		s.Ran(tool.Test{ID: test, Outcome: tool.Skipped})
	case "FAILED":
		f := cmockaFailed{test: m.test, row: l}
		if m.before < len(m.reasons) {
			why := m.reasons[m.before]
			f.why, m.reasons = &why, m.reasons[:m.before]
		}
		m.marked = append(m.marked, f)
	}
	m.test = ""
}

func (m *cmocka) fail(s *read.Sink, l tool.Line, test string) {
	r := cmockaReason{text: "failed"}
	if i := slices.IndexFunc(m.marked, func(f cmockaFailed) bool { return f.test == test && f.why != nil }); i >= 0 {
		r = *m.marked[i].why
	} else if len(m.reasons) > 0 {
		r, m.reasons = m.reasons[0], m.reasons[1:]
	}
	fail(s, l, test, r.at, r.text)
	s.Break()
}

// over completes the report of one program. If it ended during its tests, their rows replace the missing list.
func (m *cmocka) over(s *read.Sink) {
	if !m.listed && !m.closed {
		for _, f := range m.marked {
			f.row.Text = ""
			m.fail(s, f.row, f.test)
		}
		s.Count("failed", len(m.marked))
		s.Count("passed", m.passed)
		s.Claim(len(m.marked))
	}
	if m.test != "" {
		s.Find(m.running, result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: m.test, Message: "the program ended while this test ran"})
		s.Break()
		s.Counted(tool.Test{ID: m.test, Outcome: tool.Errored})
	}
	m.test, m.marked, m.passed, m.listed, m.closed = "", nil, 0, false, false
}

func (m *cmocka) end(s *read.Sink) {
	m.over(s)
	filled(s)
}
