package eslint

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintTAP reads the tap format: a test for each file, "not ok 3 - path" if the file has a problem of any severity.
// Below the test is YAML: the first problem as keys indented by two, further problems as items of "messages", each
// with message, severity and data{line, column, ruleId}, in this order.
type eslintTAP struct {
	*eslint
	path    string
	problem *tapProblem
	plan    int  // number of tests announced
	tests   int  // number of tests seen
	failed  int  // number of tests that are "not ok"
	told    int  // number of failed tests with a problem
	fresh   bool // the last failed test has no problem yet
	inside  bool // inside the YAML of a test
}

// tapProblem is a problem that is being read.
type tapProblem struct {
	at      result.Location
	rule    yamlText
	ruled   bool // lines without a key continue the rule
	isError bool
	message yamlText
	line    tool.Line
	end     int64
	data    bool // its severity was seen, which ends the message
}

func parseESLintTAP(in *tool.Input) *tool.Report { return readESLintTAP(in, newESLint(in)) }

func readESLintTAP(in *tool.Input, e *eslint) *tool.Report {
	t := &eslintTAP{eslint: e}
	rep := read.Text{Line: t.read, Count: t.count, Turn: t.turn, End: func(s *read.Sink) { t.turn(s); t.end(s) }}.Parse(in)
	if rep == nil || t.tests == 0 {
		return nil
	}
	if t.told < t.failed {
		rep.Doubt = "a file failed, and its problems could not be read"
	}
	return t.finish(rep, t.plan > 0 && t.tests == t.plan && !t.cut)
}

// count replaces read once no more findings are kept.
func (t *eslintTAP) count(s *read.Sink, l tool.Line) (own, known bool) {
	own = t.line(s, l)
	return own, own
}

func (t *eslintTAP) read(s *read.Sink, l tool.Line) bool { return t.line(s, l) || t.aside(s, l) }

func (t *eslintTAP) turn(s *read.Sink) {
	t.close(s)
	t.cut, t.inside = t.cut || t.inside, false
}

func (t *eslintTAP) line(sink *read.Sink, l tool.Line) bool {
	s := strings.TrimRight(l.Text, " \t")
	if t.inside {
		return t.yaml(sink, s, l)
	}
	if plan, ok := strings.CutPrefix(s, "1.."); ok && lex.IsDigits(plan) {
		t.plan += lex.Atoi(plan)
		return true
	}
	failed := strings.HasPrefix(s, "not ok ")
	number, path, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s, "not "), "ok "), " - ")
	switch {
	case (failed || strings.HasPrefix(s, "ok ")) && ok && lex.IsDigits(number):
		t.tests++
		t.path = path
		if failed {
			t.failed, t.fresh = t.failed+1, true
		}
		return true
	case s == "  ---":
		t.inside = t.path != ""
		return t.inside
	}
	return strings.HasPrefix(s, "TAP version 1")
}

func (t *eslintTAP) yaml(sink *read.Sink, s string, l tool.Line) bool {
	if s == "  ..." {
		t.close(sink)
		t.inside = false
		return true
	}
	key, value, isKey := strings.Cut(strings.TrimLeft(s, " -"), ":")
	value = strings.TrimSpace(value)
	p := t.problem
	switch {
	case isKey && key == "message" && (p == nil || p.data):
		t.close(sink)
		t.problem = &tapProblem{line: l, end: l.End}
		t.problem.message.begin(value)
		return true
	case p == nil:
		return true
	case isKey && key == "severity" && !p.data:
		p.data, p.isError = true, value == "error" || value == "fatal"
	case !p.data:
		p.message.more(s)
	case isKey && key == "line":
		p.at.Line = lex.Atoi(value)
	case isKey && key == "column":
		p.at.Column = lex.Atoi(value)
	case isKey && key == "endLine": // stylelint's
		p.at.EndLine = lex.Atoi(value)
	case isKey && key == "endColumn":
		p.at.EndColumn = lex.Atoi(value)
	case isKey && key == "ruleId":
		p.ruled = true
		p.rule.begin(value)
	case p.ruled && !isKey: // "@x/preset > @x/rule", which is too long for its line
		p.rule.more(s)
	}
	p.end = max(p.end, l.End)
	return true
}

// close adds the problem that was being read.
func (t *eslintTAP) close(s *read.Sink) {
	p := t.problem
	if p == nil {
		return
	}
	t.problem = nil
	if t.fresh {
		t.told, t.fresh = t.told+1, false
	}
	p.at.Path = t.path
	if s.Crowded() {
		s.Tell(p.line, eslintSeverity(p.isError))
		return
	}
	s.Find(p.line, eslintProblem(p.rule.String(), p.message.String(), p.isError, p.at))
	s.Reach(tool.Line{Start: p.line.Start, End: p.end})
}

// yamlText is a scalar as js-yaml writes it: plain, quoted, or a block, literal ("|") or folded (">"), in the lines
// below.
type yamlText struct {
	style byte // '\'', '"', '|', '>' or 0
	text  string
	lines int
}

func (y *yamlText) begin(value string) {
	if value == "" {
		return
	}
	switch value[0] {
	case '|', '>':
		y.style = value[0]
	case '\'', '"':
		y.style, y.text = value[0], value
	default:
		y.text = value
	}
}

// more takes a line of a block. Folded lines are joined by blanks, except around empty lines.
func (y *yamlText) more(s string) {
	if y.lines++; y.lines > maxESLintTail {
		return
	}
	s = strings.TrimSpace(s)
	switch {
	case y.text == "":
		y.text = s
	case y.style == '|' || s == "" || strings.HasSuffix(y.text, "\n"):
		y.text += "\n" + s
	default:
		y.text += " " + s
	}
}

func (y *yamlText) String() string {
	switch {
	case y.style == '\'' && len(y.text) > 1:
		return strings.ReplaceAll(strings.TrimSuffix(y.text[1:], "'"), "''", "'")
	case y.style == '"' && len(y.text) > 1:
		// js-yaml also writes "\xA0", which Go reads as a byte.
		if text, err := strconv.Unquote(strings.NewReplacer(`\\`, `\\`, `\x`, `\u00`).Replace(y.text)); err == nil {
			return text
		}
		return jsontext.Unescape(strings.TrimSuffix(y.text[1:], `"`))
	}
	return y.text
}
