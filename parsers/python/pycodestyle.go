package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
