package prose

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("chktex", func(p *tool.Parser) {
	p.Is("chktex", result.Lint, 1, "ChkTeX 1.7: its messages, and one a line (-v0)")
	p.Reads(chktexTemplate.Format("chktex"))
	p.Reads(tool.Format{Name: "text", Parse: chktexText.Parse})
})

// chktexTemplate reads the output of -f with the user's own format; "!n" in the format ends a line.
var chktexTemplate = read.Template{
	Letters: true,
	Names:   map[string]string{"f": "{path}", "l": "{line}", "c": "{column}", "m": "{message}", "n": "{rule}", "k": "{word}"},
}

// chktexText reads "Warning 11 in d.tex line 3: text", with the source and carets
// below it, and "d.tex:3:7:11:text".
var chktexText = read.Rows{
	Rows: []read.Row{
		{Form: "{severity} {rule} in {path} line {line}: {message}"},
		{Form: "{path}:{line}:{column}: {severity} {rule}: {message}"}, // a format that is often given to -f
		{Form: "{path}:{line}:{column}:{rule}:{message}", As: read.Warning},
		{Form: "chktex: WARNING -- {message}", As: read.Warning, Fit: func(f *result.Finding) { f.Kind = result.GenericFinding }},
		{Form: "chktex: {message}", As: read.Misuse},
		{Form: "ChkTeX v{}", As: read.Skip}, {Form: "No errors printed; {}", As: read.Skip},
	},
	Below: func(s *read.Sink, l tool.Line) bool {
		if at := s.Last().At; at != nil && at.Column == 0 && strings.Trim(l.Text, " ^") == "" {
			at.Column = strings.IndexByte(l.Text, '^') + 1
		}
		return l.Stream == tool.Stdout
	},
}

var _ = Room.Add("tidy", func(p *tool.Parser) {
	p.Is("tidy", result.Lint, 1, "HTML Tidy 4.9 to 5.8: default and --gnu-emacs yes")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Accept: func(d *read.Diagnostic) bool { return d.Word != "" }, Other: tidyLine}.Parse})
})

// tidyLine reads "line 5 column 13 - Warning: text", which names no file, and the closing count in the words of old
// and new versions.
func tidyLine(s *read.Sink, l tool.Line) bool {
	var line, column, warnings, errors int
	switch text := l.Text; {
	case strings.HasPrefix(text, "line "):
		at, rest, ok := strings.Cut(text, " - ")
		if n, _ := fmt.Sscanf(at, "line %d column %d", &line, &column); !ok || n != 2 {
			return false
		}
		word, message := read.CutSeverity(rest)
		f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: message}
		if file := read.OnlyFile(s.In, ".html", ".htm", ".xhtml", ".xml"); file != "" {
			f.At = &result.Location{Path: file, Line: line, Column: column}
		} else {
			f.Message = at + ": " + message
		}
		s.Find(l, f)
	case strings.HasPrefix(text, "Tidy found "):
		if n, _ := fmt.Sscanf(strings.NewReplacer("warning ", "warnings ", "error!", "errors!").Replace(text), "Tidy found %d warnings and %d errors!", &warnings, &errors); n == 2 {
			s.Claim(errors)
		}
		s.Close(l)
	case text == "No warnings or errors were found.":
		s.Close(l)
	case strings.HasPrefix(text, "Document: ") && strings.HasSuffix(text, " is not a file!"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	case strings.HasPrefix(text, "Config: "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Severity: result.SevWarning, Message: strings.TrimPrefix(text, "Config: ")})
	default:
		return s.Closed() // lines below the closing count are advice
	}
	return true
}

var _ = Room.Add("xmllint", func(p *tool.Parser) {
	p.Is("xmllint", result.Lint, 1, "xmllint of libxml2 2.9 to 2.14: well-formedness, DTD, schema, RELAX NG")
	p.Exits = map[int]result.Meaning{1: result.MeansFindings, 2: result.MeansFindings, 5: result.MeansUsage, 6: result.MeansInternal, 7: result.MeansUsage, 9: result.MeansInternal, 10: result.MeansFindings, 11: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: xmllintMessage, Below: xmllintFrame, Other: xmllintTrouble,
	}.Parse})
})

// xmllintMessage reads "element b: Schemas validity error : text" behind a place. The kind of error becomes the rule.
func xmllintMessage(d *read.Diagnostic) bool {
	kind, message, ok := strings.Cut(d.Message, " : ")
	if !ok || !strings.HasSuffix(kind, "error") && !strings.HasSuffix(kind, "warning") {
		return false
	}
	if element, rest, has := strings.Cut(kind, ": "); has && strings.HasPrefix(element, "element ") {
		kind = rest
	}
	d.Rule, d.Message = kind, message
	if strings.HasSuffix(kind, "warning") {
		d.Word = "warning"
	}
	return true
}

// xmllintFrame reports whether a line is the source of an error or the caret below it.
func xmllintFrame(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	return f != nil && !strings.HasSuffix(f.Detail, "^") && !strings.HasSuffix(l.Text, " fails to validate") && !lex.HasAnyPrefix(l.Text, xmllintUnread...)
}

// xmllintUnread begins messages about a file that could not be read.
var xmllintUnread = []string{"warning: failed to load ", "I/O error : ", "I/O warning : "}

// xmllintTrouble reads messages without a line number.
func xmllintTrouble(s *read.Sink, l tool.Line) bool {
	text := l.Text
	f := result.Finding{Kind: result.GenericFinding, Message: text}
	switch {
	case lex.HasAnyPrefix(text, xmllintUnread...), text == "XPath set is empty":
	case strings.HasPrefix(text, "XPath error : "), strings.HasPrefix(text, "xmlXPathEval: "):
	case strings.HasPrefix(text, "Unknown option "):
		s.Meaning = result.MeansUsage
	case strings.HasSuffix(text, " fails to validate"), strings.HasPrefix(text, "Document ") && strings.Contains(text, " does not validate against "), strings.HasSuffix(text, " validates"):
		return s.Close(l)
	default:
		return s.Meaning == result.MeansUsage
	}
	return s.Find(l, f)
}

// curlylint groups problems by file, as ESLint does; the format compact has one line for each problem.
var _ = Room.Add("curlylint", func(p *tool.Parser) {
	p.Is("curlylint", result.Lint, 1, "curlylint 0.12 and 0.13: stylish, compact, json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file_path", Line: "line", Column: "column", Rule: "code", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{line}:{column}\t{message}\t{rule}"}, {Form: "{place}{message} ({rule})"},
		{Form: "{#error} error reported", As: read.Count}, {Form: "{#error} errors reported", As: read.Count},
		{Form: "All done! {}", As: read.Skip}, {Form: "Oh no! {}", As: read.Skip},
	}, Other: func(s *read.Sink, l tool.Line) bool {
		if !strings.ContainsAny(l.Text, " \t") {
			s.Path = strings.Clone(l.Text)
		}
		return false
	}}.Parse})
	read.InPython(p)
})

// djlint checks templates of HTML, and groups problems by file:
//
//	templates/a.html
//	───────────────────────────────────────────────────────────────────────────────
//	H013 2:0 Img tag should have an alt attribute. <img src="x.png">
//
//	Linted 3 files, found 4 errors.
//
// With --check it prints differences instead of the rows.
var _ = Room.Add("djlint", func(p *tool.Parser) {
	p.Is("djlint", result.Lint, 1, "djlint 1: --lint, --check, --reformat, --statistics, --linter-output-format with path, line and rule")
	p.Reads(djlintTemplate.Format("djlint"))
	p.Reads(tool.Format{Name: "text", Starts: []string{"Linted … found "}, Named: true, Parse: read.Lines((*djlint).line)})
	read.InPython(p)
})

// djlintTemplate reads --linter-output-format, in which a line is "3:7".
var djlintTemplate = read.Template{
	Names: map[string]string{"line": "{line}:{column}"},
	Fit: func(f *result.Finding) bool {
		f.Message, _, _ = strings.Cut(f.Message, ". <")
		f.Message = strings.TrimSuffix(f.Message, ".")
		return isDjlintRule(f.Rule)
	},
}

type djlint struct {
	path    string // the group's file; "" until the rule "────" below the path is read
	before  string // the line above
	differs bool   // a difference was shown
}

func (d *djlint) line(s *read.Sink, l tool.Line) bool {
	before := d.before
	d.before = l.Text
	if strings.HasPrefix(l.Text, "────") && strings.Trim(l.Text, "─") == "" {
		d.path, d.differs = strings.Clone(before), false
		return true
	}
	number := lex.LeadingNumber(l.Text)
	rule, rest, _ := strings.Cut(l.Text, " ")
	where, message, ok := strings.Cut(rest, " ")
	line, column, isPlace := strings.Cut(where, ":")
	isPlace = isPlace && lex.IsDigits(line) && lex.IsDigits(column) && len(line) < 9 && len(column) < 9
	_, found, closes := strings.Cut(l.Text, ", found ")
	switch {
	case ok && isPlace && d.path != "" && d.path != "Statistics" && isDjlintRule(rule):
		message, _, _ = strings.Cut(message, ". <")
		s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSuffix(message, "."), At: &result.Location{Path: d.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	case closes && strings.HasPrefix(l.Text, "Linted "):
		s.Claim(lex.LeadingNumber(found))
		s.Sign(l)
	case strings.HasPrefix(l.Text, "@@ -") && d.path != "" && !d.differs:
		d.differs = true
		s.Find(l, result.Finding{Rule: "unformatted", Message: "would be updated", At: &result.Location{Path: d.path}, Fixable: true})
	case number > 0 && (strings.HasSuffix(l.Text, " would be updated.") || strings.HasSuffix(l.Text, " updated.")):
		s.Sign(l)
	case lex.HasAnyPrefix(l.Text, "Linting ", "Checking ", "Reformatting "):
	default:
		return d.ownFormat(s, l)
	}
	return s.Break()
}

// ownFormat reads "a.html:2:0: H013 text", as --linter-output-format is often set.
func (d *djlint) ownFormat(s *read.Sink, l tool.Line) bool {
	c, ok := read.CutDiagnostic(l.Text)
	rule, message, has := strings.Cut(c.Message, " ")
	if rule = strings.TrimSuffix(rule, ":"); !ok || !has || !isDjlintRule(rule) {
		return false
	}
	return s.Find(l, result.Finding{Rule: rule, Message: strings.TrimSuffix(message, "."), At: &c.At})
}

// isDjlintRule reports whether word is one or two capitals and three digits: "H013".
func isDjlintRule(word string) bool {
	name := strings.TrimRight(word, "0123456789")
	return len(word)-len(name) == 3 && len(name) > 0 && len(name) < 3 && strings.ToUpper(name) == name
}
