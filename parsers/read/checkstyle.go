package read

import (
	"strings"

	"cairn/parsers/read/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// Checkstyle reads the XML that Checkstyle made usual: a file, and in it one
// element for each problem. fit makes of each finding what the tool's other
// formats give; it may be nil.
//
//	<file name="src/a.go">
//	  <error line="3" column="7" severity="warning" message="text" source="rule"/>
func Checkstyle(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		open := false
		return Text{Closes: true, Line: func(s *Sink, l tool.Line) bool {
			open = open || strings.Contains(l.Text, "<checkstyle")
			if !open {
				return false
			}
			if !strings.Contains(l.Text, "<") {
				return true
			}
			for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
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
