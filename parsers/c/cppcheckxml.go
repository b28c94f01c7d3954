package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// parseCppcheckXML reads an element for each problem, with its places below it:
//
//	<error id="memleak" severity="error" msg="Memory leak: p" …>
//	    <location file="src/warn.c" line="13" column="5"/>
func parseCppcheckXML(in *tool.Input) *tool.Report {
	open := false
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		open = open || strings.HasPrefix(l.Text, "<results")
		if !open {
			return false
		}
		for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
			switch x.Next() {
			case xmltext.End:
				return true
			case xmltext.Close:
				if string(x.Name) == "results" {
					s.Close(l)
					open = false
				}
			case xmltext.Open:
				cppcheckTag(s, l, x)
			}
		}
	}}.Parse(in)
}

func cppcheckTag(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	switch f := s.Last(); string(x.Name) {
	case "error":
		word := x.Attr("severity")
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: x.Attr("id"), Message: x.Attr("msg")})
	case "location":
		at := result.Location{Path: x.Attr("file"), Line: x.Number("line"), Column: x.Number("column")}
		switch {
		case f == nil:
		case f.At == nil:
			f.At = &at
		case len(f.Related) < 8:
			f.Related = append(f.Related, result.Related{Message: x.Attr("info"), At: &at})
		}
	}
}
