package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("prospector", func(p *tool.Parser) {
	p.Is("prospector", result.Lint, 1, "prospector 1.x: grouped, text, emacs, pylint, pylint_parseable, vscode, gitlab, xunit, yaml, json")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/messages/*"}, Path: "location.path", Line: "location.line", Column: "location.character", Rule: "code", Message: "message",
	}.Parse})
	p.Reads(tool.Format{Name: "yaml", Parse: read.IfFound(read.YAMLByShape(nil))})
	p.Reads(tool.Format{Name: "xunit", Parse: junit.Lints})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*prospector).line)})
	read.InPython(p)
})

// prospector reads the findings of the linters that prospector runs, in its layouts:
//
//	src/a.py                                          grouped
//	  Line: 1
//	    pylint: unused-import / Unused import os (col 6)
//
//	src/a.py:8:5:                                     emacs
//	    L8:4 A.f: pylint - dangerous-default-value
//	    Dangerous default value [] as argument
//
//	src/a.py:1:0: [unused-import(pylint), f]: text    pylint
type prospector struct {
	path string
	row  int
	head result.Finding // emacs: the finding until its message is read
	from int64          // emacs: the offset where the finding begins
}

func (p *prospector) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	indent := len(l.Text) - len(strings.TrimLeft(l.Text, " "))
	at, rest, placed := place.Cut(l.Text)
	switch {
	case p.head.Rule != "" && indent == 4:
		p.head.Message = text
		s.Find(l, p.head)
		if f := s.Last(); f != nil {
			f.RawSpan.Start = p.from
		}
		p.head = result.Finding{}
	case indent == 4 && p.emacs(text):
	case indent == 4 && p.row > 0:
		return p.grouped(s, l, text)
	case indent == 2 && strings.HasPrefix(text, "Line: "):
		p.row = lex.LeadingNumber(strings.TrimPrefix(text, "Line: "))
	case placed && rest == "":
		p.path, p.row, p.head.At, p.from = at.Path, 0, &at, l.Start
	case placed:
		rule, message, ok := cutProspectorRule(rest)
		return ok && s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
	case p.vscode(s, l):
	case strings.HasPrefix(text, "Could not find profile "):
		s.Misuse(l, text)
	case indent == 0 && strings.HasSuffix(text, ".py:"), indent == 0 && strings.HasSuffix(text, ".py):"): // "b (src/b.py):"
		path := strings.Trim(text[strings.LastIndexByte(text, '(')+1:], "):")
		p.path, p.row, p.from, p.head.At = path, 0, l.Start, &result.Location{Path: path}
	case indent == 0 && text != "" && strings.HasSuffix(text, ".py"):
		p.path, p.row = text, 0
		return false
	case strings.HasPrefix(text, "Messages Found: "):
		s.Found(l, lex.LeadingNumber(strings.TrimPrefix(text, "Messages Found: ")))
	case s.Last() != nil && strings.HasPrefix(text, "See: "), text == "Messages", text == "Check Information", strings.Trim(text, "=") == "" && text != "":
	default:
		return false
	}
	return true
}

// vscode reads "2,8,unused-argument,unused-argument:pylint Unused argument 'b'" below "************* Module shop.a".
// The output has no path, so the path is made of the module's name: "shop/a.py".
func (p *prospector) vscode(s *read.Sink, l tool.Line) bool {
	if module, ok := strings.CutPrefix(l.Text, "************* Module "); ok {
		p.path, p.row = strings.ReplaceAll(module, ".", "/")+".py", 0
		return true
	}
	cells := strings.SplitN(l.Text, ",", 4)
	if len(cells) < 4 || !lex.IsDigits(cells[0]) || !lex.IsDigits(cells[1]) || p.path == "" {
		return false
	}
	_, message, ok := strings.Cut(strings.TrimPrefix(cells[3], cells[2]+":"), " ")
	return ok && s.Find(l, result.Finding{Rule: cells[2], Message: message, At: &result.Location{Path: p.path, Line: lex.Atoi(cells[0]), Column: lex.Atoi(cells[1])}})
}

// grouped reads "pylint: unused-argument / Unused argument 'a' (col 6)".
func (p *prospector) grouped(s *read.Sink, l tool.Line, text string) bool {
	head, message, ok := strings.Cut(text, " / ")
	_, rule, named := strings.Cut(head, ": ")
	if !ok || !named {
		return strings.HasPrefix(text, "See: ")
	}
	f := result.Finding{Rule: rule, Message: message, At: &result.Location{Path: p.path, Line: p.row}}
	if i := strings.LastIndex(message, " (col "); i > 0 {
		f.Message, f.At.Column = message[:i], lex.LeadingNumber(message[i+len(" (col "):])
	}
	return s.Find(l, f)
}

// emacs reads "L8:4 A.f: pylint - dangerous-default-value", the line below a place.
func (p *prospector) emacs(text string) bool {
	where, rest, _ := strings.Cut(strings.TrimPrefix(text, "L"), " ")
	_, rule, ok := strings.Cut(rest, " - ")
	line, column, both := strings.Cut(where, ":")
	if !ok || !both || !lex.IsDigits(line) && line != "-" || !strings.HasPrefix(text, "L") || p.head.At == nil {
		return false
	}
	p.head = result.Finding{Rule: rule, At: &result.Location{Path: p.path, Line: lex.Atoi(line), Column: lex.LeadingNumber(column)}}
	return true
}

// cutProspectorRule reads "[unused-argument(pylint), f]: text" and "E252(pycodestyle): text".
func cutProspectorRule(rest string) (rule, message string, ok bool) {
	head, message, ok := strings.Cut(rest, ": ")
	head, _, _ = strings.Cut(strings.TrimPrefix(head, "["), ",")
	rule, source, named := strings.Cut(strings.TrimSuffix(head, "]"), "(")
	return rule, message, ok && named && strings.HasSuffix(source, ")") && !strings.Contains(rule, " ")
}
