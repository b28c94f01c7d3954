package dotnet

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mcs csc | gmcs dmcs", func(p *tool.Parser) {
	p.Is("mcs", result.Build, 1, "Mono's C# compiler 5 and 6, and Roslyn's csc")
	p.ColumnUnit = "char"
	p.Matches = runsCSharp("mcs csc gmcs dmcs")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Rule: read.Colon, Other: mcsSays,
		Accept: func(d *read.Diagnostic) bool { return d.Word == "error" || d.Word == "warning" }}.Parse})
})

// runsCSharp returns a function that matches a command of one of the programs, but not Chicken Scheme's csc.
func runsCSharp(programs string) func(argv []string) bool {
	scheme := func(arg string) bool {
		return lex.IsOneOf(strings.ToLower(path.Ext(arg)), ".scm .ss .sld .sls")
	}
	return func(argv []string) bool {
		return lex.IsOneOf(argv[0], programs) && (argv[0] != "csc" || !slices.ContainsFunc(argv[1:], scheme))
	}
}

// mcsSays reads diagnostics without a place, and the closing line.
func mcsSays(s *read.Sink, l tool.Line) bool {
	if n, ok := strings.CutPrefix(l.Text, "Compilation failed: "); ok {
		s.Claim(lex.LeadingNumber(n))
		return s.Close(l)
	}
	if strings.HasPrefix(l.Text, "Compilation succeeded") {
		return s.Close(l)
	}
	word, rest := read.CutSeverity(l.Text)
	message, rule := read.Colon.Cut(rest)
	if word == "" || !strings.HasPrefix(rule, "CS") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message})
}
