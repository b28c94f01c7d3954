package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("xmllint", func(p *tool.Parser) {
	p.Is("xmllint", result.Lint, 1, "xmllint of libxml2 2.9 to 2.14: well-formedness, DTD, schema, RELAX NG")
	p.Exits = map[int]result.Meaning{1: result.MeansFindings, 2: result.MeansFindings, 5: result.MeansUsage, 6: result.MeansInternal, 7: result.MeansUsage, 9: result.MeansInternal, 10: result.MeansFindings, 11: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: xmllintMessage, Below: xmllintFrame, Other: xmllintTrouble,
	}.Parse})
})

// xmllintMessage reads "element b: Schemas validity error : text" behind a place. The kind of error becomes the rule.
func xmllintMessage(d *read.Diagnostic) bool {
	kind, message, ok := strings.Cut(d.Message, " : ")
	if !ok || !strings.HasSuffix(kind, "error") && !strings.HasSuffix(kind, "warning") {
		return false
	}
	if element, rest, has := strings.Cut(kind, ": "); has && strings.HasPrefix(element, "element ") {
		kind = rest
	}
	d.Rule, d.Message = kind, message
	if strings.HasSuffix(kind, "warning") {
		d.Word = "warning"
	}
	return true
}

// xmllintFrame reports whether a line is the source of an error or the caret below it.
func xmllintFrame(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	return f != nil && !strings.HasSuffix(f.Detail, "^") && !strings.HasSuffix(l.Text, " fails to validate") && !lex.HasAnyPrefix(l.Text, xmllintUnread...)
}

// xmllintUnread begins messages about a file that could not be read.
var xmllintUnread = []string{"warning: failed to load ", "I/O error : ", "I/O warning : "}

// xmllintTrouble reads messages without a line number.
func xmllintTrouble(s *read.Sink, l tool.Line) bool {
	text := l.Text
	f := result.Finding{Kind: result.GenericFinding, Message: text}
	switch {
	case lex.HasAnyPrefix(text, xmllintUnread...), text == "XPath set is empty":
	case strings.HasPrefix(text, "XPath error : "), strings.HasPrefix(text, "xmlXPathEval: "):
	case strings.HasPrefix(text, "Unknown option "):
		s.Meaning = result.MeansUsage
	case strings.HasSuffix(text, " fails to validate"), strings.HasPrefix(text, "Document ") && strings.Contains(text, " does not validate against "), strings.HasSuffix(text, " validates"):
		return s.Close(l)
	default:
		return s.Meaning == result.MeansUsage
	}
	return s.Find(l, f)
}
