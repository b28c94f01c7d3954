package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mamba", func(p *tool.Parser) {
	p.Is("mamba", result.Test, 1, "mamba 0.11, specs for Python: progress, documentation")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Failure/Error: ….py "}, Named: true, Parse: read.Numbered{
		Indent: "  ", Take: mambaFailure, Ends: func(text string) bool { return text == "Failures:" }, Other: mambaLine, Closes: true,
	}.Parse})
})

// mambaLine reads "2 examples failed of 3 ran in 0.01 seconds" and "3 examples ran in 0.01 seconds".
func mambaLine(s *read.Sink, l tool.Line) bool {
	counted, ok := strings.CutSuffix(l.Text, " seconds")
	n, rest, is := lex.CutCount(counted, "example")
	if !ok || !is {
		return false
	}
	failed, ran := 0, n
	if of, has := strings.CutPrefix(rest, " failed of "); has {
		failed, ran = n, lex.LeadingNumber(of)
	}
	pending := 0
	if _, waits, has := strings.Cut(rest, " ran ("); has {
		pending = lex.LeadingNumber(waits)
	}
	s.Sum(l, ran+pending, failed, 0, pending)
	s.Tested = ran > 0
	return true
}

// mambaFailure reads the lines below "  1) Stock adds":
//
//	Failure/Error: spec/a_spec.py assert 1 == 2
//	    AssertionError:
//	File "spec/a_spec.py", line 6, in 00000002__it adds
func mambaFailure(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title, Detail: strings.Join(read.Dedent(b.Body), "\n")}
	for i, line := range b.Body {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "Failure/Error: ") && i+1 < len(b.Body) {
			f.Rule, f.Message, _ = strings.Cut(strings.TrimSpace(b.Body[i+1]), ": ")
			f.Rule = strings.TrimSuffix(f.Rule, ":")
		}
		if rest, ok := strings.CutPrefix(text, `File "`); ok {
			path, number, _ := strings.Cut(rest, `", line `)
			if strings.HasSuffix(path, "_spec.py") || f.At == nil {
				f.At = &result.Location{Path: path, Line: lex.LeadingNumber(number)}
			}
		}
	}
	s.FindBlock(b, f)
}

// avocado prints " (1/9) tests/disk.py:DiskTest.test_write: STARTED" when a test begins, and the outcome when it ends.
var _ = Room.Add("avocado", func(p *tool.Parser) {
	p.Is("avocado", result.Test, 1, "Avocado 69 to 113: run, as it tells a person")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 8: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "text", Starts: []string{"RESULTS    : PASS "}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: " ({}/{}) {id}:  FAIL: {message} ({} s)", As: read.Failure, Fit: avocadoTest},
		{Form: " ({}/{}) {id}:  FAIL ({} s)", As: read.Failure, Fit: avocadoTest},
		{Form: " ({}/{}) {id}:  ERROR: {message} ({} s)", As: read.Error, Fit: avocadoTest},
		{Form: " ({}/{}) {id}:  INTERRUPTED: {message} ({} s)", As: read.Error, Fit: avocadoTest},
		{Form: " ({}/{}) {id}:{}", As: read.Skip},
		{Form: "RESULTS    : PASS {#passed} | ERROR {#error} | FAIL {#failed} | SKIP {#skipped} | WARN {#passed} | INTERRUPT {#error} | CANCEL {#skipped}", As: read.Close},
		{Form: "No tests found for given test references: {}", As: read.Misuse},
		{Form: "JOB {}", As: read.Skip},
		{Form: "Test summary:", As: read.Skip},
		{Form: "{}-{}: FAIL", As: read.Skip},
		{Form: "{}-{}: ERROR", As: read.Skip},
		{Form: "{}-{}: INTERRUPTED", As: read.Skip},
	}, Closes: true}.Parse})
})

func avocadoTest(f *result.Finding) {
	f.Kind, f.Message = result.TestFailure, cmp.Or(f.Message, "failed")
	if path, _, ok := strings.Cut(f.ID, ":"); ok {
		f.At = &result.Location{Path: path}
	}
}
