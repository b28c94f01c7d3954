package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("kyua", func(p *tool.Parser) {
	p.Is("kyua", result.Test, 1, "Kyua 0.13, the runner of ATF, TAP and plain tests: test, report, report --verbose")
	p.Exits = map[int]result.Meaning{2: result.MeansInternal, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Results file id is ", "===> Execution context", "===> Failed tests", "===> Broken tests"}, Named: true,
		Parse: read.Lines((*kyua).line)})
})

// kyua reads the verdicts and, in a report, the output of each test:
//
//	tests/version:max  ->  failed: atf-check failed; see the output of the test for details  [0.329s]
//	113/123 passed (10 failed)
//	===> tests/version:max
//	Standard output:
//	Executing command [ pkgconf --max-version 2.0 foo ]
//
//	Standard error:
//	Fail: incorrect exit status: 0, expected: 1
//	Test cases: 123 total, 0 skipped, 0 expected failures, 0 broken, 10 failed
type kyua struct {
	told map[string]int // number of each test's finding, from 1, or 0 without one; a report repeats verdicts
	test string         // the test whose output is being read
	part string         // the heading above, "Standard error:"
	ran  string         // the last command that the test ran
}

func (k *kyua) line(s *read.Sink, l tool.Line) bool {
	id, verdict, told := strings.Cut(l.Text, "  ->  ")
	name, heading := strings.CutPrefix(l.Text, "===> ")
	passed, closes := strings.CutSuffix(l.Text, " failed)")
	switch {
	case heading:
		k.test, k.part, k.ran = name, "", ""
		return s.Break()
	case told && strings.HasSuffix(verdict, "s]"):
		return k.verdict(s, l, id, verdict[:strings.LastIndexByte(verdict, '[')])
	case closes && strings.Contains(passed, " passed ("), strings.HasPrefix(l.Text, "Test cases: "):
		k.test = "" // output of a test does not follow
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Results file id is "), strings.HasPrefix(l.Text, "Results saved to "):
		return s.Sign(l)
	case strings.HasPrefix(l.Text, "kyua: E: "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(l.Text, "kyua: E: ")})
	case k.test == "":
		return false
	case l.Text == "Standard output:" || l.Text == "Standard error:":
		k.part = l.Text
	case k.part != "" && l.Text != "":
		k.printed(s, l.Text)
	}
	return true
}

// verdict takes "failed: why" or "passed" for a test, once.
func (k *kyua) verdict(s *read.Sink, l tool.Line, id, verdict string) bool {
	word, why, _ := strings.Cut(strings.TrimSpace(verdict), ": ")
	outcome := read.Outcome(lex.Means(word, "passed: passed; failed: failed; error: broken; skipped: skipped; xfailed: expected_failure"))
	if _, again := k.told[id]; again || outcome == "" {
		return outcome != ""
	}
	if k.told == nil {
		k.told = map[string]int{}
	}
	k.told[id] = 0
	s.Counted(tool.Test{ID: id, Outcome: outcome})
	if outcome != tool.Failed && outcome != tool.Errored {
		return s.Sign(l)
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: why}
	if outcome == tool.Errored {
		f.Severity = result.SevError
	}
	s.Claim(1)
	s.Find(l, f)
	if s.Last() != nil {
		k.told[id] = len(s.Findings)
	}
	return s.Break()
}

// printed takes a line of a test's output. The test's last command and first line of stderr say why it failed.
func (k *kyua) printed(s *read.Sink, text string) {
	if command, ok := strings.CutPrefix(text, "Executing command [ "); ok {
		k.ran = strings.TrimSuffix(command, " ]")
	} else if n := k.told[k.test]; n > 0 && k.part == "Standard error:" {
		f := &s.Findings[n-1]
		if f.Message = text; k.ran != "" {
			f.Message += ": " + k.ran
		}
		k.part = ""
	}
}
