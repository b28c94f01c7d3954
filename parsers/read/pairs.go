package read

import (
	"strconv"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// Pairs reads lines of names and values, one finding each, for a tool that uses the usual names.
func Pairs(in *tool.Input) *tool.Report { return IfFound(Text{Line: pairs}.Parse)(in) }

// pairs reads a finding that is a line of names and values:
//
//	fileName="notes.md" lineNumber=7 ruleName=MD032 ruleDescription="Lists should …" errorSeverity="error"
//
// The line must name a path and a line number, which lines of logs do not.
func pairs(s *Sink, l tool.Line) bool {
	name, _, ok := strings.Cut(l.Text, "=")
	if !ok || !lex.IsIdentifier(name) || !namesPath(name) {
		return false
	}
	d := &shape{s: s, at: &l}
	d.begin("", true)
	for rest := l.Text; rest != ""; {
		name, behind, ok := strings.Cut(rest, "=")
		if !ok || !lex.IsIdentifier(name) {
			return false
		}
		var value string
		if quoted, err := strconv.QuotedPrefix(behind); err == nil {
			value, _ = strconv.Unquote(quoted)
			rest = behind[len(quoted):]
		} else if i := strings.IndexByte(behind, ' '); i >= 0 {
			value, rest = behind[:i], behind[i:]
		} else {
			value, rest = behind, ""
		}
		d.member(name, value)
		rest = strings.TrimLeft(rest, " ")
	}
	if p := &d.parts[0]; p.word[rolePath] == "" || p.at.Line == 0 {
		return false
	}
	before := len(s.Findings)
	d.end()
	return len(s.Findings) > before
}

// namesPath reports whether a name is used only for paths.
func namesPath(name string) bool {
	for _, m := range meanings()[plainName(name)] {
		if m.role == rolePath && m.rank == 1 {
			return true
		}
	}
	return false
}
