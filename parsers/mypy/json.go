package mypy

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
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

// parseMypyJSON reads the objects; what stands between them is text. The format
// has no closing line: it is whole if its last line is.
func parseMypyJSON(in *tool.Input) *tool.Report {
	o := newMypyOutput(in)
	rep := tool.NewReport()
	var last *result.Finding
	whole := true
	for l := range in.Lines() {
		l, _ = read.CutGlued(l)
		m, ok := readMypyMessage(l)
		if !ok {
			whole = whole && !strings.HasPrefix(l.Text, `{"file"`)
			o.readers[l.Stream-tool.Stdout].line(l)
			continue
		}
		rep.Cover(l)
		last = o.addMessage(m, l, last)
	}
	if len(o.findings) == 0 {
		return nil
	}
	rep.Findings, rep.Dropped = o.findings, o.dropped
	if rep = o.report(rep); rep != nil {
		rep.Claimed = -1 // a closing line, where there is one, counts what is on stderr too
		rep.Complete = whole
	}
	return rep
}

func readMypyMessage(l tool.Line) (m mypyMessage, ok bool) {
	if !strings.HasPrefix(l.Text, "{") || !jsontext.Read(l.Text, m.read) {
		return m, false
	}
	return m, m.File != nil && m.Message != nil && m.Severity != "" && (m.Line != 0 || m.Column != 0 || m.Code != nil)
}

func (m *mypyMessage) read(c *jsontext.Cursor) {
	c.Object(func(key string) {
		switch key {
		case "file":
			m.File = c.Maybe()
		case "line":
			m.Line = c.Number()
		case "column":
			m.Column = c.Number()
		case "end_line":
			m.EndLine = c.Number()
		case "end_column":
			m.EndColumn = c.Number()
		case "message":
			m.Message = c.Maybe()
		case "hint":
			m.Hint = c.Maybe()
		case "code":
			m.Code = c.Maybe()
		case "severity":
			m.Severity = c.Text()
		default:
			c.Skip()
		}
	})
}

// addMessage keeps a finding, or joins a note to the last one.
func (o *mypyOutput) addMessage(m mypyMessage, l tool.Line, last *result.Finding) *result.Finding {
	line := m.line()
	if line.context() {
		return last
	}
	if line.link() {
		if line.explainsFinding(last) {
			line.explain(last)
		}
		return last
	}
	if line.explainsFinding(last) && strings.HasSuffix(line.message, " defined here") {
		line.explain(last)
		return last
	}
	if len(o.findings) >= tool.MaxFindings {
		o.dropped++
		return nil
	}
	f := line.finding()
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	for note := range strings.Lines(lex.Deref(m.Hint)) {
		line.message = strings.TrimRight(note, "\n")
		line.explain(&f)
	}
	o.findings = append(o.findings, f)
	return &o.findings[len(o.findings)-1]
}

// line is the message as text has it. A note has the code "misc" where text
// shows none.
func (m *mypyMessage) line() mypyLine {
	line := mypyLine{
		at:       result.Location{Path: *m.File, Line: max(m.Line, 0), Column: m.Column + 1},
		severity: m.Severity, message: *m.Message, code: lex.Deref(m.Code),
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
