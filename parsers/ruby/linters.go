package ruby

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("reek", func(p *tool.Parser) {
	p.Is("reek", result.Lint, 1, "reek 4 to 6: grouped by file, and --single-line")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Starts: []string{"[… [https://github.com/troessner/reek/", "1… total warning", "2… total warnings", "3… total warnings", "4… total warnings", "5… total warnings", "6… total warnings", "7… total warnings", "8… total warnings", "9… total warnings"}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "{path} -- {} warning{}", As: read.InPath},
		{Form: "  [{line}]:{rule}: {message}", As: read.Warning, Fit: reekFit}, {Form: "  [{line}, {}]:{rule}: {message}", As: read.Warning, Fit: reekFit},
		{Form: "  {path}:{line}: {rule}: {message}", As: read.Warning}, {Form: "{} total warning{}", As: read.Close},
	}}.Parse})
})

// reekFit removes the address of the rule's page.
func reekFit(f *result.Finding) { f.Message, _, _ = strings.Cut(f.Message, " [https://") }

var _ = Room.Add("standardrb", func(p *tool.Parser) {
	p.Is("standardrb", result.Lint, 1, "Standard Ruby 1: its own format, and RuboCop's")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "standard", Parse: read.Rows{Rows: []read.Row{
		{Form: "  {path}:{line}:{column}: {rule}: {message}", As: read.Warning}, {Form: "standard: {}", As: read.Skip},
	}}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: rubocopJSON})
})

var _ = Room.Add("puppet", func(p *tool.Parser) {
	p.Is("puppet", result.Infra, 1, "puppet 5 to 8: manifests that do not parse or compile")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"Warning: "}, Notes: []string{"See 'puppet help", "Error: Try 'puppet help"}, Fill: fillPuppet, End: puppetUsage,
	}.Parse)})
})

// fillPuppet makes "(file: /tmp/a.pp, line: 4, column: 5)" at a message's end the place.
func fillPuppet(f *result.Finding) {
	f.At = place.InSentence(f.Message)
	if text, _, ok := strings.Cut(f.Message, " (file: "); ok {
		f.Message = text
	}
}

func puppetUsage(s *read.Sink) {
	s.Findings = slices.DeleteFunc(s.Findings, func(f result.Finding) bool { return strings.HasPrefix(f.Message, "Try 'puppet help") })
	if len(s.Findings) == 1 && strings.HasPrefix(s.Findings[0].Message, "Unknown Puppet subcommand ") {
		s.Meaning = result.MeansUsage
	}
}

var _ = Room.Add("puppet-lint", func(p *tool.Parser) {
	p.Is("puppet-lint", result.Lint, 1, "puppet-lint 2 to 4: default and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*/*"}, Clean: true, Path: "path", Line: "line", Column: "column", Rule: "check", Severity: "KIND", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: puppetLintLine}.Parse})
})

// puppetLintLine reads "WARNING: text on line 4 (check: name)". If several files were checked, the path and " - "
// stand in front.
func puppetLintLine(s *read.Sink, l tool.Line) bool {
	if message, ok := strings.CutPrefix(l.Text, "puppet-lint: "); ok {
		if s.Meaning = result.MeansUsage; !strings.HasPrefix(message, "try 'puppet-lint --help'") {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		}
		return true
	}
	path, text, ok := strings.Cut(l.Text, " - ")
	if !ok || strings.Contains(path, " ") {
		path, text = read.OnlyFile(s.In, ".pp"), l.Text
	}
	word, message := read.CutSeverity(text)
	at := strings.LastIndex(message, " on line ")
	if word == "" || at < 0 {
		return false
	}
	f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message[:at]}
	line, rule, _ := strings.Cut(message[at+len(" on line "):], " (check: ")
	if !lex.IsDigits(line) {
		return false
	}
	f.Rule = strings.TrimSuffix(rule, ")")
	f.At = &result.Location{Path: path, Line: lex.Atoi(line)}
	return s.Find(l, f)
}

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
