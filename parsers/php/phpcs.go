package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("phpcs phpcbf", func() *tool.Parser {
	return &tool.Parser{
		Tool: "phpcs", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "PHP_CodeSniffer 3 and 4: full and code (with and without -s), json, emacs, csv, checkstyle, summary, source -s",
		Exits: map[int]result.Meaning{3: result.MeansUsage, 16: result.MeansUsage, 64: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "json", Starts: []string{`{"totals":{"errors":…"fixable":`}, Parse: read.Objects{At: []string{"/files"}, Clean: true, Keyed: true, In: "messages",
				Line: "line", Column: "column", Rule: "source", Severity: "type", Message: "message", Fixable: "fixable"}.Parse},
			{Name: "checkstyle", Parse: read.Checkstyle(nil)},
			{Name: "xml", Parse: read.XMLByShape("phpcs", phpcsXML)},
			{Name: "full", Starts: []string{"FOUND … AFFECTING "}, Parse: parsePHPCS},
			{Name: "code", Parse: read.Text{Line: phpcsCode}.Parse},
			{Name: "totals", Starts: []string{"PHP CODE SNIFFER REPORT SUMMARY", "PHP CODE SNIFFER VIOLATION SOURCE SUMMARY"}, Parse: read.Text{Line: phpcsTotals}.Parse},
			{Name: "csv", Starts: []string{"File,Line,Column,Type,Message,Source,Severity,Fixable"}, Parse: read.Text{Line: phpcsCSV}.Parse},
			{Name: "emacs", Parse: read.Linter{Accept: phpcsEmacs, Other: phpcsTrouble}.Parse},
		},
	}
})

// phpcsXML: the rule stands under the name of the source, and the number under that of
// the severity is no severity.
func phpcsXML(f *result.Finding) { f.RawSeverity = "" }

// parsePHPCS reads the table below "FILE: path". A message goes on in further
// rows that have no line of their own:
//
//	2 | ERROR   | [x] Opening brace of a class must be on the line after
//	  |         |     the definition (PSR2.Classes.ClassDeclaration)
func parsePHPCS(in *tool.Input) *tool.Report {
	table := false
	return read.Text{Line: func(s *read.Sink, l tool.Line) bool {
		if path, ok := strings.CutPrefix(l.Text, "FILE: "); ok {
			s.Path = path
			return true
		}
		cells := strings.SplitN(l.Text, "|", 3)
		if len(cells) != 3 || s.Path == "" {
			table = table && l.Text == ""
			return phpcsTrouble(s, l) || strings.HasPrefix(l.Text, "-----") || strings.HasPrefix(l.Text, "FOUND ") || s.Path != "" && l.Text == "" ||
				strings.HasPrefix(l.Text, "PHPCBF CAN FIX") || strings.HasPrefix(l.Text, "Time: ")
		}
		line, word, text := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		switch {
		case lex.IsDigits(line) && read.SeverityOf(word) != "":
			f := result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, At: &result.Location{Path: s.Path, Line: lex.Atoi(line)}}
			f.Fixable = strings.HasPrefix(text, "[x] ")
			f.Message = strings.TrimPrefix(strings.TrimPrefix(text, "[x] "), "[ ] ")
			s.Find(l, f)
		case line == "" && word == "" && s.Last() != nil:
			s.Last().Message += " " + text
		default:
			return false
		}
		if last := s.Last(); last != nil && strings.HasSuffix(last.Message, ")") {
			if message, sniff := read.Parens.Cut(last.Message); strings.Count(sniff, ".") >= 2 {
				last.Message, last.Rule = message, sniff
			}
		}
		return true
	}}.Parse(in)
}

// phpcsTrouble reads "ERROR: the "Nope" coding standard is not installed."
func phpcsTrouble(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "ERROR: ")
	if !ok {
		return s.Meaning == result.MeansUsage
	}
	s.Misuse(l, message)
	return s.Break()
}

func phpcsEmacs(d *read.Diagnostic) bool {
	word, message, ok := strings.Cut(d.Message, " - ")
	if ok && read.SeverityOf(word) != "" {
		d.Word, d.Message = word, message
	}
	d.Message = strings.TrimPrefix(d.Message, "- ")
	d.Message, d.Rule = cutSniff(d.Message)
	return d.Word != ""
}

func cutSniff(message string) (rest, sniff string) {
	if rest, sniff = read.Parens.Cut(message); strings.Count(sniff, ".") < 2 {
		return message, ""
	}
	return rest, sniff
}

// phpcsCSV reads `"/tmp/a.php",1,1,error,"text",PSR12.Files.FileHeader.Spacing,5,1`.
func phpcsCSV(s *read.Sink, l tool.Line) bool {
	c := cutCSV(l.Text)
	if len(c) != 8 || !lex.IsDigits(c[1]) {
		return false
	}
	return s.Find(l, result.Finding{
		Severity: read.SeverityOf(c[3]), RawSeverity: c[3], Message: c[4], Rule: c[5], Fixable: c[7] == "1",
		At: &result.Location{Path: c[0], Line: lex.Atoi(c[1]), Column: lex.Atoi(c[2])},
	})
}

// cutCSV splits a row; a quote in a quoted cell is "\"" or doubled.
func cutCSV(row string) (cells []string) {
	var cell strings.Builder
	quoted := false
	for i := 0; i < len(row); i++ {
		switch c := row[i]; {
		case c == '\\' && i+1 < len(row) && row[i+1] == '"', c == '"' && quoted && i+1 < len(row) && row[i+1] == '"':
			i++
			cell.WriteByte('"')
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			cells = append(cells, cell.String())
			cell.Reset()
		default:
			cell.WriteByte(c)
		}
	}
	return append(cells, cell.String())
}
