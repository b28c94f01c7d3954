package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("c8 nyc | istanbul", func(p *tool.Parser) {
	p.Is("c8", result.Generic, 1, "c8 and nyc: limits of coverage that were not met")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR: Coverage for "}, Parse: read.Text{Line: coverageLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Yargs})
})

// coverageLine reads "ERROR: Coverage for lines (85.71%) does not meet global
// threshold (100%)", and with --per-file the file behind it. The table above it is
// istanbul's, which test runners print as well.
func coverageLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR: ")
	if !ok || !lex.HasAnyPrefix(message, "Coverage for ", "Uncovered ") {
		return strings.Count(l.Text, "|") == 5
	}
	f := result.Finding{Message: message}
	if i := strings.LastIndex(message, ") for "); i > 0 {
		f.Message, f.At = message[:i+1], &result.Location{Path: message[i+len(") for "):]}
	}
	rule, _ := lex.CutAnyPrefix(message, "Coverage for ", "Uncovered ")
	f.Rule, _, _ = strings.Cut(rule, " ")
	return s.Find(l, f)
}

// nodeUncovered reads node's "Error: 26.19% line coverage does not meet threshold of 95%."
func nodeUncovered(text string) (f result.Finding, ok bool) {
	text, isError := strings.CutPrefix(text, "Error: ")
	percent, rest, _ := strings.Cut(text, "% ")
	name, _, ok := strings.Cut(rest, " coverage does not meet threshold of ")
	return result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: name, Message: percent + "% " + rest}, ok && isError
}
