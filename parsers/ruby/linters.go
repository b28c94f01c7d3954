package ruby

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
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
	p.Reads(tool.Format{Name: "json", Parse: rubocopJSON.Parse})
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

var _ = Room.Add("mdl", func(p *tool.Parser) {
	p.Is("mdl", result.Lint, 1, "mdl (Ruby's markdownlint) 0.5 to 0.13: default, verbose, --json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "filename", Line: "line", Rule: "rule", URL: "docs", Message: "description"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Accept: read.RuleStarts("MD")}.Parse})
	p.Reads(tool.Format{Name: "exception", Parse: parseRuby})
})

var _ = Room.Add("jekyll", func(p *tool.Parser) {
	p.Is("jekyll", result.Build, 1, "Jekyll 4: what it says before it ends with an exception, warnings, the exception alone")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Liquid Exception: ", "Liquid Warning: ", "ERROR: YOUR SITE COULD NOT BE BUILT:"}, Named: true,
		Parse: read.Fresh(func(j *jekyll) read.Text { return read.Text{Line: j.line, End: j.rubyTrace.end} })})
})

// jekyll reads lines that begin with a topic, right-aligned. The exception that follows repeats the error.
//
//	Liquid Exception: Liquid syntax error (line 1): Unknown tag 'nope' in a.md
//	         Warning: Your site URL does not seem to be absolute
type jekyll struct {
	rubyTrace
	below bool // the next line continues the message
}

func (j *jekyll) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	topic, said, ok := strings.Cut(text, ": ")
	switch {
	case j.below && strings.Trim(text, "-") != "":
		s.Last().Message, j.below = strings.TrimPrefix(s.Last().Message+": "+text, ": "), false
		s.Break()
	case j.below:
	case ok && strings.HasPrefix(topic, "YAML Exception reading "): // with --strict_front_matter an exception repeats the error
		f := result.Finding{Kind: result.BuildError, Message: strings.TrimPrefix(said, "(<unknown>): "), At: &result.Location{Path: topic[len("YAML Exception reading "):]}}
		if what, spot, has := strings.Cut(f.Message, " at line "); has {
			f.Message, f.At.Line = what, lex.LeadingNumber(spot)
		}
		s.Find(l, f)
		s.Break()
	case ok && (topic == "Liquid Exception" || topic == "Liquid Warning"):
		s.Find(l, liquidFinding(topic, said))
		s.Break()
	case text == "ERROR: YOUR SITE COULD NOT BE BUILT:":
		s.Find(l, result.Finding{Kind: result.BuildError})
		j.below = true
	case ok && lex.IsOneOf(topic, "Warning Deprecation") && strings.HasPrefix(l.Text, "    "):
		s.Find(l, result.Finding{Severity: result.SevWarning, RawSeverity: strings.ToLower(topic), Message: said})
		s.Break()
	case ok && topic == "Conversion error":
		s.Find(l, result.Finding{Kind: result.BuildError, Message: said, At: place.InSentence(said)})
		j.below = strings.HasSuffix(said, ":")
	case strings.HasPrefix(l.Text, "fatal: ") && strings.Contains(text, " could not be found."):
		s.Misuse(l, said)
	case j.repeats(s, l.Text):
	default:
		return j.rubyTrace.line(s, l)
	}
	return true
}

// repeats reports whether a line belongs to the exception that repeats the last error. The exception adds its class.
func (j *jekyll) repeats(s *read.Sink, line string) bool {
	if f, _, ok := cutException(line); ok && !j.open && len(s.Findings) == 1 && s.Findings[0].Kind == result.BuildError {
		s.Findings[0].Rule = f.Rule
		return true
	}
	_, framed := frame.Ruby(strings.TrimPrefix(line, "\tfrom "))
	return framed && !j.open && s.Failures() > 0
}

// liquidFinding reads "Liquid syntax error (line 1): Unknown tag 'nope' in a.md".
func liquidFinding(topic, said string) result.Finding {
	f := result.Finding{Kind: result.BuildError, Rule: topic, Message: said}
	if topic == "Liquid Warning" {
		f.Kind, f.Severity = result.Diagnostic, result.SevWarning
	}
	i := strings.LastIndex(said, " in ")
	if i < 0 || strings.Contains(said[i+len(" in "):], " ") || !place.IsFile(said[i+len(" in "):]) {
		return f
	}
	f.Message, f.At = said[:i], &result.Location{Path: said[i+len(" in "):]}
	if head, rest, ok := strings.Cut(f.Message, "): "); ok {
		if kind, line, is := strings.Cut(head, " (line "); is && lex.IsDigits(line) {
			f.At.Line, f.Message = lex.Atoi(line), kind+": "+rest
		}
	}
	return f
}
