package php

import (
	"fmt"
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("phpcs phpcbf", func(p *tool.Parser) {
	p.Is("phpcs", result.Lint, 1, "PHP_CodeSniffer 3 and 4: full and code (with and without -s), json, emacs, csv, checkstyle, summary, source -s")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{3: result.MeansUsage, 16: result.MeansUsage, 64: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"totals":{"errors":…"fixable":`}, Parse: read.Objects{At: []string{"/files"}, Clean: true, Keyed: true, In: "messages",
		Line: "line", Column: "column", Rule: "source", Severity: "type", Message: "message", Fixable: "fixable"}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "xml", Parse: read.XMLByShape("phpcs", phpcsXML)})
	p.Reads(tool.Format{Name: "full", Starts: []string{"FOUND … AFFECTING "}, Parse: parsePHPCS})
	p.Reads(tool.Format{Name: "code", Parse: read.Text{Line: phpcsCode}.Parse})
	p.Reads(tool.Format{Name: "totals", Starts: []string{"PHP CODE SNIFFER REPORT SUMMARY", "PHP CODE SNIFFER VIOLATION SOURCE SUMMARY"}, Parse: read.Text{Line: phpcsTotals}.Parse})
	p.Reads(tool.Format{Name: "csv", Starts: []string{"File,Line,Column,Type,Message,Source,Severity,Fixable"}, Parse: read.Text{Line: phpcsCSV}.Parse})
	p.Reads(tool.Format{Name: "emacs", Parse: read.Linter{Accept: phpcsEmacs, Other: phpcsTrouble}.Parse})
})

// phpcsXML drops the attribute "severity", a number from 1 to 10 that is not the finding's severity.
func phpcsXML(f *result.Finding) { f.RawSeverity = "" }

// parsePHPCS reads the table below "FILE: path". A message goes on in rows without a line number:
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

// cutCSV splits a row of CSV. A quote in a quoted cell is written as \" or "".
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

// phpcsCode reads the report "code": the problems of a line, above its source. A message may take several lines:
//
//	FILE: /p/src/A.php
//	LINE  2: ERROR   [x] Opening brace should be on a new line
//	                     (PEAR.Functions.FunctionDeclaration.BraceOnSameLine)
//	----------------------------------------------------------------------
//	   1:  <?php
//	>> 2:  function·foo($a,$b){·if($a==1)·return·$undef;·}
func phpcsCode(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutPrefix(l.Text, "FILE: "); ok {
		s.Path = path
		return true
	}
	number, text, ok := strings.Cut(strings.TrimPrefix(l.Text, "LINE "), ": ")
	word, text, _ := strings.Cut(text, " ")
	switch last := s.Last(); {
	case ok && s.Path != "" && strings.HasPrefix(l.Text, "LINE ") && lex.IsDigits(strings.TrimSpace(number)) && read.SeverityOf(word) != "":
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, At: &result.Location{Path: s.Path, Line: lex.Atoi(strings.TrimSpace(number))}})
		phpcsText(s.Last(), strings.TrimSpace(text))
		return true
	case last != nil && strings.HasPrefix(l.Text, "          "):
		phpcsText(last, last.Message+" "+strings.TrimSpace(l.Text))
		return s.More(l)
	}
	s.Break()
	return phpcsTrouble(s, l) || strings.HasPrefix(l.Text, "FOUND ") || strings.HasPrefix(l.Text, "-----") || strings.HasPrefix(l.Text, "PHPCBF CAN FIX")
}

// phpcsText splits "[x] text (Sniff.Name)" into Fixable, Message and Rule.
func phpcsText(f *result.Finding, text string) {
	if f == nil {
		return // the finding is counted, but not kept
	}
	f.Fixable = f.Fixable || strings.HasPrefix(text, "[x] ")
	f.Message, f.Rule = cutSniff(strings.TrimPrefix(strings.TrimPrefix(text, "[x] "), "[ ] "))
}

// phpcsTotals reads the reports "summary", a row for each file, and "source" with -s, a row for each sniff:
//
//	/p/src/A.php                                    13      1
//	[x] PEAR.WhiteSpace.ScopeClosingBrace.Line      3
//	A TOTAL OF 13 ERRORS AND 1 WARNING WERE FOUND IN 1 FILE
func phpcsTotals(s *read.Sink, l tool.Line) bool {
	words := strings.Fields(l.Text)
	n := len(words)
	switch {
	case strings.HasPrefix(l.Text, "PHP CODE SNIFFER "):
		s.Path = l.Text
	case s.Path == "":
		return phpcsTrouble(s, l)
	case strings.HasPrefix(l.Text, "A TOTAL OF "):
		counts := read.Counts(strings.ToLower(strings.TrimPrefix(l.Text, "A TOTAL OF ")))
		if s.Path = ""; counts["sniff"] == 0 {
			s.Counts["error"], s.Counts["warning"] = counts["errors"]+counts["error"], counts["warnings"]+counts["warning"]
		}
		s.Close(l)
	case n > 2 && strings.HasSuffix(s.Path, "REPORT SUMMARY") && lex.IsDigits(words[n-1]) && lex.IsDigits(words[n-2]):
		errors, warnings := words[n-2], words[n-1]
		f := result.Finding{Severity: result.SevWarning, Message: fmt.Sprintf("%s errors and %s warnings in %s", errors, warnings, path.Base(words[0])), At: &result.Location{Path: strings.Join(words[:n-2], " ")}}
		if errors != "0" {
			f.Severity = result.SevError
		}
		s.Find(l, f)
		s.Break()
	case strings.HasSuffix(s.Path, "SOURCE SUMMARY") && n > 3 && lex.HasAnyPrefix(l.Text, "[x] ", "[ ] ") && lex.IsDigits(words[n-1]) && strings.Count(words[n-2], ".") < 2:
		standard := strings.Join(strings.Fields(strings.TrimSpace(l.Text[len("[x] "):len(l.Text)-len(words[n-1])])), " ")
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: standard + ": " + words[n-1], Fixable: l.Text[1] == 'x'})
		s.Break()
	case n == 3 || n == 4:
		rule := words[n-2]
		if !lex.IsDigits(words[n-1]) || strings.Count(rule, ".") < 2 {
			return false
		}
		s.Find(l, result.Finding{Severity: result.SevWarning, Rule: rule, Message: words[n-1] + " of " + rule, Fixable: words[0] == "[x]"})
		s.Break()
	}
	return true
}
