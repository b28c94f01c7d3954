package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// counted takes a line of --statistics.
func (r *ruffReader) counted(l tool.Line) bool {
	f, certain, ok := readRuffCount(strings.TrimLeft(l.Text, " "))
	if !ok {
		return false
	}
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	r.cover(l)
	r.run.stats, r.run.certain = true, r.run.certain || certain
	r.add(f)
	return true
}

// readRuffCount reads "12\tF401\t[*] unused-import" and, where --fix can do
// nothing, "12\tF821\tundefined-name". Until 0.6 it has the first of the
// messages, by which alone its tool is not known.
func readRuffCount(s string) (f result.Finding, certain, ok bool) {
	number, rest, ok := strings.Cut(s, "\t")
	n := lex.LeadingNumber(number)
	if !ok || n == 0 || strings.Trim(number, "0123456789") != "" {
		return f, false, false
	}
	code, name, ok := strings.Cut(rest, "\t")
	code = strings.TrimSpace(code)
	if !ok || name == "" || code != "" && !isRuffCode(code) {
		return f, false, false
	}
	fixable := false
	switch {
	case len(name) > 4 && name[0] == '[' && name[2] == ']':
		certain, fixable, name = true, name[1] == '*', strings.TrimSpace(name[3:])
	case code == "":
		certain = name == "syntax-error" || name == ruffSyntax
	default:
		certain = ruffCodes()[name] == code
	}
	f = ruffFinding(code, name+" ("+number+")", result.Location{})
	f.At, f.Fixable, f.Extra = nil, fixable, map[string]any{"count": n}
	return f, certain, certain || code != ""
}
