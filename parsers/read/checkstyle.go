package read

import (
	"io"
	"iter"
	"strings"

	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Checkstyle reads XML in the format of Checkstyle: an element for each file, and in it one for each problem. fit
// changes each finding into what the tool's other formats give; it may be nil.
//
//	<file name="src/a.go">
//	  <error line="3" column="7" severity="warning" message="text" source="rule"/>
//
// A tag may span several lines, and a line may hold a whole document of any length: each finding has the span of
// its own element.
func Checkstyle(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return Fresh(func(c *checkstyle) Text {
		c.fit = fit
		return Text{Closes: true, Line: c.line}
	})
}

// checkstyle is the state of reading such a document.
type checkstyle struct {
	fit  func(f *result.Finding)
	open bool
	tag  string // the beginning of a tag that continues on the next line

	graded map[string]result.Severity // the severity that fit gave for each severity in the document
}

// maxTag bounds a tag that spans several lines, in bytes.
const maxTag = 16 << 10

func (c *checkstyle) line(s *Sink, l tool.Line) bool {
	if c.open = c.open || strings.Contains(l.Text, "<checkstyle"); !c.open {
		return false
	}
	s.Cover(l)
	text, before := l.Text, int64(0) // before: how many bytes of text come from earlier lines
	if c.tag != "" {
		before = int64(len(c.tag)) + 1
		text, c.tag = c.tag+" "+text, ""
	}
	if at := strings.LastIndexByte(text, '<'); at >= 0 && !l.Cut && len(text)-at < maxTag && !strings.Contains(text[at:], ">") {
		text, c.tag = text[:at], text[at:]
	}
	source := io.Reader(strings.NewReader(text))
	if l.Cut {
		pieces, stop := iter.Pull2(WholeLine(s.In, l))
		defer stop()
		source = &lineReader{next: func() (tool.Line, bool) {
			_, piece, ok := pieces()
			return tool.Line{Text: piece}, ok
		}}
	}
	several := l.Cut || strings.Count(text, "<error ") > 1
	for x := xmltext.NewScanner(source); x.Next() != xmltext.End; {
		switch {
		case x.Kind == xmltext.Open && string(x.Name) == "file":
			s.Path = x.Attr("name")
		case x.Kind == xmltext.Open && string(x.Name) == "error":
			part := l
			if several {
				part = PartOfLine(l, l.Start+max(0, x.Start-before), l.Start+x.Offset()-before)
			}
			c.problem(s, part, x)
		case x.Kind == xmltext.Close && string(x.Name) == "checkstyle":
			s.Close(l)
			c.open = false
		}
	}
	return true
}

func (c *checkstyle) problem(s *Sink, l tool.Line, x *xmltext.Scanner) {
	if severity, ok := c.graded[string(x.RawAttr("severity"))]; ok && s.Crowded() {
		s.Tell(l, severity)
		return
	}
	word := x.Attr("severity")
	f := result.Finding{
		Severity: SeverityOf(word), RawSeverity: word, Rule: x.Attr("source"), Message: x.Attr("message"),
		At: &result.Location{Path: s.Path, Line: x.Number("line"), Column: x.Number("column")},
	}
	if c.fit != nil {
		c.fit(&f)
	}
	if c.graded == nil {
		c.graded = make(map[string]result.Severity)
	}
	c.graded[word] = f.Severity
	s.Find(l, f)
}
