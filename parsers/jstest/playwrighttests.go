package jstest

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// playwrightTests reads the rows of the list reporter, one for each attempt:
//
//	✘  2 [web] › t/cart.spec.js:4:3 › cart › totals (87ms)
//	✓  3 [web] › t/cart.spec.js:4:3 › cart › totals (retry #1) (52ms)
//	-  4 [web] › t/cart.spec.js:9:3 › cart › ships
//
// The mark is the outcome of the attempt; the outcome of the test is in the lists at the end. A test that should fail
// has a cross if it passes. A dash is for a test that was skipped, or that did not run because another one failed.
type playwrightTests struct {
	other  bool // the command names another reporter, which prints no rows
	rows   []playwrightRow
	at     map[string]int // index of each test in rows, by its id
	failed []string       // ids of tests below "2 failed"
	flaky  []string       // ids of tests below "1 flaky"
}

type playwrightRow struct {
	test    tool.Test
	line    tool.Line // of the last attempt, without its text
	retried bool
	halted  bool // a test before it in its file failed
}

// row takes a row, and reports whether the line is one.
func (p *playwrightTests) row(l tool.Line, text string) bool {
	mark, rest, _ := strings.Cut(text, " ")
	outcome := playwrightMarks[mark]
	if outcome == "" || !strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(l.Text, "   ") {
		return false
	}
	number, title, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if !lex.IsDigits(number) || !strings.Contains(title, titleJoint) {
		return false
	}
	title, ms := cutTook(title)
	retry := strings.LastIndex(title, " (retry #")
	if retry > 0 && strings.HasSuffix(title, ")") {
		title = title[:retry]
	}
	at := playwrightPlace(title)
	if at == nil {
		return false
	}
	id := playwrightTitle(title)
	i, known := p.at[id]
	if !known {
		if i = len(p.rows); p.at == nil {
			p.at = map[string]int{}
		}
		id = strings.Clone(id)
		p.at[id] = i
		file := id[:strings.Index(id, at.Path)+len(at.Path)]
		halted := outcome == tool.Skipped && i > 0 && strings.HasPrefix(p.rows[i-1].test.ID, file) && (p.rows[i-1].halted || p.rows[i-1].test.Outcome == tool.Failed)
		p.rows = append(p.rows, playwrightRow{test: tool.Test{ID: id, Outcome: outcome, At: at.Path + ":" + strconv.Itoa(at.Line)}, halted: halted})
	}
	row := &p.rows[i]
	row.line, row.line.Text = l, ""
	row.retried = row.retried || retry > 0
	row.test.Outcome = outcome
	row.test.DurationMS += ms
	return true
}

// cut adds findings for the tests that failed in a run that ended before its list of failures. A test that was
// expected to fail cannot be told apart: it has the same mark.
func (p *playwrightTests) cut(s *read.Sink) {
	for _, row := range p.rows {
		if row.test.Outcome == tool.Failed {
			s.Doubt = "the run ended before its summary"
			at, _, _ := place.Cut(row.test.At + ": ")
			titles := strings.Split(row.test.ID, titleJoint)
			s.Find(row.line, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: row.test.ID, Name: titles[len(titles)-1], Message: "failed", At: &at})
		}
	}
}

// playwrightMarks maps the marks of an attempt to its outcome. On Windows they are words.
var playwrightMarks = map[string]read.Outcome{
	"✓": tool.Passed, "ok": tool.Passed, "✘": tool.Failed, "x": tool.Failed, "-": tool.Skipped,
}

// counted takes a row below a count. Such a row names a test without the step that failed.
func (p *playwrightTests) counted(s *read.Sink, list, text string) {
	switch id := strings.Clone(playwrightTitle(text)); {
	case len(p.failed)+len(p.flaky) >= s.Most():
	case list == "failed":
		p.failed = append(p.failed, id)
	case list == "flaky":
		p.flaky = append(p.flaky, id)
	}
}

// settle records all tests with their outcomes.
func (p *playwrightTests) settle(s *read.Sink) {
	for _, of := range [...]struct {
		ids  []string
		came read.Outcome
	}{{p.flaky, tool.Flaky}, {p.failed, tool.Failed}} {
		for _, id := range of.ids {
			if i, known := p.at[id]; known {
				p.rows[i].test.Outcome, p.rows[i].halted = of.came, false
			} else {
				p.rows = append(p.rows, playwrightRow{test: tool.Test{ID: id, Outcome: of.came}})
			}
		}
	}
	p.withoutPrinted(s)
	said := len(p.failed) == s.Counts["failed"] && s.Tested
	p.unrun(s)
	for i := range p.rows {
		t := p.rows[i].test
		if t.Outcome == tool.Failed && said && !slices.Contains(p.failed, t.ID) { // the test was expected to fail
			t.Outcome = tool.Passed
		}
		s.Ran(t)
	}
	for i := range s.Findings {
		id := s.Findings[i].ID
		for _, failed := range p.failed {
			if strings.HasPrefix(id, failed+titleJoint) { // the step that failed
				s.Tests.Also(failed, id)
			}
		}
	}
}

// withoutPrinted drops the rows without a project, if others have one and there are more rows than playwright counts:
// a test printed them.
func (p *playwrightTests) withoutPrinted(s *read.Sink) {
	counted := 0
	for _, key := range [...]string{"passed", "failed", "flaky", "skipped", "did_not_run"} {
		counted += s.Counts[key]
	}
	bare := func(r playwrightRow) bool { return !strings.HasPrefix(r.test.ID, "[") }
	if len(p.rows) > counted && counted > 0 && !slices.ContainsFunc(p.failed, func(id string) bool { return !strings.HasPrefix(id, "[") }) {
		if some := slices.DeleteFunc(slices.Clone(p.rows), bare); len(some) > 0 {
			p.rows = some
		}
	}
}

// unrun marks the tests with a dash that did not run. It takes the first of these sets that has as many tests as
// playwright counts: the retried tests; those and all behind a failed test of their file; all tests with a dash.
func (p *playwrightTests) unrun(s *read.Sink) {
	n := s.Counts["did_not_run"]
	if n == 0 {
		return
	}
	for _, is := range [...]func(r *playwrightRow) bool{
		func(r *playwrightRow) bool { return r.retried },
		func(r *playwrightRow) bool { return r.halted || r.retried },
		func(r *playwrightRow) bool { return true },
	} {
		var all []*playwrightRow
		for i := range p.rows {
			if r := &p.rows[i]; r.test.Outcome == tool.Skipped && is(r) {
				all = append(all, r)
			}
		}
		if len(all) == n {
			for _, r := range all {
				r.test.Outcome = tool.NotRun
			}
			return
		}
	}
}
