package php

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("prove pg_prove | yath", func(p *tool.Parser) {
	p.Is("prove", result.Test, 1, "prove of Test::Harness 3, and what Test::More says of failed tests: default, verbose, quiet, merged; pgTAP's pg_prove")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test Summary Report", "Result: FAIL", "Result: PASS", "Result: NOTESTS", "Files=… wallclock secs", "#   Failed test …"}, Parse: parseProve})
})

// prove reads what the tests say of each failed test, and the report behind
// the run, which says how many failed in each file.
type prove struct {
	found  map[string]int // failed tests that were told, by file
	files  []*provedFile  // of the report behind the run
	rows   bool           // the last of them is being read
	bailed bool
	total  int
	ran    int // tests that Test::More itself counts, where no report follows
	bad    int

	skipped int              // rows of tests that were skipped, or are to be done
	file    string           // whose rows follow
	unsaid  []result.Finding // rows of tests that failed, of which nothing else may be said
	unsaidL []tool.Line
}

// provedFile is a file of the report.
type provedFile struct {
	line   tool.Line
	path   string
	failed int
	broken bool // it exited as no test does, or died
	why    []string
}

func parseProve(in *tool.Input) *tool.Report {
	p := &prove{found: map[string]int{}}
	return read.Text{Line: p.line, End: p.end, Closes: true}.Parse(in)
}

func (p *prove) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	switch {
	case failedTest(t) != "":
		p.failed(s, l, failedTest(t))
	case strings.HasPrefix(t, "# Looks like you failed "):
		p.counted(s, t)
	case p.heads(t) || p.point(s, l, t):
	case strings.HasPrefix(t, "Files="), t == "Test Summary Report", t == "All tests successful.":
		s.Break()
		s.Sign(l)
		if c := strings.Split(t, "Tests="); len(c) == 2 {
			p.total += lex.LeadingNumber(c[1]) // of several runs, perhaps
		}
	case strings.HasPrefix(t, "Result: "):
		p.result(s, l, strings.TrimPrefix(t, "Result: "))
	case strings.HasPrefix(t, "Bailout called.") || strings.HasPrefix(t, "FAILED--Further testing stopped"):
		p.bail(s, l, t)
	case strings.HasPrefix(t, "Cannot detect source of '"):
		what, _, _ := strings.Cut(strings.TrimPrefix(t, "Cannot detect source of '"), "'! at ")
		s.Misuse(l, "cannot detect source of '"+what+"'")
	case s.Last() != nil && s.Last().Kind == result.GenericFinding && strings.HasPrefix(t, "\t"):
		s.More(l)
	case s.Last() != nil && strings.HasPrefix(strings.TrimLeft(t, " "), "#"):
		p.below(s, l, t)
	case strings.Contains(t, " (Wstat: "):
		p.summary(s, l, t)
	case p.rows && l.Stream == p.files[len(p.files)-1].line.Stream && strings.HasPrefix(t, "  ") && !strings.HasPrefix(strings.TrimSpace(t), "#"):
		last := p.files[len(p.files)-1]
		last.why = append(last.why, lex.OnOneLine(strings.TrimSpace(t)))
	case perlLine(s, l):
	default:
		return p.noise(s, t)
	}
	return true
}

// failedTest gives "'sum'" of "#   Failed test 'sum'", as Perl begins a failure; Raku puts one blank.
func failedTest(t string) (name string) {
	t, comment := strings.CutPrefix(strings.TrimLeft(t, " "), "# ")
	name, failed := strings.CutPrefix(strings.TrimLeft(t, " "), "Failed test ")
	if !comment || !failed {
		return ""
	}
	return name
}

// heads takes "t/tank.t ..... ", below which -v prints the rows of a file.
func (p *prove) heads(t string) bool {
	name := strings.TrimRight(t, ".")
	if len(t)-len(name) < 2 || !strings.HasSuffix(name, " ") || strings.HasPrefix(name, "#") {
		return false
	}
	p.file = strings.Clone(strings.TrimSpace(name))
	return false
}

// point reads a row of the tests themselves, which -v prints: "not ok 3 - sum # SKIP later".
// What has no description is a test without a name. Rows of a subtest stand further in.
func (p *prove) point(s *read.Sink, l tool.Line, t string) bool {
	row := strings.TrimLeft(t, " ")
	rest, failed := strings.CutPrefix(row, "not ok ")
	if !failed {
		var ok bool
		if rest, ok = strings.CutPrefix(t, "ok "); !ok {
			return false
		}
	}
	number, name, _ := strings.Cut(rest, " ")
	if !lex.IsDigits(number) {
		return false
	}
	one := tool.Test{Outcome: tool.Passed}
	if failed {
		one.Outcome = tool.Failed
	}
	name, directive, _ := strings.Cut(" "+name, " # ")
	switch word, _, _ := strings.Cut(directive, " "); strings.ToLower(word) {
	case "skip":
		one.Outcome = tool.Skipped
		p.skipped++
	case "todo":
		one.Outcome = tool.Todo
		p.skipped++
	}
	one.ID = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(name), "- "), `\#`, "#")
	if one.Outcome == tool.Failed && one.ID != "" && len(p.unsaid) < s.Most() {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.Clone(one.ID), Message: "failed"}
		if p.file != "" {
			f.At = &result.Location{Path: p.file}
		}
		if row != t {
			f.Tags = []string{"subtest"}
		}
		p.unsaid, p.unsaidL = append(p.unsaid, f), append(p.unsaidL, l)
	}
	if row != t {
		return false
	}
	if s.Break(); one.ID == "" {
		s.Unread("a test without a name has no row")
		return true
	}
	title := one.ID
	if p.file != "" {
		one.ID = p.file + " › " + title // names are of a file
	}
	if s.Ran(one); failed {
		s.Tests.Also(one.ID, strings.Clone(title))
	}
	return true
}

// noise takes the progress of files, and plain TAP.
func (p *prove) noise(s *read.Sink, t string) bool {
	if t != "" {
		s.Break()
		p.rows = false
	}
	row := strings.TrimLeft(t, " ")
	return s.Signed || t == "" || lex.HasAnyPrefix(t, "#", "ok ", "not ok ") || p.file != "" && lex.HasAnyPrefix(row, "1..", "#", "ok ", "not ok ") ||
		strings.Contains(t, " .. ") || strings.HasSuffix(t, " ..") || strings.HasPrefix(t, "Dubious, ") || strings.Contains(t, " subtests") || strings.Contains(t, "subtests run")
}

// failed takes "#   Failed test 'sum'"; with a long name, the place follows on
// the same line: "#   Failed test at t/a.t line 3."
func (p *prove) failed(s *read.Sink, l tool.Line, name string) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed"}
	if at, ok := frame.Perl("at " + strings.TrimPrefix(name, "at ")); ok && strings.HasPrefix(name, "at ") {
		f.At, name = &at, ""
	}
	if strings.HasPrefix(name, "'") && strings.HasSuffix(name, "'") && len(name) > 1 {
		name = name[1 : len(name)-1]
	}
	if n, title, ok := strings.Cut(name, ": "); ok && lex.IsDigits(n) { // of pgTAP, which knows no place
		name = strings.Trim(title, `"`)
		if p.file != "" {
			f.At = &result.Location{Path: p.file}
		}
	}
	f.ID = name
	if strings.HasPrefix(l.Text, " ") { // of a subtest: the test that holds it follows, and is counted
		f.Tags = []string{"subtest"}
	}
	s.Find(l, f)
	p.place(&f)
}

func (p *prove) place(f *result.Finding) {
	if f.At != nil && len(f.Tags) == 0 {
		p.found[f.At.Path]++
	}
}

// below takes a comment below a failed test.
func (p *prove) below(s *read.Sink, l tool.Line, t string) {
	f, text := s.Last(), strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(t, " "), "#"))
	if f.Kind != result.TestFailure || lex.HasAnyPrefix(text, "Looks like ", "Tests were run but ", "You failed ", "You planned ") {
		s.Break()
		return
	}
	at, placed := frame.Perl(text)
	switch {
	case placed && f.At == nil:
		f.At = &at
		p.place(f)
	case lex.HasAnyPrefix(text, "got: ", "have: ", "caught: "):
		_, f.Actual, _ = strings.Cut(text, ": ")
	case lex.HasAnyPrefix(text, "expected: ", "want: ", "wanted: "):
		_, f.Expected, _ = strings.Cut(text, ": ")
	case f.Message == "failed":
		f.Message = text
	case len(f.Message) < 120 && f.Actual == "":
		f.Message += " " + text
	}
	if f.Actual != "" && f.Expected != "" && f.Message == "failed" {
		f.Message = "got " + f.Actual + ", expected " + f.Expected
	}
	s.More(l)
}

// counted takes "# Looks like you failed 2 tests of 11.".
func (p *prove) counted(s *read.Sink, t string) {
	c := strings.Fields(t)
	s.Break()
	if len(c) == 9 {
		p.bad += lex.Atoi(c[5])
		p.ran += lex.Atoi(strings.TrimSuffix(c[8], "."))
	}
}

// summary takes "t/plan.t (Wstat: 65280 (exited 255) Tests: 1 Failed: 0)".
func (p *prove) summary(s *read.Sink, l tool.Line, t string) {
	path, rest, _ := strings.Cut(t, " (Wstat: ")
	f := &provedFile{line: l, path: strings.TrimRight(path, " ")}
	if _, n, ok := strings.Cut(rest, "Failed: "); ok {
		f.failed = lex.LeadingNumber(n)
	}
	f.broken = !strings.HasPrefix(rest, "0")
	p.files, p.rows = append(p.files, f), true
	s.Count("failed", f.failed)
	s.Sign(l)
}

// end adds what the report tells and no test did: a file that died, or failed
// tests of which nothing was shown, as with -Q. One finding a file.
func (p *prove) end(s *read.Sink) {
	told := map[string]bool{}
	for i := range s.Findings {
		told[s.Findings[i].ID] = true
	}
	for i, f := range p.unsaid {
		if !told[f.ID] {
			s.Find(p.unsaidL[i], f)
			p.place(&f)
		}
	}
	for _, f := range p.files {
		why := strings.Join(f.why, "; ")
		if f.failed <= p.found[f.path] && (f.failed > 0 || !f.broken) {
			i := strings.Index(why, "Parse errors: ") // of the file, which no test says
			if i < 0 {
				continue
			}
			why = why[i:]
		}
		why = cmp.Or(why, "failed")
		s.Find(f.line, result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, ID: f.path, Message: why, At: &result.Location{Path: f.path},
		})
	}
	if !s.Closed() && p.ran > 0 { // a test that was run by itself
		s.EndHere()
		s.Counts["failed"], s.Counts["passed"], s.Tested = p.bad, max(p.ran-p.bad, 0), true
		s.Claim(p.bad)
	}
}

func (p *prove) bail(s *read.Sink, l tool.Line, t string) {
	if p.bailed {
		return
	}
	p.bailed = true
	s.Find(l, result.Finding{Kind: result.GenericFinding, Message: lex.OnOneLine(t)})
	s.Meaning = result.MeansInterrupted
	s.Break()
}

func (p *prove) result(s *read.Sink, l tool.Line, word string) {
	s.Close(l)
	s.Counts["passed"] = max(p.total-s.Counts["failed"]-p.skipped, 0)
	if p.skipped > 0 {
		s.Counts["skipped"] = p.skipped
	}
	s.Tested, s.NoTests = p.total > 0, strings.HasPrefix(word, "NOTESTS")
	if strings.HasPrefix(word, "PASS") {
		s.Claim(0)
	}
}
