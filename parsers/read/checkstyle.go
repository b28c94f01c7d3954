package read

import (
	"strings"

	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Checkstyle reads the XML that Checkstyle made usual: a file, and in it one
// element for each problem. fit makes of each finding what the tool's other
// formats give; it may be nil.
//
//	<file name="src/a.go">
//	  <error line="3" column="7" severity="warning" message="text" source="rule"/>
//
// A tag may go over several lines.
func Checkstyle(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		open, tag := false, ""
		return Text{Closes: true, Line: func(s *Sink, l tool.Line) bool {
			open = open || strings.Contains(l.Text, "<checkstyle")
			if !open {
				return false
			}
			text := l.Text
			if tag != "" {
				text, tag = tag+" "+text, ""
			}
			at := strings.LastIndexByte(text, '<')
			if at < 0 {
				return true
			}
			if len(text)-at < maxTag && !strings.Contains(text[at:], ">") {
				text, tag = text[:at], text[at:]
			}
			for x := xmltext.NewScanner(strings.NewReader(text)); ; {
				switch x.Next() {
				case xmltext.End:
					return true
				case xmltext.Open:
					checkstyleTag(s, l, x, fit)
				case xmltext.Close:
					if string(x.Name) == "checkstyle" {
						s.Close(l)
						open = false
					}
				}
			}
		}}.Parse(in)
	}
}

// maxTag bounds a tag that goes over several lines.
const maxTag = 16 << 10

func checkstyleTag(s *Sink, l tool.Line, x *xmltext.Scanner, fit func(f *result.Finding)) {
	switch string(x.Name) {
	case "file":
		s.Path = x.Attr("name")
	case "error":
		word := x.Attr("severity")
		f := result.Finding{
			Severity: SeverityOf(word), RawSeverity: word, Rule: x.Attr("source"), Message: x.Attr("message"),
			At: &result.Location{Path: s.Path, Line: x.Number("line"), Column: x.Number("column")},
		}
		if fit != nil {
			fit(&f)
		}
		s.Find(l, f)
	}
}
