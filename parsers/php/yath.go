package php

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yath", func(p *tool.Parser) {
	p.Is("yath", result.Test, 1, "yath of Test2::Harness 1.0, Perl")
	p.Reads(tool.Format{Name: "text", Starts: []string{"( PASSED )  job ", "( FAILED )  job ", "( LAUNCH )  job ", "                                Yath Result Summary"}, Named: true,
		Parse: read.Fresh(func(y *yath) read.Text { return read.Text{Line: y.line, Closes: true} })})
})

// yath reads lines that are marked with their kind and job:
//
//	[  FAIL  ]  job  4  + children correct
//	(  DIAG  )  job  4      Failed test 'children correct'
//	(  DIAG  )  job  4      at t/children.t line 22.
//	(  DIAG  )  job  4             got: '2'
//	( FAILED )  job  4    t/children.t
//	< REASON >  job  4    Assertion failures were encountered (Count: 1)
//	    -->  Result: FAILED  <--
type yath struct {
	open map[string]int    // for each job, the number (from 1) of the finding of its last failed assertion
	said map[string]string // for each job, the first line of its stderr
	bare map[string]int    // for each job without a failed assertion, the number of its file's finding
	told map[string]bool   // the files that are said to have failed, before the table of them
}

func (y *yath) line(s *read.Sink, l tool.Line) bool {
	if y.open == nil {
		y.open, y.said, y.bare, y.told = map[string]int{}, map[string]string{}, map[string]int{}, map[string]bool{}
	}
	if len(l.Text) < 16 || !strings.HasPrefix(l.Text[10:], "  job ") {
		return y.outside(s, l)
	}
	mark := strings.TrimSpace(l.Text[1:9])
	job, text, _ := strings.Cut(strings.TrimLeft(l.Text[16:], " "), " ")
	text = strings.TrimSpace(text)
	switch mark {
	case "FAIL":
		name := strings.TrimLeft(text, "+~| ")
		y.open[job] = y.find(s, l, name, "failed")
		s.Ran(tool.Test{ID: name, Outcome: read.Failed})
	case "DIAG":
		if n := y.open[job]; n > 0 {
			yathSays(&s.Findings[n-1], text)
		}
	case "STDERR":
		y.said[job] = cmp.Or(y.said[job], text)
	case "FAILED":
		s.Fails(1)
		y.told[text] = true
		if y.open[job] == 0 {
			n := y.find(s, l, text, y.said[job])
			if y.bare[job] = n; n > 0 {
				s.Findings[n-1].At = perlPlace(y.said[job])
			}
		}
		delete(y.open, job)
	case "REASON":
		if n := y.bare[job]; n > 0 {
			f := &s.Findings[n-1]
			f.Message = strings.TrimSpace(f.Message + " " + text)
		}
	case "PASSED":
		s.Count("passed", 1)
	case "SKIPPED":
		s.Count("skipped", 1)
	}
	s.Tested = true
	return s.Sign(l)
}

func (y *yath) find(s *read.Sink, l tool.Line, id, message string) int {
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: message})
	if s.Last() == nil {
		return 0
	}
	s.Break()
	return len(s.Findings)
}

// yathSays reads a test's line about a failed assertion, "at t/children.t line 22." or "got: '2'".
func yathSays(f *result.Finding, text string) {
	key, value, _ := strings.Cut(text, ": ")
	switch at := perlPlace(text); {
	case at != nil && f.At == nil && (strings.HasPrefix(text, "at ") || strings.HasPrefix(text, "Failed test ")):
		f.At = at
	case lex.HasAnyPrefix(text, "Failed test", "Looks like you"), text == "":
	case key == "got":
		f.Actual = value
	case key == "expected":
		f.Expected = value
	case f.Message == "failed" && f.Actual == "":
		f.Message = text
	case len(f.Message) < 200 && f.Actual == "":
		f.Message += " " + text
	}
}

// perlPlace reads "… at t/size.t line 4."
func perlPlace(text string) *result.Location {
	i := strings.LastIndex(text, " line ")
	j := strings.LastIndex(text[:max(i, 0)], "at ")
	if i < 0 || j < 0 {
		return nil
	}
	return &result.Location{Path: text[j+3 : i], Line: lex.LeadingNumber(text[i+6:])}
}

// outside reads the table of failed files, "| 330F189E-EA6A-11F1-A371-D1744E3B609D | t/children.t |", and the summary.
func (y *yath) outside(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	if row := strings.Split(t, "|"); len(row) == 4 && strings.Count(row[1], "-") == 4 {
		if file := strings.TrimSpace(row[2]); !y.told[file] { // its own lines are not in the output
			s.Fails(1)
			y.find(s, l, file, "failed")
		}
		return s.Sign(l)
	}
	if strings.HasPrefix(t, "-->  Result: ") {
		return s.Close(l)
	}
	return lex.HasAnyPrefix(t, "The following jobs failed:", "| Job ID ", "Yath Result Summary", "Fail Count:", "File Count:", "Assertion Count:", "Wall Time:", "CPU Time:", "CPU Usage:") && s.Sign(l)
}

// counted reads "# Looks like you failed 2 tests of 11.".
func (p *prove) counted(s *read.Sink, t string) {
	s.Break()
	if c := strings.Fields(t); len(c) == 9 {
		p.bad += lex.Atoi(c[5])
		p.ran += lex.Atoi(strings.TrimSuffix(c[8], "."))
	}
}

// summary reads "t/plan.t (Wstat: 65280 (exited 255) Tests: 1 Failed: 0)".
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

// end adds the failures that have no comment: rows of failed tests, and a finding for each file of the report that
// died or has more failures than were read, as with -Q.
func (p *prove) end(s *read.Sink) {
	n := len(s.Findings)
	for _, u := range p.unsaid {
		if slices.ContainsFunc(s.Findings[:n], func(f result.Finding) bool { return f.ID == u.name }) {
			continue
		}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: u.name, Message: "failed", At: &result.Location{Path: u.file}, Tags: u.tags}
		s.Find(u.line, f)
		p.place(&f)
	}
	for _, f := range p.ended {
		if f.broken = p.found[f.path] == 0; f.broken && !s.Closed() {
			p.files = append(p.files, f)
		}
	}
	for _, f := range p.files {
		why := strings.Join(f.why, "; ")
		if f.failed <= p.found[f.path] && (f.failed > 0 || !f.broken) {
			i := strings.Index(why, "Parse errors: ") // an error of the file, which no test reports
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
	if !s.Closed() && p.ran > 0 { // a test file that was run without prove
		s.EndHere()
		s.Counts["failed"], s.Counts["passed"], s.Tested = p.bad, max(p.ran-p.bad-p.skipped, 0), true
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
