package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("prove pg_prove | yath", func(p *tool.Parser) {
	p.Is("prove", result.Test, 1, "prove of Test::Harness 3, and what Test::More says of failed tests: default, verbose, quiet, merged; pgTAP's pg_prove")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test Summary Report", "Result: FAIL", "Result: PASS", "Result: NOTESTS", "Files=… wallclock secs", "#   Failed test …"},
		Parse: read.Fresh(func(p *prove) read.Text { return read.Text{Line: p.line, End: p.end, Closes: true} })})
})

// prove reads the comments that tests print about their failures, and the report after the run, which counts the
// failures in each file.
type prove struct {
	numbered bool           // the last column of the table has lines of the test
	found    map[string]int // the number of failed tests read, by file
	files    []*provedFile  // the files in the report after the run
	rows     bool           // the lines of the last file are being read
	bailed   bool
	total    int
	ran      int // the number of tests by Test::More's own count, for a test without prove's report
	bad      int // the number of failed tests among them

	skipped int           // the number of rows of tests that were skipped or are to be done
	file    string        // the file whose rows follow
	unsaid  []unsaid      // the rows of failed tests, which may have no comment
	ended   []*provedFile // files that ended badly, for a run that was stopped before its report
}

// proveEscapes undoes what Test2 does to names in rows.
var proveEscapes = strings.NewReplacer(`\\`, `\`, `\#`, "#")

// unsaid is the row of a failed test or subtest.
type unsaid struct {
	line       tool.Line
	name, file string
	tags       []string
}

// provedFile is a file in the report.
type provedFile struct {
	line   tool.Line
	path   string
	failed int
	broken bool // the file's exit status was not 0
	why    []string
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
			p.total += lex.LeadingNumber(c[1]) // the output may hold several runs
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
	case strings.HasPrefix(t, "psql:"): // a script of pgTAP
		at, message, ok := place.Cut(t[len("psql:"):])
		return ok && s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(message, "ERROR:  "), At: &at})
	case strings.Contains(t, " (Wstat: "):
		p.summary(s, l, t)
	case p.rows && l.Stream == p.files[len(p.files)-1].line.Stream && strings.HasPrefix(t, "  ") && !strings.HasPrefix(strings.TrimSpace(t), "#"):
		last := p.files[len(p.files)-1]
		last.why = append(last.why, lex.OnOneLine(strings.TrimSpace(t)))
	case perlLine(s, l):
	case p.file != "" && (t == "No subtests run" || strings.HasPrefix(t, "Dubious, test returned ")) && len(p.ended) < s.Most():
		p.ended = append(p.ended, &provedFile{line: l, path: p.file, why: []string{strings.Clone(t)}})
		return p.noise(s, t)
	default:
		return p.noise(s, t)
	}
	return true
}

// failedTest returns "'sum'" for "#   Failed test 'sum'", which begins a failure in Perl, and in Raku with one blank.
func failedTest(t string) (name string) {
	t, comment := strings.CutPrefix(strings.TrimLeft(t, " "), "# ")
	name, failed := strings.CutPrefix(strings.TrimLeft(t, " "), "Failed test ")
	if !comment || !failed {
		return ""
	}
	return name
}

// heads keeps the file of "t/tank.t ..... ", below which -v prints the file's rows. It always returns false.
func (p *prove) heads(t string) bool {
	name := strings.TrimRight(t, ".")
	if len(t)-len(name) < 2 || !strings.HasSuffix(name, " ") || strings.HasPrefix(name, "#") {
		return false
	}
	p.file = strings.Clone(strings.TrimSpace(name))
	return false
}

// point reads a row that a test file prints, shown with -v: "not ok 3 - sum # SKIP later". A row without a
// description is a test without a name. Rows of subtests are indented.
func (p *prove) point(s *read.Sink, l tool.Line, t string) bool {
	row := strings.TrimLeft(t, " ")
	rest, failed := strings.CutPrefix(row, "not ok ")
	if !failed {
		rest = strings.TrimPrefix(t, "ok ")
	}
	number, name, _ := strings.Cut(rest, " ")
	if !lex.IsDigits(number) || rest == t {
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
	one.ID = proveEscapes.Replace(strings.TrimPrefix(strings.TrimSpace(name), "- "))
	if one.Outcome == tool.Failed && one.ID != "" && len(p.unsaid) < s.Most() {
		p.unsaid = append(p.unsaid, unsaid{l, strings.Clone(one.ID), p.file, proveTags(t)})
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
		one.ID = p.file + " › " + title // two files may use the same name
	}
	if s.Ran(one); failed {
		s.Tests.Also(one.ID, strings.Clone(title))
	}
	return true
}

// noise reports whether a line is the progress of files, or plain TAP.
func (p *prove) noise(s *read.Sink, t string) bool {
	if t != "" {
		s.Break()
		p.rows = false
	}
	row := strings.TrimLeft(t, " ")
	isTAP := t == "ok" || lex.HasAnyPrefix(t, "#", "ok ", "not ok ", "skipped: ") || p.file != "" && lex.HasAnyPrefix(row, "1..", "#", "ok ", "not ok ")
	isProgress := strings.Contains(t, " .. ") || strings.HasSuffix(t, " ..") || strings.HasPrefix(t, "Dubious, ")
	return s.Signed && !s.Closed() || t == "" || isTAP || isProgress || strings.Contains(t, " subtests") || strings.Contains(t, "subtests run")
}

// failed adds the failed test of "#   Failed test 'sum'". A test without a name has its place instead: "#   Failed
// test at t/a.t line 3."
func (p *prove) failed(s *read.Sink, l tool.Line, name string) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Message: "failed"}
	if at, ok := frame.Perl("at " + strings.TrimPrefix(name, "at ")); ok && strings.HasPrefix(name, "at ") {
		f.At, name = &at, ""
	}
	if strings.HasPrefix(name, "'") && strings.HasSuffix(name, "'") && len(name) > 1 {
		name = name[1 : len(name)-1]
	}
	if n, title, ok := strings.Cut(name, ": "); ok && lex.IsDigits(n) { // pgTAP prints a number and no place
		name = strings.Trim(title, `"`)
		if p.file != "" {
			f.At = &result.Location{Path: p.file}
		}
	}
	f.ID = name
	f.Tags = proveTags(l.Text)
	s.Find(l, f)
	p.place(&f)
}

// proveTags marks the indented row of a subtest: the test that holds the subtest follows, and is counted instead.
func proveTags(row string) []string {
	if strings.HasPrefix(row, " ") {
		return []string{"subtest"}
	}
	return nil
}

func (p *prove) place(f *result.Finding) {
	if f.At != nil && len(f.Tags) == 0 {
		lex.Put(&p.found, f.At.Path, p.found[f.At.Path]+1)
	}
}

// below reads a comment below a failed test.
func (p *prove) below(s *read.Sink, l tool.Line, t string) {
	f, text := s.Last(), strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(t, " "), "#"))
	if f.Kind != result.TestFailure || lex.HasAnyPrefix(text, "Looks like ", "Seeded srand ", "Tests were run but ", "You failed ", "You planned ") {
		s.Break()
		return
	}
	at, placed := frame.Perl(text)
	switch {
	case placed && f.At == nil:
		f.At = &at
		p.place(f)
	case goesOn(f.Expected):
		f.Expected += "\n" + text
	case goesOn(f.Actual) && f.Expected == "" && !strings.HasPrefix(text, "expected: "):
		f.Actual += "\n" + text
	case lex.HasAnyPrefix(text, "got: ", "have: ", "caught: "):
		_, f.Actual, _ = strings.Cut(text, ": ")
	case lex.HasAnyPrefix(text, "expected: ", "want: ", "wanted: "):
		_, f.Expected, _ = strings.Cut(text, ": ")
	case strings.HasPrefix(text, "+-") && strings.HasSuffix(text, "-+"):
	case strings.HasPrefix(text, "| ") && strings.HasSuffix(text, " |"): // of Test2's table, in which the last row tells what differs
		row := strings.Join(strings.Fields(strings.ReplaceAll(text, "|", " ")), " ")
		if strings.Contains(row, "GOT OP CHECK") {
			p.numbered = strings.HasSuffix(row, " LNs")
			break
		}
		if p.numbered {
			row, _, _ = lex.CutLast(row, " ")
		}
		f.Message = row
	case f.Message == "failed":
		f.Message = text
	case len(f.Message) < 120 && f.Actual == "":
		f.Message += " " + text
	}
	if f.Actual != "" && f.Expected != "" && f.Message == "failed" && !goesOn(f.Expected) && !strings.Contains(f.Actual+f.Expected, "\n") {
		f.Message = "got " + f.Actual + ", expected " + f.Expected
	}
	s.More(l)
}

// goesOn reports whether the end of a quoted value is in a line below.
func goesOn(value string) bool {
	return strings.HasPrefix(value, "'") && (len(value) == 1 || !strings.HasSuffix(value, "'"))
}
