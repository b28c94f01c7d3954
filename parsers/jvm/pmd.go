package jvm

import (
	"encoding/json"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pmd | pmd.bat run.sh", func(p *tool.Parser) {
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
	return tool.Runs("pmd", "pmd.bat")(argv) || argv[0] == "run.sh" && len(argv) > 1 && argv[1] == "pmd"
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
	{Form: "    src:  {}:{line}:{column}", As: read.Warning, Fit: func(f *result.Finding) { f.At.Column = 0 }},
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
