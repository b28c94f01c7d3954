package jvm

import (
	"encoding/json"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkstyle | checkstyle.jar com.puppycrawl.tools.checkstyle.Main", func(p *tool.Parser) {
	p.Is("checkstyle", result.Lint, 1, "checkstyle 8 to 12: plain; the exit code is the number of errors")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "xml", Parse: read.Checkstyle(withoutPackage)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(withoutPackage)})
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

// withoutPackage shortens the class of a check, or of an exception, to the name that plain text has: "NeedBraces".
func withoutPackage(f *result.Finding) {
	f.Rule = strings.TrimSuffix(f.Rule[strings.LastIndexByte(f.Rule, '.')+1:], "Check")
}

var _ = Room.Add("detekt | detekt-cli detekt-cli.jar io.gitlab.arturbosch.detekt.cli.Main", func(p *tool.Parser) {
	p.Is("detekt", result.Lint, 1, "detekt 1.20 to 2.0: the console's report")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 3: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Brackets, Usage: []string{"Unknown option", "Input path does not exist", "Provided path ", "Property '"},
		Other: func(s *read.Sink, l tool.Line) bool {
			return lex.HasAnyPrefix(l.Text, "Analysis failed with ", "Analysis completed") && s.Close(l)
		},
		Accept: func(d *read.Diagnostic) bool { return d.Rule != "" }}.Parse})
})

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

var _ = Room.Add("ktlint | ktlint.jar com.pinterest.ktlint.Main", func(p *tool.Parser) {
	p.Is("ktlint", result.Lint, 1, "ktlint 0.50 to 1.8: plain (by file, too), json and checkstyle; the paths of its SARIF count from a directory that it alone knows")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file", In: "errors", Line: "line", Column: "column", Rule: "rule", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "plain", Parse: read.Linter{Rule: read.Parens, Accept: isKtlint}.Parse})
	p.Reads(tool.Format{Name: "grouped", Starts: []string{"Summary error count (descending) by rule:"}, Named: true, Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens, Ruled: true, Default: result.SevError}}.Parse})
})

func isKtlint(d *read.Diagnostic) bool {
	d.Message = strings.TrimSuffix(d.Message, " ()") // a file that cannot be parsed breaks no rule
	return strings.HasSuffix(d.At.Path, ".kt") || strings.HasSuffix(d.At.Path, ".kts")
}

var _ = Room.Add("spotbugs | findbugs", func(p *tool.Parser) {
	p.Is("spotbugs", result.Lint, 1, "SpotBugs 4: text, emacs, xml, sarif")
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<BugCollection "}, Parse: read.Fresh(func(b *spotbugsXML) read.Text { return read.Text{Line: b.line, Closes: true} })})
	p.Reads(tool.Format{Name: "text", Starts: []string{"H …:[line ", "M …:[line ", "L …:[line "}, Named: true, Parse: read.Text{Line: spotbugsLine}.Parse})
})

// spotbugsLine reads a bug. The text formats have only the abbreviation of its pattern:
//
//	M B ES: Comparison of String parameter using == or != in B.f(String)  At B.java:[line 5]
//	M B ES_COMPARING_PARAMETER_STRING_WITH_EQ ES: Comparison of …    (-longBugCodes)
//	B.java:5:5 ES: Comparison of String parameter using == or != in B.f(String) (M)    (-emacs)
//
// The two letters are the priority (H, M or L) and the category.
func spotbugsLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	head, rest, ok := strings.Cut(t, ": ")
	words := strings.Fields(head)
	switch {
	case ok && (len(words) == 3 || len(words) == 4) && strings.Contains("HML", words[0]) && len(words[1]) == 1:
		message, spot, _ := strings.Cut(rest, "  ")
		f := spotbugsFinding(words[0], words[2], message)
		if path, line, has := strings.Cut(spot[strings.LastIndexByte(spot, ' ')+1:], ":"); has {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		}
		if where, line, has := strings.Cut(spot, ":[line"); has {
			f.At = &result.Location{Path: where[strings.LastIndexByte(where, ' ')+1:], Line: lex.LeadingNumber(strings.TrimLeft(line, "s "))}
		} else if path, has := strings.CutPrefix(spot, "In "); has {
			f.At = &result.Location{Path: path}
		}
		s.Find(l, f)
	case ok && len(words) == 2 && strings.Contains(words[0], ".java:"):
		path, line, _ := strings.Cut(words[0], ":")
		message, priority := read.Parens.Cut(strings.TrimSpace(rest))
		f := spotbugsFinding(priority, words[1], message)
		f.At = &result.Location{Path: path, Line: max(0, lex.LeadingNumber(line))}
		s.Find(l, f)
	case strings.HasPrefix(t, `Exception in thread "main" `):
		_, message, _ := strings.Cut(t, ": ")
		s.Misuse(l, message)
	case strings.HasPrefix(t, "at ") && s.Last() != nil, strings.HasPrefix(t, "SLF4J"):
	default:
		return false
	}
	return s.Break()
}

func spotbugsFinding(priority, rule, message string) result.Finding {
	f := result.Finding{Severity: result.SevWarning, RawSeverity: priority, Rule: rule, Message: message}
	if priority == "H" || priority == "1" {
		f.Severity = result.SevError
	}
	return f
}

// spotbugsXML reads the element of a bug, which has the full name of the pattern but no message. Its place is the
// last SourceLine that is a direct child, or else that of the method or the class.
type spotbugsXML struct{ around string } // the element around a SourceLine, "" once the place is known

func (b *spotbugsXML) line(s *read.Sink, l tool.Line) bool {
	inner := strings.HasPrefix(l.Text, "      ")
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		kind, name := x.Next(), string(x.Name)
		switch f := s.Last(); {
		case kind == xmltext.End:
			return true
		case kind == xmltext.Open && name == "BugInstance":
			s.Find(l, spotbugsFinding(x.Attr("priority"), x.Attr("abbrev"), x.Attr("type")))
			b.around = name
		case kind == xmltext.Open && name == "SourceLine" && f != nil:
			if line := x.Number("start"); f.At == nil || line > 0 && (!inner || b.around == "Method") {
				f.At = &result.Location{Path: x.Attr("sourcepath"), Line: line}
			}
			if !inner || b.around == "Method" {
				b.around = ""
			}
		case kind == xmltext.Open && !inner && b.around != "":
			b.around = name
		case kind == xmltext.Close && name == "BugInstance":
			s.Break()
		case kind == xmltext.Close && name == "BugCollection":
			s.Close(l)
		}
	}
}

var _ = Room.Add("pmd | pmd.bat run.sh net.sourceforge.pmd.cli.PmdCli", func(p *tool.Parser) {
	p.Is("pmd", result.Lint, 1, "PMD 6 and 7: text, textcolor, emacs, json, xml, csv, sarif, codeclimate")
	p.ColumnUnit = "char"
	p.Matches = isPMD
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansUsage, 4: result.MeansFindings, 5: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Starts: []string{`"pmdVersion": "`}, Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/files/*": pmdFile.Item, "/processingErrors/*": read.Item(pmdBroken)}}.Parse})
	p.Reads(tool.Format{Name: "codeclimate", Starts: []string{`{"type":"issue","check_name":"`}, Parse: read.Text{Line: pmdIssue}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "xml", Starts: []string{`<pmd xmlns="http://pmd.sourceforge.net/`}, Parse: read.XMLByShape("pmd", pmdShaped)})
	p.Reads(tool.Format{Name: "csv", Starts: []string{`"Problem","Package","File","Priority","Line",`}, Parse: read.TableByShape(`"Problem",`, pmdShaped)})
	p.Reads(tool.Format{Name: "text", Parse: pmdText.Parse})
})

// isPMD matches PMD's commands. Before version 7 the program is run.sh, a common name, so that
// the first argument must be "pmd".
func isPMD(argv []string) bool {
	return tool.Runs("pmd", "pmd.bat", "net.sourceforge.pmd.cli.PmdCli")(argv) || argv[0] == "run.sh" && len(argv) > 1 && argv[1] == "pmd"
}

func pmdFinding(path string, line int, rule, message string) result.Finding {
	return result.Finding{Severity: result.SevWarning, Rule: rule, Message: message, At: &result.Location{Path: path, Line: line}}
}

var pmdFile = read.Objects{Path: "filename", In: "violations", Default: result.SevWarning,
	Line: "beginline", Column: "begincolumn", Rule: "rule", URL: "externalInfoUrl", Message: "description"}

func pmdBroken(s *read.Sink, v *struct{ Filename, Message string }) {
	s.FindHere(result.Finding{Rule: "ParseException", Message: v.Message, At: &result.Location{Path: v.Filename}})
}

// pmdIssue reads a line of codeclimate. PMD does not escape the rule's description, so the
// line may not be valid JSON, and is taken apart as text.
func pmdIssue(s *read.Sink, l tool.Line) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.Text, "\x00 "), `{"type":"issue","check_name":"`)
	if !ok {
		return strings.Trim(l.Text, "\x00 ") == ""
	}
	rule, rest, _ := strings.Cut(rest, `","description":`)
	var message string
	if json.NewDecoder(strings.NewReader(rest)).Decode(&message) != nil {
		s.Doubt = "some of the JSON does not have the form that is known"
	}
	spot := rest[max(0, strings.LastIndex(rest, `"location":{"path":"`)):]
	path, spot, _ := strings.Cut(strings.TrimPrefix(spot, `"location":{"path":"`), `","lines":{"begin":`)
	return s.Find(l, pmdFinding(path, lex.LeadingNumber(spot), rule, message))
}

// pmdShaped gives a finding of XML or CSV the severity that PMD's other formats have.
func pmdShaped(f *result.Finding) {
	f.Kind, f.Severity, f.RawSeverity, f.RuleURL = result.Diagnostic, result.SevWarning, "", ""
	if strings.Contains(f.Message, "Parse exception in file ") {
		f.Severity = result.SevError
	}
}

// pmdText is the formats text, emacs and textcolor, and what PMD logs.
var pmdText = read.Rows{Rows: []read.Row{
	{Form: "{path}:{line}:\t{rule}:\t{message}", As: read.Warning},
	{Form: "{path}({line},  {rule}):  {message}", As: read.Warning}, // textpad
	{Form: "* file: {path}", As: read.InPath},
	{Form: "    src:  {path}:{line}:{column}", As: read.Warning, Fit: func(f *result.Finding) { f.At.Column = 0 }},
	{Form: "    rule: {rule}", As: read.Fill},
	{Form: "    msg:  {message}", As: read.Fill},
	{Form: "    code: {}", As: read.More},
	{Form: "    err:  {rule}: {message}", Fit: pmdUnread},
	{Form: "{path}\t-\t{rule}: {message}", Fit: pmdUnread},
	{Form: "[main] ERROR {} - {message}", As: read.Misuse},
	{Form: "[main] {} - {message}", As: read.Skip},
	{Form: "Unknown option{}", As: read.Misuse},
	{Form: "Missing required{}", As: read.Misuse},
	{Form: "Invalid value{}", As: read.Misuse},
	{Form: "{path}:{line}: {message}", As: read.Warning},
}, Below: func(s *read.Sink, l tool.Line) bool { return l.Text != "" && l.Stream == tool.Stdout }}

// pmdUnread completes the finding of a file that was not checked: "Parse exception in file 'a.java' at line 2, column
// 11: …".
func pmdUnread(f *result.Finding) {
	if _, at, ok := strings.Cut(f.Message, " at line "); ok && f.At != nil {
		f.At.Line = max(0, lex.LeadingNumber(at))
	}
}
