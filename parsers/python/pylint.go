package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// pylint counts columns from 0; a finding's columns count from 1.
var _ = Room.Add("pylint", func(p *tool.Parser) {
	p.Is("pylint", result.Lint, 1, "pylint 2.6 to 4.0: text, colorized, parseable, msvs, github, json, json2")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{32: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*", "/messages/*"}, Clean: true, Path: "path", Line: "line", Column: "column", EndLine: "endLine", EndColumn: "endColumn", Column0: true,
		Rule: "message-id messageId", RuleName: "symbol", Message: "message", Fit: gradePylint,
	}.Parse})
	p.Reads(pylintTemplate.Format("pylint"))
	p.Reads(tool.Format{Name: "text", Starts: []string{"************* Module "}, Parse: read.Text{Line: pylintLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pylintLine}.Parse}) // a run without findings, or with some templates
	p.Reads(read.PythonTrouble("pylint"))
})

// pylintTemplate reads --msg-template.
var pylintTemplate = read.Template{
	From0: true,
	Names: map[string]string{"msg_id": "{rule}", "symbol": "{rule_name}", "abspath": "{path}", "module": "{}", "C": "{word}"},
	Fit: func(f *result.Finding) bool {
		if f.Rule == "" {
			f.Rule, f.RuleName = f.RuleName, ""
			if f.Severity = result.SevWarning; f.RawSeverity != "" {
				f.RawSeverity = cmp.Or(pylintType(f.RawSeverity[0]&^0x20), f.RawSeverity)
				f.Severity = read.SeverityOf(f.RawSeverity)
			}
			return f.Rule != "" || f.At != nil && f.At.Line > 0
		}
		gradePylint(f)
		return isPylintCode(f.Rule)
	},
	Other: pylintLine,
}

// gradePylint fills a finding's severity from its code, and adds modules with similar lines to its message.
func gradePylint(f *result.Finding) {
	at := f.At
	*f = pylintFinding(f.Rule, f.RuleName, f.Message)
	f.At = at
}

// pylintType returns the type of message for the first letter of a code, as "warning" for 'W'.
func pylintType(letter byte) string {
	return lex.Means(string(letter), "fatal: F; error: E; warning: W; refactor: R; convention: C; info: I")
}

func pylintFinding(code, symbol, message string) result.Finding {
	message, rest, _ := strings.Cut(message, "\n")
	for module := range strings.SplitSeq(rest, "\n") {
		message += likePylint(module)
	}
	f := result.Finding{Rule: code, RuleName: symbol, Message: message}
	if code != "" {
		f.RawSeverity = pylintType(code[0])
		f.Severity = read.SeverityOf(f.RawSeverity)
	}
	return f
}

// likePylint returns what "==shop.cart:[7:14]", a module with similar lines, adds to the message:
// ", shop.cart". The line numbers are left out: they change with every line inserted above.
func likePylint(line string) string {
	module, _, _ := strings.Cut(line, ":[")
	if module, ok := strings.CutPrefix(module, "=="); ok {
		return ", " + module
	}
	return ""
}

func pylintLine(s *read.Sink, l tool.Line) bool {
	switch {
	case strings.HasPrefix(l.Text, "************* Module "):
		s.Sign(l)
		return s.Break()
	case strings.HasPrefix(l.Text, "Your code has been rated at "):
		return s.Close(l)
	}
	f, ok := cutPylint(l.Text)
	if last, more := s.Last(), likePylint(l.Text); more != "" && last != nil && last.Rule == "R0801" {
		last.Message += more
		return s.More(l)
	}
	if !ok {
		s.Break()
		return strings.HasPrefix(l.Text, "-----") && strings.Trim(l.Text, "-") == ""
	}
	return s.Find(l, f)
}

// cutPylint reads a message in any of the forms of text:
//
//	a.py:3:0: C0116: Missing docstring (missing-docstring)
//	a.py:3: [C0116(missing-docstring), f] Missing docstring
//	a.py(3): [C0116(missing-docstring)f] Missing docstring
//	::notice file=a.py,line=3,col=0,title=C0116::Missing docstring
func cutPylint(line string) (f result.Finding, ok bool) {
	if w, ok := read.CutWorkflow(line); ok && isPylintCode(w.Title) {
		f = pylintFinding(w.Title, "", w.Message)
		f.At = &w.At
		f.At.Column++
		return f, true
	}
	if head, tail, has := strings.Cut(line, ":0:0: "); has && strings.Contains(head, ".ipynb:cell_") { // a message about a whole notebook cell
		line = head + ":1:0: " + tail
	}
	at, rest, ok := place.Cut(line)
	if tail, has := strings.CutPrefix(line, "Command line"); has {
		_, rest, ok = strings.Cut(tail, ":1:0: ")
	} else if ok && (at.Column > 0 || strings.HasPrefix(line, at.Path+":") && strings.Contains(line[len(at.Path):min(len(line), len(at.Path)+14)], ":0: ")) {
		at.Column++
	}
	if !ok {
		return f, false
	}
	if bracket, message, has := strings.Cut(rest, "] "); has && rest[0] == '[' {
		code, symbol, _ := strings.Cut(bracket[1:], "(")
		symbol, _, _ = strings.Cut(symbol, ")")
		code, _, _ = strings.Cut(code, ",")
		f = pylintFinding(code, symbol, message)
	} else {
		message, code := read.First.Cut(rest) // users' templates may omit the colon or the blank
		message, symbol := read.Parens.Cut(message)
		f = pylintFinding(code, symbol, message)
	}
	if at.Path != "" {
		f.At = &at
	}
	return f, isPylintCode(f.Rule)
}

// isPylintCode reports whether s is a code as "C0116"; those of plugins have five digits.
func isPylintCode(s string) bool {
	return len(s) >= 5 && len(s) <= 6 && pylintType(s[0]) != "" && lex.IsDigits(s[1:])
}

var _ = Room.Add("pycodestyle | pep8 autopep8", func(p *tool.Parser) {
	p.Is("pycodestyle", result.Lint, 1, "pycodestyle 2.6 to 2.14: default, pylint, --show-source, --show-pep8, --count, --statistics")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(codeTemplate.Format("pycodestyle", "pep8"))
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*codeLines).line)})
	p.Reads(read.PythonTrouble("pycodestyle", "pep8", "autopep8"))
})

// codeTemplate reads --format of pycodestyle and flake8, as in "%(path)s %(row)d %(code)s".
var codeTemplate = read.Template{
	Fit:   func(f *result.Finding) bool { return isFlakeCode(f.Rule) },
	Other: func(_ *read.Sink, l tool.Line) bool { return isStatistic(l.Text) },
}

// codeLines reads the findings of pycodestyle and flake8, in two forms:
//
//	a.py:3:7: E231 missing whitespace after ','
//	a.py:3: [E231] missing whitespace after ','
type codeLines struct{ pylint bool }

func (c *codeLines) line(s *read.Sink, l tool.Line) bool {
	d, ok := read.CutDiagnostic(zeroLine(l.Text))
	if c.pylint = strings.HasPrefix(l.Text, "************* Module ") || c.pylint && ok; c.pylint { // pylint's output, whose codes look alike
		return false
	}
	if ok {
		if rest, has := strings.CutPrefix(d.Message, "["); has {
			d.Rule, d.Message, _ = strings.Cut(rest, "] ")
		} else {
			d.Message, d.Rule = read.First.Cut(d.Message)
		}
	}
	switch {
	case ok && isFlakeCode(d.Rule):
		return s.Find(l, result.Finding{Rule: d.Rule, Message: d.Message, At: &d.At})
	case strings.HasPrefix(l.Text, "There was a critical error during execution of"):
		return s.Misuse(l, l.Text)
	case s.Last() != nil && s.Last().Kind == result.GenericFinding:
		s.More(l)
		s.Last().Message, s.Last().Detail = l.Text, ""
		return s.Break()
	case isQuietPath(l) && isQuiet(s.In):
		s.Find(l, result.Finding{Message: "has violations, which this output does not show", At: &result.Location{Path: l.Text}})
		s.Doubt = "only the names of files are printed"
		return true
	case isStatistic(l.Text):
		return true
	case s.Last() != nil && strings.HasSuffix(l.Text, "^") && strings.TrimLeft(l.Text, " \t") == "^":
		return s.More(l)
	}
	return false
}

// zeroLine replaces line 0 in a finding by line 1. A file that could not be read, and a finding of a
// plugin about a whole file, have line 0.
func zeroLine(text string) string {
	path, rest, ok := strings.Cut(text, ":0:")
	column, message, _ := strings.Cut(rest, ": ")
	code, _, _ := strings.Cut(message, " ")
	if ok && path != "" && (lex.IsDigits(column) && isFlakeCode(code) || strings.HasPrefix(rest, " [")) {
		return path + ":1:" + rest
	}
	return text
}

// isFlakeCode reports whether s is one to five capitals and one to five digits.
func isFlakeCode(s string) bool {
	digits := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n := len(s) - len(digits)
	return n > 0 && n <= 5 && len(digits) <= 5 && lex.IsDigits(digits) && digits != ""
}

// isStatistic reports whether a line counts a rule: "8       E111 indentation is not a multiple of 4".
func isStatistic(text string) bool {
	n, rest, _ := strings.Cut(text, " ")
	code, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	return n != "" && lex.IsDigits(n) && isFlakeCode(code)
}
