package mypy

import (
	"bytes"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// mypyMessage is a line of --output=json.
type mypyMessage struct {
	File      *string
	Line      int
	Column    int
	EndLine   int
	EndColumn int
	Message   *string
	Hint      *string
	Code      *string
	Severity  string
}

func isMypyJSON(line string) bool {
	return strings.Contains(line, `"severity":`) && strings.Contains(line, `"message":`) && strings.Contains(line, `"code":`)
}

func readMypyMessage(l tool.Line) (m mypyMessage, ok bool) {
	if !strings.HasPrefix(l.Text, "{") || !jsontext.Read(l.Text, m.read) {
		return m, false
	}
	return m, m.File != nil && m.Message != nil && m.Severity != "" && (m.Line != 0 || m.Column != 0 || m.Code != nil)
}

func (m *mypyMessage) read(c *jsontext.Cursor) {
	c.Members("file", &m.File, "line", &m.Line, "column", &m.Column, "end_line", &m.EndLine, "end_column", &m.EndColumn,
		"message", &m.Message, "hint", &m.Hint, "code", &m.Code, "severity", &m.Severity)
}

// object takes a line with an object: a finding, or a note to the last finding.
func (m *mypy) object(s *read.Sink, l tool.Line) bool {
	v, ok := readMypyMessage(l)
	if !ok {
		m.broken = m.broken || strings.HasPrefix(l.Text, `{"file"`)
		return false
	}
	m.objects++
	line, last := v.line(), s.Last()
	switch {
	case line.context():
	case line.link(), last != nil && line.explainsFinding(last) && strings.HasSuffix(line.message, " defined here"):
		if last != nil && line.explainsFinding(last) {
			line.explain(last)
		}
	default:
		m.found(s, l, line, lex.Deref(v.Hint))
	}
	return true
}

func (m *mypy) found(s *read.Sink, l tool.Line, line mypyLine, hint string) {
	if s.Crowded() {
		s.Tell(l, line.severity())
		return
	}
	f := line.finding()
	for note := range strings.Lines(hint) {
		line.message = strings.TrimRight(note, "\n")
		line.explain(&f)
	}
	s.Find(l, f)
}

// line returns the message as a line of text. The code "misc" of a note is left out, as the text does.
func (m *mypyMessage) line() mypyLine {
	line := mypyLine{
		at:   result.Location{Path: *m.File, Line: max(m.Line, 0), Column: m.Column + 1},
		word: m.Severity, message: *m.Message, code: lex.Deref(m.Code),
	}
	if m.EndLine > 0 {
		line.at.EndLine, line.at.EndColumn = m.EndLine, m.EndColumn+1
	}
	if line.at.Line == 0 {
		line.at.Column = 0
	}
	if m.Severity == "note" && line.code == "misc" {
		line.code = ""
	}
	return line
}

// mypyText returns mypy's text from a report of --junit-xml, whose failures have the text of the whole run or of one
// file each. It returns nil for a report of another tool. whole is false if the report is cut off.
func mypyText(a tool.Artifact) (text []byte, whole bool) {
	head := make([]byte, min(a.Size, tool.ReportHead))
	n, _ := a.Data.ReadAt(head, 0)
	if tag := head[:n]; !bytes.Contains(tag, []byte(` name="mypy"`)) || !bytes.Contains(tag, []byte("<testsuite ")) {
		return nil, false
	}
	b := bytes.NewBuffer([]byte{})
	x, told := xmltext.NewScanner(xmltext.UTF8(a.Reader())), false
	for kind := x.Next(); kind != xmltext.End && b.Len() < junit.MaxText; kind = x.Next() {
		switch {
		case kind == xmltext.Open:
			told = string(x.Name) == "failure" && !x.Alone
		case kind == xmltext.Close:
			if told {
				b.WriteByte('\n')
			}
			told, whole = false, strings.HasPrefix(string(x.Name), "testsuite")
		case kind == xmltext.Text && told:
			b.WriteString(strings.TrimRight(x.Content(), "\r"))
		}
	}
	return b.Bytes(), whole
}
