package security

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("semgrep | opengrep", func(p *tool.Parser) {
	p.Is("semgrep", result.Security, 1, "semgrep 1: text, --json")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansInternal, 4: result.MeansUsage, 5: result.MeansUsage, 7: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/version":   read.Item(func(s *read.Sink, v *string) { s.Version = *v }),
		"/results/*": semgrepResult.Item,
		"/errors/*":  semgrepError.Item,
	}}.Parse})
	p.Reads(tool.Format{Name: "emacs", Parse: read.IfFound(read.Linter{Accept: semgrepEmacs, Severity: semgrepWord}.Parse)})
	p.Reads(tool.Format{Name: "vim", Parse: read.IfFound(read.Linter{Accept: semgrepVim, Severity: semgrepWord}.Parse)})
	p.Reads(tool.Format{Name: "text", Starts: []string{"❯❯❱ ", "❯❱ ", "❱ "}, Parse: read.Fresh(func(p *semgrepText) read.Text { return read.Text{Line: p.line, End: p.end} })})
	p.Reads(read.PythonTrouble("semgrep"))
})

var semgrepResult = read.Objects{Path: "path", Line: "start.line", Column: "start.col", EndLine: "end.line", EndColumn: "end.col",
	Rule: "check_id", Severity: "extra.severity", Message: "extra.message", Fit: func(f *result.Finding) {
		f.Severity, f.RawSeverity = semgrepLevel(f.RawSeverity), strings.ToLower(f.RawSeverity)
		f.Message, f.Detail, _ = strings.Cut(f.Message, "\n")
	}}

func semgrepLevel(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "error: HIGH; warning: MEDIUM; info: LOW, INVENTORY, EXPERIMENT")), read.SeverityOf(word))
}

var semgrepError = read.Objects{Path: "path", Severity: "level", Message: "message", Fit: func(f *result.Finding) {
	f.Rule = "error"
	f.Message, f.Detail, _ = strings.Cut(f.Message, "\n")
}}

// semgrepWord returns the severity for a word of --emacs ("warning") or --vim ("w").
func semgrepWord(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "error: e; warning: w; info: i")), semgrepLevel(strings.ToUpper(word)))
}

// semgrepEmacs reads "path:1:1:warning(no-import):import os:no os". A colon separates the code from the
// rule's message, but both may have colons. The last colon without a blank or "/" behind it is taken as the
// separator, since colons in sentences have a blank.
func semgrepEmacs(d *read.Diagnostic) bool {
	word, rest, ok := strings.Cut(d.Message, "(")
	rule, rest, closed := strings.Cut(rest, "):")
	if !ok || !closed || semgrepWord(word) == "" || rule == "" || strings.Contains(rule, " ") {
		return false
	}
	for i := len(rest) - 2; i > 0; i-- {
		if rest[i] == ':' && rest[i+1] != ' ' && rest[i+1] != '/' {
			rest = rest[i+1:]
			break
		}
	}
	d.Word, d.Rule, d.Message = word, rule, rest
	return rest != ""
}

// semgrepVim reads "path:1:1:W:no-import:no os".
func semgrepVim(d *read.Diagnostic) bool {
	word, rest, _ := strings.Cut(d.Message, ":")
	rule, message, ok := strings.Cut(rest, ":")
	if !ok || len(word) != 1 || !strings.Contains("EWI", word) || rule == "" || strings.Contains(rule, " ") {
		return false
	}
	d.Word, d.Rule, d.Message = strings.ToLower(word), rule, message
	return message != ""
}

// semgrepText reads the text format: a file, below it the rules with their messages, and below a
// rule the code of its matches, which a line of dashes separates:
//
//	 src/x.py
//	❯❯❱ rules.no-eval
//	       ❰❰ Blocking ❱❱
//	       do not eval
//
//	         3┆ return eval(
//	         4┆     a
//	         ⋮┆----------------------------------------
//	        19┆ eval(b)
type semgrepText struct {
	path    string
	head    tool.Line // the line with the rule
	rule    string
	level   result.Severity
	message []string
	inCode  bool // the code of the last match is being read
	found   int  // number of findings in semgrep's last lines
}

// maxSaid bounds the lines of a rule's message.
const maxSaid = 40

func (p *semgrepText) end(s *read.Sink) {
	if p.found > len(s.Findings)+s.Dropped {
		s.Doubt = "findings are counted that are not shown"
	}
}

func (p *semgrepText) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	indent := len(l.Text) - len(strings.TrimLeft(l.Text, " "))
	number, code, isCode := strings.Cut(text, "┆")
	switch {
	case text == "":
		return p.rule != ""
	case strings.HasPrefix(text, "Ran ") && strings.Contains(text, " rules on ") || strings.HasPrefix(text, "Ran 1 rule on "):
		_, found, _ := strings.Cut(text, ": ")
		p.found += lex.LeadingNumber(found)
		s.Close(l)
	case p.isRule(text):
		p.head = l
		s.Sign(l)
		s.Break()
	case isCode && (strings.Contains(number, "⋮") || lex.IsDigits(number)):
		p.code(s, l, number, code)
	case p.rule != "" && indent >= 8 && len(p.message) < maxSaid && !p.inCode:
		if !lex.HasAnyPrefix(text, "❰❰ ", "▶▶┆ Autofix ") {
			p.message = append(p.message, text)
		}
	case indent >= 2 && indent <= 6 && strings.ContainsAny(text, "./") && !strings.Contains(text, " "):
		p.path, p.rule = text, ""
		s.Break()
	default:
		p.rule = ""
		return false
	}
	return s.Cover(l)
}

// isRule reads the head of a rule, "❯❯❱ rules.no-eval", whose arrows stand for the severity.
func (p *semgrepText) isRule(text string) bool {
	arrows, rule, ok := strings.Cut(text, " ")
	level := map[string]result.Severity{"❯❯❱": result.SevError, "❯❱": result.SevWarning, "❱": result.SevInfo}[arrows]
	if !ok || level == "" || strings.Contains(rule, " ") {
		return false
	}
	*p = semgrepText{path: p.path, rule: rule, level: level, found: p.found}
	return true
}

// code takes a line of code. The first line of a match is the finding's place.
func (p *semgrepText) code(s *read.Sink, l tool.Line, number, code string) {
	switch {
	case strings.HasPrefix(code, "----"):
		p.inCode = false
		s.Break()
	case p.rule == "" || !lex.IsDigits(number):
		return
	case p.inCode:
		s.More(l)
	default:
		f := result.Finding{Severity: p.level, Rule: p.rule, Message: strings.Join(p.message, " ")}
		if message, _, ok := strings.Cut(f.Message, " Details: https://"); ok {
			f.Message = message
		}
		if p.path != "" {
			f.At = &result.Location{Path: p.path, Line: lex.Atoi(number)}
		}
		s.Find(l, f)
		s.Last().RawSpan.Start = p.head.Start
		p.inCode = true
	}
}

var _ = Room.Add("ast-grep", func(p *tool.Parser) {
	p.Is("ast-grep", result.Lint, 1, "ast-grep scan 0.2x to 0.5x: rich, medium and short, json, sarif; github is anyone's")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Beside(read.Objects{
		At: []string{"/*", ""}, Path: "file", Line: "range.start.line", Column: "range.start.column", Rule: "ruleId", Severity: "severity", Message: "message",
		Fit: func(f *result.Finding) { f.At.Line, f.At.Column = f.At.Line+1, f.At.Column+1 }, // the JSON counts from 0
	}.Parse, read.Text{Line: astGrepEnd})})
	p.Reads(tool.Format{Name: "sarif", Parse: read.Beside(read.SARIF(nil), read.Text{Line: astGrepEnd})})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(a *astGrep) read.Text { return read.Text{Line: a.line, Usage: []string{"error: "}} })})
})

// astGrepEnd reads "Error: 2 error(s) found in code.", and the advice below it.
func astGrepEnd(s *read.Sink, l tool.Line) bool {
	number, ok := strings.CutSuffix(strings.TrimPrefix(l.Text, "Error: "), " error(s) found in code.")
	if !ok || !lex.IsDigits(number) {
		return strings.HasPrefix(l.Text, "Help: Scan succeeded and found error level diagnostics")
	}
	return s.Found(l, lex.Atoi(number))
}

// astGrep reads three forms: a message above a frame, a message below a path and above the change that would fix
// it, and a message with its place in one line:
//
//	warning[no-var]: No var
//	  ┌─ src/x.js:1:1
//
//	src/x.js
//	error[no-console]: No console
//	@@ -0,5 +0,5 @@
//	2  │-console.log(a);
//
//	src/x.js:2:1: error[no-console]: No console
type astGrep struct {
	framed read.Framed
	path   string // the file of a change; "" if the previous line was not a path
	open   bool   // the line number of the change is still to come
}

func (a *astGrep) line(s *read.Sink, l tool.Line) bool {
	if at, rest, ok := place.Cut(l.Text); ok {
		word, message, has := strings.Cut(rest, "]: ")
		word, rule, ruled := strings.Cut(word, "[")
		return has && ruled && s.Find(l, astGrepFinding(word, rule, message, &at))
	}
	if word, message, ok := strings.Cut(l.Text, "]: "); ok && a.path != "" {
		if _, rule, ruled := strings.Cut(word, "["); ruled && !strings.Contains(word, " ") {
			word, _, _ = strings.Cut(word, "[")
			f := astGrepFinding(word, rule, message, &result.Location{Path: a.path})
			f.Fixable = true
			a.path, a.open = "", true
			return s.Find(l, f)
		}
	}
	if number, source, row := strings.Cut(l.Text, "│-"); row && a.open && s.Last() != nil && source != "" {
		a.open, s.Last().At.Line = false, lex.LeadingNumber(strings.TrimSpace(number))
		return s.More(l)
	}
	if a.framed.Line(s, l) || astGrepEnd(s, l) {
		return true
	}
	if a.path = ""; place.IsFile(l.Text) && !strings.ContainsAny(l.Text, " :") {
		s.Break()
		a.path = strings.Clone(l.Text)
	}
	return s.Open() && l.Text != "" && s.More(l)
}

func astGrepFinding(word, rule, message string, at *result.Location) result.Finding {
	return result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: at}
}
