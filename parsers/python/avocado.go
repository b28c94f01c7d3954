package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
