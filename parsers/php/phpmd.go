package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("phpmd", func(p *tool.Parser) {
	p.Is("phpmd", result.Lint, 1, "PHPMD 2: text, ansi, html, xml, json, github, gitlab, sarif, checkstyle")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/files/*": phpmdFile.Item, "/errors/*": read.Objects{Kind: result.BuildError, Path: "fileName", Message: "message"}.Item}}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(func(f *result.Finding) { // "NamingRules/ShortVariable"
		f.Rule = f.Rule[strings.LastIndexByte(f.Rule, '/')+1:]
	})})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(phpmdRuleBehind)})
	p.Reads(tool.Format{Name: "xml", Parse: read.XMLByShape("pmd", phpmdXML)})
	p.Reads(tool.Format{Name: "html", Parse: read.IfFound(phpmdHTML.Parse)})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: phpmdLine}.Parse})
})

// phpmdXML makes every finding a warning: PHPMD prints a priority, which is no severity.
func phpmdXML(f *result.Finding) { f.Severity, f.RawSeverity = result.SevWarning, "" }

// phpmdRuleBehind moves the rule in " (ShortVariable, Naming Rules)" from the message's end to Rule.
func phpmdRuleBehind(f *result.Finding) {
	if i := strings.LastIndex(f.Message, " ("); i > 0 {
		f.Rule, _, _ = strings.Cut(f.Message[i+2:], ",")
		f.Message = f.Message[:i]
	}
	f.Severity = result.SevWarning
}

// phpmdLine reads the formats of one line:
//
//	/tmp/src/Parcel.php:3  ShortVariable        Avoid variables with …
//	/tmp/src/Parcel.php:3	Avoid variables with …
//	 3 | VIOLATION | Avoid variables with …    below "FILE: path"
//	::warning file=/tmp/src/Parcel.php,line=3::Avoid variables with …
func phpmdLine(s *read.Sink, l tool.Line) bool {
	f := result.Finding{Severity: result.SevWarning}
	t := strings.ReplaceAll(l.Text, "\t", "  ")
	if path, ok := strings.CutPrefix(t, "FILE: "); ok {
		s.Path = path
		return true
	}
	if w, ok := read.CutWorkflow(t); ok {
		f.At, f.Message = &w.At, w.Message
		return s.Find(l, f)
	}
	if cells := strings.SplitN(t, "|", 3); len(cells) == 3 && s.Path != "" && lex.IsDigits(strings.TrimSpace(cells[0])) {
		f.At, f.Message = &result.Location{Path: s.Path, Line: lex.Atoi(strings.TrimSpace(cells[0]))}, strings.TrimSpace(cells[2])
		return s.Find(l, f)
	}
	if lex.HasAnyPrefix(t, "Cannot find specified rule-set ", "Mandatory arguments:", "The given file ", "Input file not found") {
		return s.Misuse(l, t)
	}
	if at, message, ok := cutUnexpected(t); ok {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: at})
	}
	at, message, ok := place.Cut(t)
	if !ok || message == "" || !strings.Contains(at.Path, ".") || strings.HasPrefix(t, "#") {
		return len(s.Findings) > 0 && (strings.HasPrefix(t, "#") || t == "")
	}
	if rule, rest, has := strings.Cut(message, " "); has && strings.HasPrefix(rest, " ") || isPHPClass(rule) && len(rule) > 4 && strings.ToLower(rule[1:]) != rule[1:] {
		f.Rule, message = rule, strings.TrimLeft(rest, " ")
	}
	f.At, f.Message = &at, message
	return s.Find(l, f)
}

// cutUnexpected reads "Unexpected token: {, line: 2, col: 13, file: /tmp/syn.php."
func cutUnexpected(t string) (at *result.Location, message string, ok bool) {
	message, rest, ok := strings.Cut(strings.Trim(t, "- "), ", line: ")
	_, path, found := strings.Cut(rest, ", file: ")
	if !ok || !found || !strings.HasPrefix(message, "Unexpected ") {
		return nil, "", false
	}
	at = &result.Location{Path: strings.TrimSuffix(path, "."), Line: lex.LeadingNumber(rest)}
	if _, column, ok := strings.Cut(rest, ", col: "); ok {
		at.Column = lex.LeadingNumber(column)
	}
	return at, message, true
}

var phpmdFile = read.Objects{Path: "file", In: "violations", Default: result.SevWarning, Line: "beginLine", EndLine: "endLine", Rule: "rule", Message: "description"}

// phpmdHTML reads a problem in the HTML page, a section on one line:
//
//	<section class='prb' …><a … class='indx'>#2</a> Avoid … <span>$x</span>. <a class='info-lnk' …
//	<a href='file:///p/src/A.php' …<li class='hlt'><div class='no'>3</div>
var phpmdHTML = read.Rows{Rows: []read.Row{
	{Form: "{}<section class='prb' {}class='indx'>{}</a> {message} <a class='info-lnk'{}href='file://{path}'{}<li class='hlt'><div class='no'>{line}</div>{}", As: read.Warning, Fit: phpmdShown},
	{Form: "{}<section class='prb' {}class='indx'>{}</a> {message} <a class='info-lnk'{}href='file://{path}'{}", As: read.Warning, Fit: phpmdShown},
	{Form: "{}<title>PHPMD Report</title>{}", As: read.Skip},
}}

func phpmdShown(f *result.Finding) { f.Message = shownText(f.Message) }

// shownText returns the text of a piece of HTML without its tags.
func shownText(page string) string {
	var b strings.Builder
	for x := xmltext.NewScanner(strings.NewReader(page)); ; {
		switch x.Next() {
		case xmltext.End:
			return b.String()
		case xmltext.Text:
			b.WriteString(x.Content())
		}
	}
}
