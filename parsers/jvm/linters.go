package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkstyle | checkstyle.jar com.puppycrawl.tools.checkstyle.Main", func(p *tool.Parser) {
	p.Is("checkstyle", result.Lint, 1, "checkstyle 8 to 12: plain; the exit code is the number of errors")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "xml", Parse: read.Checkstyle(checkstyleRule)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(checkstyleRule)})
	p.Reads(tool.Format{Name: "plain", Starts: []string{"Starting audit..."}, Parse: read.Rows{Rows: []read.Row{
		{Form: "Starting audit...", As: read.Close},
		{Form: "[{severity}] {place} {message} [{rule}]"},
		{Form: "[{severity}] {place} {message}"},
		{Form: "Audit done.", As: read.Close},
		{Form: "Checkstyle ends with {#error} errors.", As: read.Close},
		{Form: "com.puppycrawl.tools.checkstyle.api.CheckstyleException: {message}", As: read.Misuse},
		{Form: "Caused by: com.puppycrawl.{word}: {word} occurred while parsing file {path}.", As: read.InPath},
		{Form: "Caused by: com.puppycrawl.{word}: {message}", As: read.Misuse},
		{Form: "Caused by: java.lang.IllegalStateException: {line}:{}: {message}"},
	}}.Parse})
})

// checkstyleRule shortens the class of a check to the name that plain text has: "NeedBraces".
func checkstyleRule(f *result.Finding) {
	f.Rule = strings.TrimSuffix(f.Rule[strings.LastIndexByte(f.Rule, '.')+1:], "Check")
}

var _ = Room.Add("detekt | detekt-cli detekt-cli.jar io.gitlab.arturbosch.detekt.cli.Main", func(p *tool.Parser) {
	p.Is("detekt", result.Lint, 1, "detekt 1.20 to 2.0: the console's report")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Other: detektSays,
		Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse})
})

// detektSays reads "Analysis failed with 9 weighted issues." and its refusals.
func detektSays(s *read.Sink, l tool.Line) bool {
	switch {
	case strings.HasPrefix(l.Text, "Analysis failed with "), strings.HasPrefix(l.Text, "Analysis completed"):
		return s.Close(l)
	case lex.HasAnyPrefix(l.Text, "Unknown option", "Input path does not exist", "Provided path "):
		return s.Misuse(l, l.Text)
	}
	return false
}

var _ = Room.Add("scalastyle | scalastyle-batch", func(p *tool.Parser) {
	p.Is("scalastyle", result.Lint, 1, "scalastyle 1: text")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"error file=", "warning file=", "info file="}, Named: true, Parse: read.Rows{Closes: true, Rows: []read.Row{
		{Form: "{severity} file={path} message={message} line={line} column={column}"},
		{Form: "{severity} file={path} message={message} line={line}"},
		{Form: "{severity} file={path} message={message}"},
		{Form: "Found {#error} errors", As: read.Count},
		{Form: "Found {#warning} warnings", As: read.Count},
		{Form: "Finished in {} ms", As: read.Close},
	}}.Parse})
})

var _ = Room.Add("javadoc", func(p *tool.Parser) {
	p.Is("javadoc", result.Build, 1, "javadoc 11 to 25: text, with -Xdoclint and -Werror")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansInternal, 4: result.MeansCrashed}
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(parseJavadoc)})
})

// parseJavadoc reads javadoc's errors, which have javac's form. The exit code is the same for an unknown
// option and for an error in a comment, so the findings decide the meaning.
func parseJavadoc(in *tool.Input) *tool.Report {
	return read.Text{Line: (&javac{}).line, End: func(s *read.Sink) {
		if len(s.Findings) == 1 && s.Findings[0].At == nil && strings.HasPrefix(s.Findings[0].Message, "invalid flag: ") {
			s.Meaning = result.MeansUsage
		} else if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.At != nil }) {
			s.Meaning = result.MeansFindings // whatever the exit code, javadoc read the sources
		}
	}}.Parse(in)
}
