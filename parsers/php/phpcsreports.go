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

// phpcsCode reads the report "code": problems of a line above its source. A message goes on below itself:
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

// phpcsText takes a message apart: whether it can be fixed, and the sniff at its end.
func phpcsText(f *result.Finding, text string) {
	if f == nil {
		return // one more than are kept
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
