package ruby

import (
	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mix", func(p *tool.Parser) {
	p.Is("credo", result.Lint, 1, "Credo 1: default, oneline, flycheck, json")
	p.Family = "mix"
	p.Matches = tool.RunsSub("mix", "credo")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/issues/*"}, Path: "filename", Line: "line_no", Column: "column", Rule: "check", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"┃ [R] ", "┃ [W] ", "┃ [D] ", "┃ [C] ", "┃ [F] "}, Named: true, Parse: credoText.Parse})
})

// credoText reads an issue in two lines behind a bar, the second with the place, or in one line:
//
//	┃ [R] ↗ Modules should have a @moduledoc tag.
//	┃       lib/foo.ex:1:11 #(Foo)
//	[R] ↗ lib/foo.ex:1:11 Modules should have a @moduledoc tag.
//	lib/foo.ex:1:11: R: Modules should have a @moduledoc tag.
var credoText = read.Rows{Rows: []read.Row{
	{Form: "{path}:{line}:{column}: {rule}: {message}", Fit: credoFit}, {Form: "{path}:{line}: {rule}: {message}", Fit: credoFit},
	{Form: "[{rule}] {} {path}:{line}:{column} {message}", Fit: credoFit}, {Form: "[{rule}] {} {path}:{line} {message}", Fit: credoFit},
	{Form: "┃ [{rule}] {} {message}", Fit: credoFit}, {Form: "  ┃ [{rule}] {} {message}", Fit: credoFit},
	{Form: "{}┃  {place} #({})", As: read.Fill}, {Form: "{}┃  {place}", As: read.Fill},
	{Form: "{} mods/funs, found {}", As: read.Close}, {Form: "Checking {} source file{}", As: read.Skip}, {Form: "Analysis took {}", As: read.Skip}, {Form: "Please report incorrect results: {}", As: read.Skip}, {Form: "Use `mix credo {}", As: read.Skip},
}}

// credoFit sets the severity by the category's letter. W, Credo's warnings, are likely mistakes and become errors;
// the other categories are matters of taste and become warnings.
func credoFit(f *result.Finding) {
	f.Severity = result.Severity(lex.Means(f.Rule, "error: W; warning: R, F, D, C"))
}
