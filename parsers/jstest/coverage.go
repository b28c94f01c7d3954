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

var _ = Room.Add("stryker", func(p *tool.Parser) {
	p.Is("stryker", result.Test, 1, "StrykerJS 4 to 9: the mutants that no test noticed, in clear text, and tests that fail before there are any")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{
		Rows: []read.Row{
			strykerMutant("Survived", "survived"), strykerMutant("NoCoverage", "no test runs it"),
			{Form: "+  {message}", As: read.Fill, Fit: func(f *result.Finding) { f.Message = f.RawSeverity + ": " + f.Message }},
			{Form: "{} ERROR DryRunExecutor {}:", As: read.Skip},
			{Form: "{} ERROR Stryker There were failed tests {}", As: read.Skip},
			{Form: "{} ({}) ERROR {word} {message}"},
			{Form: "\t\t{message}:", As: read.Fill},
			{Form: "\t\t{message}", As: read.Fill},
			{Form: "\t{id}", As: read.Failure},
			{Form: "{} INFO MutationTestExecutor Done in {}", As: read.Close},
			{Form: "{} INFO {}", As: read.Skip},
			{Form: "{place}", As: read.Fill},
		},
		Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" },
	}.Parse})
})

// strykerMutant returns the form of a mutant's head. Below the head are the place, and the line without and with the
// mutation.
func strykerMutant(state, words string) read.Row {
	return read.Row{Form: "[" + state + "] {rule}", As: read.Warning, Fit: func(f *result.Finding) { f.RawSeverity, f.Message = words, words }}
}
