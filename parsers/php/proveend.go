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
