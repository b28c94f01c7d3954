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
	if at, message, ok := cutUnexpected(strings.TrimPrefix(t, "::error file=::")); ok {
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

var _ = Room.Add("php-cs-fixer | php-cs-fixer.phar", func(p *tool.Parser) {
	p.Is("php-cs-fixer", result.Format, 1, "PHP CS Fixer 3: txt, with --diff and -v, and gitlab")
	p.Exits = map[int]result.Meaning{4: result.MeansFindings, 8: result.MeansFindings, 12: result.MeansFindings, 16: result.MeansUsage, 32: result.MeansUsage, 64: result.MeansInternal}
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(func(f *result.Finding) { f.Rule = strings.TrimPrefix(f.Rule, "PHP-CS-Fixer.") })})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Found … that can be fixed in ", "Fixed … files in ", "PHP CS Fixer "}, Named: true, Parse: read.Fresh(func(r *fixed) read.Text { return read.Text{Line: r.line} })})
})

// fixed reads a row for each file, "   1) src/Parcel.php (braces, indentation_type)", and the difference below it,
// whose first change is the place. Files that do not parse have rows of their own behind the counts.
type fixed struct {
	diff    bool
	invalid bool
	old     int // the number of the next line of the old file, until the first change
}

func (r *fixed) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	number, row, isRow := strings.Cut(t, ") ")
	hunk, isHunk := strings.CutPrefix(l.Text, "@@ -")
	f := s.Last()
	switch {
	case strings.HasPrefix(t, "---------- begin diff"):
		r.diff, r.old = true, 0
	case strings.HasPrefix(t, "----------- end diff"):
		r.diff = false
	case r.diff && isHunk && f != nil && f.At.Line == 0:
		r.old = lex.LeadingNumber(hunk)
	case r.diff && r.old > 0 && f != nil && lex.HasAnyPrefix(l.Text, "-", "+"):
		f.At.Line, r.old = r.old, 0
	case r.diff:
		r.old += min(r.old, 1)
	case isRow && lex.IsDigits(number) && strings.HasPrefix(l.Text, "  "):
		path, fixers, _ := strings.Cut(row, " (")
		say := result.Finding{Message: strings.TrimSuffix(fixers, ")"), At: &result.Location{Path: path}, Fixable: true}
		if r.invalid {
			say.Message, say.Fixable = path[strings.LastIndexByte(path, '/')+1:]+" has errors and was not fixed", false
		}
		return s.Find(l, say)
	case strings.HasPrefix(t, "Files that were not fixed due to errors "):
		r.invalid = true
		return s.Break()
	case strings.HasPrefix(t, "Found ") && strings.Contains(t, " that can be fixed in "):
		return s.Close(l)
	default:
		s.Break()
		return lex.HasAnyPrefix(t, "PHP CS Fixer ", "PHP runtime: ", "Loaded config ", "Running analysis on ", "Paths from configuration ", "If you need help while solving warnings") || strings.Contains(t, "░") || strings.Contains(t, "▓")
	}
	return s.More(l)
}

var _ = Room.Add("phpstan | phpstan.phar", func(p *tool.Parser) {
	p.Is("phpstan", result.Typecheck, 1, "PHPStan 1 and 2: table, raw, json; from its documentation")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/files": read.Objects{Keyed: true, In: "messages", Line: "line", Rule: "identifier", Message: "message"}.Item}, End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "table", Starts: []string{"Line   …"}, Sniff: func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), ".php") }, Parse: read.Text{Line: phpstanLine, End: read.Unseen}.Parse})
	p.Reads(tool.Format{Name: "raw", Parse: read.Text{Line: phpstanLine, End: read.Unseen}.Parse})
})

// phpstanLine reads the table and, in raw, "path:line:text":
//
//	------ -------------------------
//	 Line   src/Parcel.php
//	------ -------------------------
//	 12     Undefined variable: $x
//	        🪪  variable.undefined
func phpstanLine(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	number, text, _ := strings.Cut(t, " ")
	text = strings.TrimSpace(text)
	at, message, placed := place.Cut(l.Text)
	switch {
	case t == "" || strings.Trim(t, "- ") == "":
		s.Break()
		return s.Path != ""
	case number == "Line" && strings.HasSuffix(text, ".php"):
		s.Path = text
	case s.Path != "" && lex.IsDigits(number) && text != "":
		s.Find(l, result.Finding{Message: text, At: &result.Location{Path: s.Path, Line: lex.Atoi(number)}})
	case strings.HasPrefix(t, "[ERROR] ") || strings.HasPrefix(t, "[OK] "):
		if n := read.Counts(t); n["errors"]+n["error"] > 0 {
			s.Claim(n["errors"] + n["error"])
		}
		s.Close(l)
	case placed && strings.HasSuffix(at.Path, ".php"):
		s.Find(l, result.Finding{Message: message, At: &at})
		s.Break()
	case s.Last() == nil:
		return false
	default:
		phpstanMore(s.Last(), t)
		s.More(l)
	}
	return true
}

// phpstanMore reads a further line of an error: the identifier behind 🪪, a tip behind 💡, or more of the message.
func phpstanMore(f *result.Finding, t string) {
	if _, id, ok := strings.Cut(t, "🪪 "); ok {
		f.Rule = strings.TrimSpace(id)
	} else if _, tip, ok := strings.Cut(t, "💡 "); ok {
		f.Suggestions = append(f.Suggestions, strings.TrimSpace(tip))
	} else if f.Rule == "" {
		f.Message += " " + t
	}
}

var _ = Room.Add("psalm | psalm.phar", func(p *tool.Parser) {
	p.Is("psalm", result.Typecheck, 1, "Psalm 4 to 6: console; from its documentation")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansFindings}
	p.Reads(tool.Format{Name: "console", Parse: read.Rows{Rows: []read.Row{
		{Form: "{severity}: {rule} - {path}:{line}:{column} - {message} (see {url})"}, {Form: "{severity}: {rule} - {path}:{line}:{column} - {message}"},
	}, Below: read.Indented, End: read.Unseen}.Parse})
})
