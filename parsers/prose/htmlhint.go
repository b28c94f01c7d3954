package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

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
		s.Claim(s.Counts["error"])
		s.Close(l)
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
