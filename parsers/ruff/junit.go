package ruff

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// ruffXML reads --output-format junit. It is a list of diagnostics in the
// clothes of a test report: each testcase is one, always laid out a tag a line.
type ruffXML struct {
	doc    *ruffDoc
	inside bool
	stream tool.Stream // that it stands on
	path   string      // of the suite
	code   string
	at     result.Location
	start  int64
}

func parseRuffJUnit(toolName string) func(*tool.Input) *tool.Report {
	return parseRuffDoc(toolName, func(in *tool.Input, o *ruffOutput) *ruffDoc {
		x := &ruffXML{doc: newRuffDoc()}
		for l := range in.Lines() {
			if !x.line(l) {
				o.line(l)
			}
		}
		return x.doc
	})
}

func (x *ruffXML) line(l tool.Line) bool {
	s := strings.TrimSpace(l.Text)
	if x.inside && l.Stream != x.stream {
		return false
	}
	switch {
	case strings.HasPrefix(s, "<?xml "):
	case strings.HasPrefix(s, `<testsuites name="ruff"`):
		x.inside, x.doc.seen, x.doc.whole = true, true, strings.HasSuffix(s, "/>")
		x.stream = l.Stream
	case !x.inside:
		return false
	case strings.HasPrefix(s, "<testsuite "):
		x.path = xmlAttribute(s, "name")
	case strings.HasPrefix(s, "<testcase "):
		x.code = strings.TrimPrefix(strings.TrimPrefix(xmlAttribute(s, "name"), "org.ruff"), ".")
		x.at = result.Location{Path: x.path, Line: lex.LeadingNumber(xmlAttribute(s, "line")), Column: lex.LeadingNumber(xmlAttribute(s, "column"))}
		x.start = l.Start
	case strings.HasPrefix(s, "<failure "):
		x.doc.add(ruffFinding(x.code, xmlAttribute(s, "message"), x.at), x.start, l.End)
	case s == "</testsuites>":
		x.inside, x.doc.whole = false, true
	}
	x.doc.covered = joinSpan(x.doc.covered, result.Span{Start: l.Start, End: l.End})
	return true
}

// xmlAttribute is the value of an attribute of the tag that s begins with.
func xmlAttribute(s, name string) string {
	_, value, ok := strings.Cut(s, " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ = strings.Cut(value, `"`)
	return xmltext.Unescape(value)
}
