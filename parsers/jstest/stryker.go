package jstest

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

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
