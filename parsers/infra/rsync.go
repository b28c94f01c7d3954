package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rsync", func(p *tool.Parser) {
	p.Is("rsync", result.Generic, 1, "rsync 3.x: errors and the line that ends a failed run")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansUsage, 20: result.MeansInterrupted}
	p.Reads(tool.Format{Name: "text", Starts: []string{"rsync error: "}, Named: true, Parse: read.Said{
		Kind: result.Diagnostic, Errors: []string{"rsync: ", "rsync error: ", "ssh: ", "@ERROR: "}, Warnings: []string{"rsync warning: "}, Fill: fillRsync,
	}.Parse})
})

// fillRsync makes the exit code in "some files were not transferred (code 23) at main.c(1394) [sender=3.5.0]" the
// rule, and drops the place in rsync's own source.
func fillRsync(f *result.Finding) {
	what, behind, ok := strings.Cut(f.Message, " (code ")
	if code, at, found := strings.Cut(behind, ") at "); ok && found && lex.IsDigits(code) && strings.Contains(at, ".c(") {
		f.Rule, f.Message = code, what
	}
}
