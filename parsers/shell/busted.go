package shell

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("busted", func(p *tool.Parser) {
	p.Is("busted", result.Test, 1, "busted 2: utfTerminal, plainTerminal, gtest; its JUnit")
	p.Filter = tool.Filter{Flag: "--filter"}
	p.JUnit = &tool.Dialect{
		Suite: func(tag *tool.SuiteTag) bool { return !tag.All && strings.HasPrefix(tag.Name, "Run 1 of ") },
		ID:    func(n *tool.CaseNames) (id string, suites []string) { return n.Name, nil },
	}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failure -> ….lua @ ", "Failure → ….lua @ ", "Error -> ….lua", "Error → ….lua"}, Named: true,
		Parse: read.Fresh(func(b *busted) read.Text { return read.Text{Line: b.line, Closes: true} })})
	p.Reads(tool.Format{Name: "unended", Parse: read.Unended{
		Ends: func(text string) bool {
			return strings.Contains(text, " pending : ") || tap.IsLine(text) || strings.HasPrefix(text, "[")
		},
		Failed: bustedFailed,
	}.Parse})
	p.Reads(tool.Format{Name: "gtest", Starts: []string{"[==========] Running tests from scanned files.", "[ RUN      ] ….lua @ "}, Named: true,
		Parse: read.Fresh(func(g *bustedGtest) read.Text { return read.Text{Line: g.line, End: g.end, Closes: true} })})
})

// bustedFailed counts the failures in a row of marks, or in a line of the handler TAP.
func bustedFailed(text string) int {
	if strings.HasPrefix(text, "not ok ") {
		return 1
	}
	return read.Marks("+-*.●◼✱◌", "-*◼✱")(text)
}

// busted reads the output handlers for a terminal.
type busted struct{ pending bool } // the next line names a pending test

// line reads the counts, and below them each failure:
//
//	Failure -> spec/a_spec.lua @ 2
//	ledger adds
//	spec/a_spec.lua:2: Expected objects to be equal.
func (b *busted) line(s *read.Sink, l tool.Line) bool {
	t := l.Text
	if b.pending {
		b.pending = false
		s.Ran(tool.Test{ID: strings.Clone(t), Outcome: tool.Skipped})
		return true
	}
	c := read.Counts(t)
	if strings.Contains(t, " / ") && strings.Contains(t, " pending : ") {
		failed, broken := c["failure"]+c["failures"], c["error"]+c["errors"]
		s.Total(failed+broken, map[string]int{"passed": c["success"] + c["successes"], "failed": failed, "error": broken, "skipped": c["pending"]})
		s.Tested = c["success"]+c["successes"]+failed+broken > 0
		return s.Close(l)
	}
	t = strings.Replace(t, " → ", " -> ", 1)
	word, rest, ok := strings.Cut(t, " -> ")
	switch {
	case ok && (word == "Failure" || word == "Error"):
		return s.Find(l, bustedHead(word, rest))
	case ok && word == "Pending":
		b.pending = true
		return s.Break()
	case strings.HasPrefix(t, "busted: error: "):
		s.Misuse(l, strings.TrimPrefix(t, "busted: error: "))
		s.EndHere()
		return true
	case s.Last() != nil:
		bustedBelow(s.Last(), t)
		return s.More(l)
	}
	return s.Closed()
}

func bustedHead(word, rest string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(word == "Error")}
	if path, line, ok := strings.Cut(rest, " @ "); ok {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		return f
	}
	if f.Message = rest; strings.Contains(rest, ".lua:") { // the error is in loading a file
		if at, message, ok := place.Cut(rest); ok {
			f.ID, f.At, f.Message = at.Path, &at, message
		}
	}
	return f
}

// bustedBelow reads a line below a failure's head: the test's name, then its message, then the values.
func bustedBelow(f *result.Finding, t string) {
	switch {
	case t == "" || strings.HasPrefix(t, "Random seed: ") || f.ID != "" && f.Message != "" && f.Detail == "":
	case f.ID == "" && f.Message == "":
		f.ID = t
	case f.Message == "":
		if f.Message = t; f.At != nil {
			if at, message, ok := place.Cut(t); ok {
				f.At, f.Message = &at, message
			}
		}
	case strings.HasSuffix(f.Detail, "Passed in:") && f.Actual == "":
		f.Actual = t
	case strings.HasSuffix(f.Detail, "Expected:") && f.Expected == "":
		f.Expected = t
	}
}

// bustedGtest reads busted's output handler gtest, whose marks are GoogleTest's:
//
//	[ RUN      ] spec/a_spec.lua @ 4: calc subtracts
//	spec/a_spec.lua:4: Expected objects to be equal.
//	[  FAILED  ] spec/a_spec.lua @ 4: calc subtracts (0.07 ms)
//	[  PASSED  ] 4 tests.
//	[  ERROR   ] 1 error, listed below:
//	[  ERROR   ] spec/a_spec.lua @ 13: calc broken setup
//
// An error outside of tests (in a set-up, or in loading a file) stands between the tests as a line with its place.
// Only the list at the end gives its name.
type bustedGtest struct {
	running string // the running test, as its "[ RUN" line names it, or ""
	start   tool.Line
	text    []tool.Line
	outside []tool.Line // errors outside of tests
	listed  bool
}

// maxBustedLines bounds the lines kept of one test's output, and the errors kept outside of tests.
const maxBustedLines = 200

func (g *bustedGtest) line(s *read.Sink, l tool.Line) bool {
	mark, rest, ok := cutBustedMark(l.Text)
	switch {
	case !ok && g.running != "":
		lex.Keep(&g.text, maxBustedLines, kept(l))
		return true
	case !ok:
		at, _, placed := place.Cut(l.Text)
		if placed && !g.listed && strings.HasSuffix(at.Path, ".lua") && len(g.outside) < maxBustedLines {
			g.outside = append(g.outside, kept(l))
		}
		return placed
	case mark == "RUN":
		g.running, g.start, g.text = strings.Clone(rest), kept(l), nil
		return s.Sign(l)
	case g.running != "":
		return g.ended(s, l, mark, rest)
	case mark == "PASSED":
		s.Count("passed", lex.LeadingNumber(rest))
		s.Tested = s.Tested || lex.LeadingNumber(rest) > 0
		return s.Close(l)
	case strings.HasSuffix(rest, ", listed below:"):
		g.listed = true
		s.Score(string(bustedMarks[mark]), lex.LeadingNumber(rest))
		s.Tested = true
		return true
	case g.listed && mark == "ERROR":
		g.named(s, l, rest)
	}
	return true
}

var bustedMarks = map[string]read.Outcome{"OK": tool.Passed, "SKIPPED": tool.Skipped, "FAILED": tool.Failed, "ERROR": tool.Errored}

// cutBustedMark splits "[  FAILED  ] text" into mark and text.
func cutBustedMark(line string) (mark, rest string, ok bool) {
	if len(line) < 13 || line[0] != '[' || line[11:13] != "] " {
		return "", "", false
	}
	return strings.TrimSpace(line[1:11]), line[13:], true
}

// kept returns a line with a text of its own: the reader reuses the memory of l.Text for the next line.
func kept(l tool.Line) tool.Line {
	l.Text = strings.Clone(l.Text)
	return l
}

// ended reads the line that ends the running test. If the line has another name, it is output of the test.
func (g *bustedGtest) ended(s *read.Sink, l tool.Line, mark, rest string) bool {
	took, ours := strings.CutPrefix(rest, g.running+" (")
	came := bustedMarks[mark]
	if !ours || came == "" || !strings.HasSuffix(took, " ms)") {
		g.text = append(g.text, kept(l))
		return true
	}
	spot, name, _ := strings.Cut(g.running, ": ")
	t := tool.Test{ID: name, Outcome: came}
	t.DurationMS, _ = lex.Millis(strings.TrimSuffix(took, ")"))
	s.Ran(t)
	if came.Bad() {
		g.find(s, g.start, spot, name, came)
		s.Reach(l)
		s.Break()
	}
	g.running, g.text = "", nil
	return s.Sign(l)
}

func (g *bustedGtest) find(s *read.Sink, l tool.Line, spot, name string, came read.Outcome) {
	word := "Failure"
	if came == tool.Errored {
		word = "Error"
	}
	f := bustedHead(word, spot)
	f.ID = name
	s.Find(l, f)
	for _, below := range g.text {
		if f := s.Last(); f != nil {
			bustedBelow(f, below.Text)
		}
		s.More(below)
	}
}

// named reads a line of the list of errors, and adds the error outside of tests that has the same place.
func (g *bustedGtest) named(s *read.Sink, l tool.Line, rest string) {
	spot, name, _ := strings.Cut(rest, ": ")
	for i, line := range g.outside {
		at, _, _ := place.Cut(line.Text)
		if bustedHead("Error", spot).At == nil || *bustedHead("Error", spot).At != (result.Location{Path: at.Path, Line: at.Line}) {
			continue
		}
		g.outside = append(g.outside[:i:i], g.outside[i+1:]...)
		s.Ran(tool.Test{ID: strings.Clone(name), Outcome: tool.Errored})
		g.text = []tool.Line{line}
		g.find(s, line, spot, strings.Clone(name), tool.Errored)
		s.Break()
		g.text = nil
		return
	}
}

// end adds the test that ended the program, and the errors that the list did not name.
func (g *bustedGtest) end(s *read.Sink) {
	if g.running != "" {
		_, name, _ := strings.Cut(g.running, ": ")
		s.Ran(tool.Test{ID: name, Outcome: tool.Errored})
		g.text = append([]tool.Line{{Text: "the program ended while this test ran"}}, g.text...)
		g.find(s, g.start, g.running[:len(g.running)-len(name)], name, tool.Errored)
	}
	for _, l := range g.outside {
		f := bustedHead("Error", l.Text)
		s.Find(l, f)
		s.Break()
	}
}
